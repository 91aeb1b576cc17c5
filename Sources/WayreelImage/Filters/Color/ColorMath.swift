/// A smooth curve through points without overshoot: monotone cubic interpolation (F. N. Fritsch, R. E. Carlson, 1980),
/// constant before the first and after the last point.
struct ToneSpline {
    private let points: [SIMD2<Double>]
    private let slopes: [Double]

    /// At least two points of (input, output) with increasing inputs.
    init(_ points: [SIMD2<Double>]) {
        let secants = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
        var slopes = points.indices.map { i in
            i == 0 ? secants[0] : i == secants.count ? secants[i - 1] : (secants[i - 1] + secants[i]) / 2
        }
        for (i, secant) in secants.enumerated() {
            let (a, b) = (slopes[i] / secant, slopes[i + 1] / secant)
            if secant == 0 || a < 0 || b < 0 {
                // The slope is 0 beside a constant section and at a local extremum.
                if secant == 0 || a < 0 { slopes[i] = 0 }
                if secant == 0 || b < 0 { slopes[i + 1] = 0 }
            } else if a * a + b * b > 9 {
                let factor = 3 * secant / (a * a + b * b).squareRoot()
                (slopes[i], slopes[i + 1]) = (factor * a, factor * b)
            }
        }
        self.points = points
        self.slopes = slopes
    }

    func value(at x: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.x > x }) else { return points[points.count - 1].y }
        guard next > 0 else { return points[0].y }
        let (start, end) = (points[next - 1], points[next])
        let width = end.x - start.x
        let t = (x - start.x) / width
        let u = 1 - t
        // Cubic Hermite form.
        return start.y * (1 + 2 * t) * u * u + end.y * t * t * (3 - 2 * t)
            + width * t * u * (slopes[next - 1] * u - slopes[next] * t)
    }

    /// 1024 samples from 0 to 1.
    var samples: [Float] {
        (0..<1024).map { Float(value(at: Double($0) / 1023)) }
    }
}

extension ColorCurves {
    /// One curve per channel through points of (input, output).
    init(red: [SIMD2<Double>], green: [SIMD2<Double>], blue: [SIMD2<Double>]) {
        self.init(red: ToneSpline(red).samples, green: ToneSpline(green).samples, blue: ToneSpline(blue).samples)
    }

    /// One curve for all channels.
    init(_ points: [SIMD2<Double>]) {
        let samples = ToneSpline(points).samples
        self.init(red: samples, green: samples, blue: samples)
    }
}

extension ColorOp {
    /// Applies `body` to each plane.
    static func eachPlane(_ body: @escaping @Sendable (UnsafeMutablePointer<Float>, Int) -> Void) -> ColorOp {
        .kernel { $0.forEachPlane(body) }
    }
}

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

/// A white point given by correlated colour temperature and tint.
struct WhitePoint: Hashable {
    /// In kelvins.
    var temperature: Double
    /// Distance from the Planckian locus in CIE 1960 (u, v), times 3000; positive towards magenta.
    var tint: Double

    /// CIE XYZ with Y = 1. The locus is that of M. P. Krystek, "An algorithm to calculate correlated colour
    /// temperature", 1985.
    private var xyz: SIMD3<Double> {
        let t = temperature
        func locus(_ t: Double) -> SIMD2<Double> {
            SIMD2(
                (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
                    / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t),
                (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
                    / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t))
        }
        // Perpendicular to the locus, towards smaller v.
        let along = locus(t + 1) - locus(t - 1)
        let across = SIMD2(along.y, -along.x) / (along.x * along.x + along.y * along.y).squareRoot()
        let down = across.y < 0 ? across : -across
        let uv = locus(t) + down * (tint / 3000)
        let (u, v) = (uv.x, uv.y)
        let x = 3 * u / (2 * u - 8 * v + 4)
        let y = 2 * v / (2 * u - 8 * v + 4)
        return XYZ.color([x, y])
    }

    /// Adapts this white point to `target`: Bradford's transform on linear sRGB.
    func adaptation(to target: WhitePoint) -> ColorMatrix {
        let gains = (XYZ.bradford * target.xyz) / (XYZ.bradford * xyz)
        return ColorMatrix(Self.fromCones * (Matrix3(diagonal: gains) * Self.toCones))
    }

    /// Linear sRGB to cone responses, by the rounded matrix of IEC 61966-2-1: the exact one would move outputs.
    private static let toCones =
        XYZ.bradford
        * Matrix3(rows: [0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505])

    private static let fromCones = toCones.inverse ?? .identity
}
