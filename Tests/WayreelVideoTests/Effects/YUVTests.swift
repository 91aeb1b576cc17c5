internal import TestSupport
internal import Testing
internal import WayreelKernels

/// The kernels between Y′CbCr and R′G′B′, compared with BT.709's formulas in Double.
@Suite struct YUVTests {
    /// One row with its two rows of chroma.
    private struct Row {
        var luma: [UInt8]
        var cb: [[UInt8]]
        var cr: [[UInt8]]

        init(width: Int, seed: UInt64) {
            var random = SeededRandom(seed: seed)
            let bytes = { (count: Int, random: inout SeededRandom) in
                (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            luma = bytes(width, &random)
            cb = (0..<2).map { _ in bytes((width + 1) / 2, &random) }
            cr = (0..<2).map { _ in bytes((width + 1) / 2, &random) }
        }
    }

    private static func rgb(_ row: Row) -> [[Float]] {
        let count = row.luma.count
        var planes = Array(repeating: [Float](repeating: -9, count: count), count: 3)
        row.cb[0].withUnsafeBufferPointer { near in
            row.cb[1].withUnsafeBufferPointer { far in
                row.cr[0].withUnsafeBufferPointer { nearRed in
                    row.cr[1].withUnsafeBufferPointer { farRed in
                        var (red, green, blue) = (planes[0], planes[1], planes[2])
                        wr_rgb_from_yuv420(
                            row.luma, [near.baseAddress, far.baseAddress], [nearRed.baseAddress, farRed.baseAddress],
                            &red, &green, &blue, count)
                        planes = [red, green, blue]
                    }
                }
            }
        }
        return planes
    }

    @Test(arguments: [1, 2, 3, 4, 5, 15, 16, 17, 33, 64, 131]) func toRGB(width: Int) {
        let row = Row(width: width, seed: UInt64(width))
        let made = Self.rgb(row)
        // Three quarters of the nearer row and one of the farther one; columns between two samples are their mean.
        let vertical = { (rows: [[UInt8]], i: Int) in 0.75 * Double(rows[0][i]) + 0.25 * Double(rows[1][i]) }
        let chroma = { (rows: [[UInt8]], x: Int) in
            let next = min(x / 2 + x % 2, rows[0].count - 1)
            return ((vertical(rows, x / 2) + vertical(rows, next)) / 2 - 128) / 224
        }
        for x in 0..<width {
            let y = (Double(row.luma[x]) - 16) / 219
            let (pb, pr) = (chroma(row.cb, x), chroma(row.cr, x))
            let expected = [y + 1.5748 * pr, y - 0.187324 * pb - 0.468124 * pr, y + 1.8556 * pb]
            for plane in 0..<3 {
                #expect(abs(Double(made[plane][x]) - expected[plane]) < 3e-6, "column \(x), plane \(plane)")
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 15, 16, 17, 33, 64, 131]) func toYUV(width: Int) {
        var random = SeededRandom(seed: UInt64(width))
        // Values beyond 0…1 are included and clamped.
        let rows = (0..<2).map { _ in
            (0..<3).map { _ in (0..<width).map { _ in Float.random(in: -0.2...1.2, using: &random) } }
        }
        var luma = Array(repeating: [UInt8](repeating: 0, count: width), count: 2)
        var wide = Array(repeating: [Float](repeating: 0, count: width), count: 4)
        for y in 0..<2 {
            var (own, cb, cr) = (luma[y], wide[y], wide[2 + y])
            wr_yuv_from_rgb(rows[y][0], rows[y][1], rows[y][2], &own, &cb, &cr, width)
            (luma[y], wide[y], wide[2 + y]) = (own, cb, cr)
        }
        var cb = [UInt8](repeating: 0, count: (width + 1) / 2)
        var cr = cb
        wr_chroma420(wide[0], wide[1], &cb, width)
        wr_chroma420(wide[2], wide[3], &cr, width)
        let pixel = { (x: Int, y: Int) in
            let rgb = (0..<3).map { min(max(Double(rows[y][$0][min(max(x, 0), width - 1)]), 0), 1) }
            let luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
            return (luma, (rgb[2] - luma) / 1.8556, (rgb[0] - luma) / 1.5748)
        }
        for x in 0..<width {
            for y in 0..<2 { #expect(abs(Double(luma[y][x]) - (16 + 219 * pixel(x, y).0)) < 0.501) }
        }
        for i in 0..<(width + 1) / 2 {
            var (blue, red) = (0.0, 0.0)
            for (offset, weight) in [(-1, 0.25), (0, 0.5), (1, 0.25)] {
                for y in 0..<2 {
                    blue += weight / 2 * pixel(2 * i + offset, y).1
                    red += weight / 2 * pixel(2 * i + offset, y).2
                }
            }
            #expect(abs(Double(cb[i]) - (128 + 224 * blue)) < 0.501)
            #expect(abs(Double(cr[i]) - (128 + 224 * red)) < 0.501)
        }
    }

    @Test func valuesThatAreNoNumbersBecomeBlack() {
        var (luma, cb, cr) = (
            [UInt8](repeating: 9, count: 3), [Float](repeating: 9, count: 3), [Float](repeating: 9, count: 3)
        )
        let strange: [Float] = [.nan, -.infinity, .infinity]
        wr_yuv_from_rgb(strange, strange, strange, &luma, &cb, &cr, 3)
        #expect(luma == [16, 16, 235])
    }
}
