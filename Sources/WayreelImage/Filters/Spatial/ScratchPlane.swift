internal import Glibc
internal import WayreelCore

/// Floats on a 64-byte boundary, for as long as a filter needs them.
final class ScratchFloats {
    let base: UnsafeMutablePointer<Float>

    /// Throws a `limit` error where the machine has no memory for `count` values.
    init(count: Int) throws(MediaError) {
        guard let memory = aligned_alloc(64, (count * MemoryLayout<Float>.stride + 63) / 64 * 64) else {
            throw MediaError(
                .limit, step: "filter", reason: "no memory for a filter", advice: "run fewer pictures at once")
        }
        base = memory.bindMemory(to: Float.self, capacity: count)
    }

    deinit { free(base) }
}

/// A plane as large as one of a picture, with rows that can be read a margin beyond their ends.
final class ScratchPlane {
    let size: PixelSize
    /// Values from one row to the next; a multiple of sixteen.
    let stride: Int
    /// Values that can be read before and after a row; a multiple of sixteen.
    let margin: Int
    private let memory: ScratchFloats

    /// An uninitialised plane whose rows have at least `margin` values to either side.
    init(size: PixelSize, margin: Int = 0) throws(MediaError) {
        self.size = size
        self.margin = (margin + 15) / 16 * 16
        stride = (size.width + 15) / 16 * 16 + 2 * self.margin
        memory = try ScratchFloats(count: stride * size.height)
    }

    /// A copy of plane `index`, its edge values repeated over the margins.
    convenience init(copying planes: PicturePlanes, plane index: Int, margin: Int = 0) throws(MediaError) {
        try self.init(size: planes.size, margin: margin)
        for y in 0..<size.height {
            let row = row(y)
            row.update(from: planes.row(y, plane: index), count: size.width)
            extendRow(y)
        }
    }

    /// The first value of row `y`; rows above and below the plane are those of its edges.
    func row(_ y: Int) -> UnsafeMutablePointer<Float> {
        memory.base + (min(max(y, 0), size.height - 1) * stride + margin)
    }

    /// Repeats the first and the last value of row `y` over its margins and its padding.
    func extendRow(_ y: Int) {
        let row = row(y)
        (row - margin).update(repeating: row[0], count: margin)
        (row + size.width).update(repeating: row[size.width - 1], count: stride - margin - size.width)
    }
}
