/// A step of a fused colour pass on rows of straight red, green and blue.
///
/// A chain of colour filters, preceded by the conversion from the source profile, becomes one list that runs over each
/// row in the cache.
package enum ColorOp: Sendable {
    /// out = matrix · (r, g, b) + offset.
    case matrix(ColorMatrix)
    /// Decodes sRGB to linear light, odd-symmetric below 0 (IEC 61966-2-1).
    case decodeSRGB
    /// Encodes linear light as sRGB, odd-symmetric below 0.
    case encodeSRGB
    /// Applies a sampled curve to each channel.
    case curves(ColorCurves)
    /// Applies a three-dimensional look-up table with tetrahedral interpolation.
    case lut(CubeLUT)
    /// Runs a custom loop, which modifies the block's pixels in place. It may depend on their position, never on other
    /// pixels.
    case kernel(@Sendable (ColorBlock) -> Void)
}

/// A 3 × 3 matrix with offset, row by row from red.
package struct ColorMatrix: Hashable, Sendable {
    package var rows: [SIMD4<Float>]

    /// Each row holds the weights of red, green and blue, and the offset.
    package init(red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        rows = [red, green, blue]
    }

    package static let identity = ColorMatrix(
        red: SIMD4(1, 0, 0, 0), green: SIMD4(0, 1, 0, 0), blue: SIMD4(0, 0, 1, 0))

    /// Returns the matrix that applies `first` and then this one.
    package func after(_ first: ColorMatrix) -> ColorMatrix {
        let product = rows.map { row in
            row.x * first.rows[0] + row.y * first.rows[1] + row.z * first.rows[2] + SIMD4(0, 0, 0, row.w)
        }
        return ColorMatrix(red: product[0], green: product[1], blue: product[2])
    }
}

/// Three curves over 0…1 with even samples, linear interpolation and clamped ends.
package struct ColorCurves: Hashable, Sendable {
    package var red: [Float]
    package var green: [Float]
    package var blue: [Float]

    /// Each curve has at least two samples; all have the same count.
    package init(red: [Float], green: [Float], blue: [Float]) {
        precondition(red.count >= 2 && red.count == green.count && red.count == blue.count)
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// A 3D look-up table: `size`³ entries of (r, g, b), red fastest, over an input domain.
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

/// A section of a row: planes of straight colour, modified in place.
package struct ColorBlock {
    package let red: UnsafeMutablePointer<Float>
    package let green: UnsafeMutablePointer<Float>
    package let blue: UnsafeMutablePointer<Float>
    /// A multiple of sixteen; pointers are aligned to 64 bytes.
    package let count: Int
    /// Column and row of the first pixel in the image.
    package let x: Int
    package let y: Int
}
