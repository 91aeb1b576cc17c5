/// One step of a fused colour pass, on rows of straight red, green and blue.
///
/// A chain of colour filters, with the conversion from the source's profile in front, becomes one list of these and runs
/// over each row while it is in the cache.
package enum ColorOp: Sendable {
    /// out = matrix · (r, g, b) + offset.
    case matrix(ColorMatrix)
    /// sRGB-encoded → linear, odd-symmetric below 0 (IEC 61966-2-1).
    case decodeSRGB
    /// Linear → sRGB-encoded, odd-symmetric below 0.
    case encodeSRGB
    /// A sampled curve for each channel.
    case curves(ColorCurves)
    /// A three-dimensional look-up table with tetrahedral interpolation.
    case lut(CubeLUT)
    /// Anything else.
    case kernel(any ColorKernel)
}

/// A 3 × 3 matrix and an offset, by rows: the first row makes red.
package struct ColorMatrix: Hashable, Sendable {
    package var rows: [SIMD4<Float>]

    /// Each row holds the weights of red, green and blue, and the offset.
    package init(red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        rows = [red, green, blue]
    }

    package static let identity = ColorMatrix(
        red: SIMD4(1, 0, 0, 0), green: SIMD4(0, 1, 0, 0), blue: SIMD4(0, 0, 1, 0))

    /// The matrix that does `first` and then this one.
    package func after(_ first: ColorMatrix) -> ColorMatrix {
        let product = rows.map { row in
            row.x * first.rows[0] + row.y * first.rows[1] + row.z * first.rows[2] + SIMD4(0, 0, 0, row.w)
        }
        return ColorMatrix(red: product[0], green: product[1], blue: product[2])
    }
}

/// Three curves over 0…1, sampled evenly, with linear interpolation between samples and clamped ends.
package struct ColorCurves: Hashable, Sendable {
    package var red: [Float]
    package var green: [Float]
    package var blue: [Float]

    /// Each curve has at least two samples; all have the same number.
    package init(red: [Float], green: [Float], blue: [Float]) {
        precondition(red.count >= 2 && red.count == green.count && red.count == blue.count)
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// A cube of colours: `size`³ entries of (r, g, b), red fastest, over an input domain.
package struct CubeLUT: Hashable, Sendable {
    package var size: Int
    package var table: [Float]
    package var domainMin: SIMD3<Float>
    package var domainMax: SIMD3<Float>

    package init(size: Int, table: [Float], domainMin: SIMD3<Float> = .zero, domainMax: SIMD3<Float> = .one) {
        precondition(size >= 2 && table.count == size * size * size * 3)
        self.size = size
        self.table = table
        self.domainMin = domainMin
        self.domainMax = domainMax
    }
}

/// Part of a row of a picture: planes of straight colour, worked on in place.
package struct ColorBlock {
    package let red: UnsafeMutablePointer<Float>
    package let green: UnsafeMutablePointer<Float>
    package let blue: UnsafeMutablePointer<Float>
    /// A multiple of sixteen; the pointers are on 64-byte boundaries.
    package let count: Int
    /// Column and row of the first pixel in the picture.
    package let x: Int
    package let y: Int

    package init(
        red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>,
        count: Int, x: Int, y: Int
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.count = count
        self.x = x
        self.y = y
    }
}

/// A colour operation with a loop of its own.
package protocol ColorKernel: Sendable {
    /// Changes the block's pixels in place. What it does may depend on their place, never on other pixels.
    func apply(to block: ColorBlock)
}
