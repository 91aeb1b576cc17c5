extension ColorMatrix {
    /// Luma weights of red, green and blue (ITU-R BT.709, CSS Filter Effects).
    static let lumaWeights = SIMD3(0.2126, 0.7152, 0.0722)

    /// Creates a matrix by rows, with offset.
    init(_ rows: [SIMD3<Double>], offset: SIMD3<Double> = .zero) {
        func row(_ i: Int) -> SIMD4<Float> { SIMD4(SIMD4(rows[i], offset[i])) }
        self.init(red: row(0), green: row(1), blue: row(2))
    }

    /// Returns a mix of this matrix with the identity; `share` is the weight of this one.
    func mixed(_ share: Double) -> ColorMatrix {
        func row(_ i: Int) -> SIMD4<Float> {
            ColorMatrix.identity.rows[i] + Float(share) * (rows[i] - ColorMatrix.identity.rows[i])
        }
        return ColorMatrix(red: row(0), green: row(1), blue: row(2))
    }

    static func scale(_ factors: SIMD3<Double>, offset: SIMD3<Double> = .zero) -> ColorMatrix {
        ColorMatrix(
            [SIMD3(factors.x, 0, 0), SIMD3(0, factors.y, 0), SIMD3(0, 0, factors.z)], offset: offset)
    }

    /// CSS Filter Effects Level 1, `sepia(1)`.
    static let sepia = ColorMatrix([
        SIMD3(0.393, 0.769, 0.189), SIMD3(0.349, 0.686, 0.168), SIMD3(0.272, 0.534, 0.131),
    ])

    /// Scales the difference of each channel from luma by `amount`.
    static func saturation(_ amount: Double) -> ColorMatrix {
        ColorMatrix([lumaWeights, lumaWeights, lumaWeights]).mixed(1 - amount)
    }

    /// (c − ½)·amount + ½.
    static func contrast(_ amount: Double) -> ColorMatrix {
        scale(SIMD3(repeating: amount), offset: SIMD3(repeating: (1 - amount) / 2))
    }

    /// Maps luma from one colour at 0 to another at 1.
    static func duotone(_ dark: SIMD3<Double>, _ light: SIMD3<Double>) -> ColorMatrix {
        let span = light - dark
        return ColorMatrix([span.x * lumaWeights, span.y * lumaWeights, span.z * lumaWeights], offset: dark)
    }

    /// CSS Filter Effects Level 1, `hue-rotate`; in degrees.
    static func hueRotation(_ angle: Double) -> ColorMatrix {
        let (c, s) = (cosine(degrees: angle), sine(degrees: angle))
        return ColorMatrix([
            SIMD3(0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928),
            SIMD3(0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283),
            SIMD3(0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072),
        ])
    }
}
