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

/// A colour operation with a loop of its own.
package protocol ColorKernel: Sendable {
    /// Changes `count` pixels in place; `count` is a multiple of sixteen, the pointers are on 64-byte boundaries.
    func apply(
        red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>,
        count: Int)
}
