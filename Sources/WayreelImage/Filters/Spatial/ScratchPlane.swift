internal import Glibc
internal import WayreelCore

/// Temporary floats, aligned to 64 bytes.
final class ScratchFloats {
    let base: UnsafeMutablePointer<Float>

    /// Throws a `limit` error if memory is exhausted.
    init(count: Int) throws(MediaError) {
        guard let memory = aligned_alloc(64, (count * MemoryLayout<Float>.stride + 63) / 64 * 64) else {
            throw MediaError(
                .limit, step: .filter, reason: "no memory for a filter", advice: "run fewer tasks at once")
        }
        base = memory.bindMemory(to: Float.self, capacity: count)
    }

    deinit { free(base) }
}

/// A temporary plane of an image's size, whose rows can be read with a margin.
final class ScratchPlane {
    let size: PixelSize
    /// Values from one row to the next; a multiple of sixteen.
    let stride: Int
    /// Readable values before and after a row; a multiple of sixteen.
    let margin: Int
    private let memory: ScratchFloats

    /// Creates an uninitialised plane with at least `margin` values on either side of a row.
    init(size: PixelSize, margin: Int = 0) throws(MediaError) {
        self.size = size
        self.margin = (margin + 15) / 16 * 16
        stride = (size.width + 15) / 16 * 16 + 2 * self.margin
        memory = try ScratchFloats(count: stride * size.height)
    }

    /// Creates a copy of plane `index` with its edge values repeated in the margins.
    convenience init(copying planes: ImagePlanes, plane index: Int, margin: Int = 0) throws(MediaError) {
        try self.init(size: planes.size, margin: margin)
        for y in 0..<size.height {
            let row = row(y)
            row.update(from: planes.row(y, plane: index), count: size.width)
            extendRow(y)
        }
    }

    /// Returns the first value of row `y`, clamped to the plane.
    func row(_ y: Int) -> UnsafeMutablePointer<Float> {
        memory.base + (min(max(y, 0), size.height - 1) * stride + margin)
    }

    /// Repeats the first and last value of row `y` in its margins and padding.
    func extendRow(_ y: Int) {
        let row = row(y)
        (row - margin).update(repeating: row[0], count: margin)
        (row + size.width).update(repeating: row[size.width - 1], count: stride - margin - size.width)
    }
}
