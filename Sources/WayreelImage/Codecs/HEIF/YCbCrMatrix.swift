/// Converts luma and chroma to red, green and blue (ITU-T H.273, section 8.3).
struct YCbCrMatrix {
    /// Three rows of four, applied to (luma, Cb, Cr, 1) in code units; for a monochrome image to (luma, luma, luma, 1).
    /// Results are 0 to `fullScale`.
    let rows: [Float]

    /// `matrix` is an H.273 matrix coefficient; unspecified and unknown values are read as BT.601, the default of image
    /// encoders.
    init(_ matrix: Int, isFullRange: Bool, isMonochrome: Bool, depth: Int, fullScale: Double) {
        let step = Double(1 << (depth - 8))
        let full = Double(1 << depth) - 1
        let lumaScale = fullScale / (isFullRange ? full : 219 * step)
        let chromaScale = fullScale / (isFullRange ? full : 224 * step)
        let black = isFullRange ? 0 : 16 * step
        let neutral = Double(1 << (depth - 1))
        if isMonochrome || matrix == 0 {
            // Identity: green, blue and red are stored as luma, Cb and Cr.
            let sources = isMonochrome ? [0, 0, 0] : [2, 0, 1]
            rows = sources.flatMap { source in
                (0..<3).map { Float($0 == source ? lumaScale : 0) } + [Float(-black * lumaScale)]
            }
            return
        }
        rows = Self.weights(matrix).flatMap { row in
            let (luma, cb, cr) = (row[0] * lumaScale, row[1] * chromaScale, row[2] * chromaScale)
            return [Float(luma), Float(cb), Float(cr), Float(-black * luma - neutral * (cb + cr))]
        }
    }

    /// For luma from 0 to 1 and chroma from −½ to ½.
    private static func weights(_ matrix: Int) -> [[Double]] {
        // YCgCo.
        if matrix == 8 { return [[1, -1, 1], [1, 1, 0], [1, -1, -1]] }
        let (red, blue) = lumaShares[matrix] ?? (0.299, 0.114)
        let green = 1 - red - blue
        return [
            [1, 0, 2 * (1 - red)],
            [1, -2 * blue * (1 - blue) / green, -2 * red * (1 - red) / green],
            [1, 2 * (1 - blue), 0],
        ]
    }

    /// Weights of red and blue in luma (table 4).
    private static let lumaShares: [Int: (red: Double, blue: Double)] = [
        1: (0.2126, 0.0722), 4: (0.30, 0.11), 5: (0.299, 0.114), 6: (0.299, 0.114), 7: (0.212, 0.087),
        9: (0.2627, 0.0593), 10: (0.2627, 0.0593),
    ]
}
