internal import WayreelCore

/// A Windows icon: several sizes of one image. Each is a whole PNG, or a BMP without file header and with a mask after
/// the colours.
enum IconFile {
    private static let entryBytes = 16

    /// Returns a reader for image `page` (from 1, in directory order), or the largest one.
    static func open(_ bytes: MediaBytes, page: Int?, limits: Limits) throws(MediaError) -> any RowReader {
        let entries = try entries(bytes.buffer)
        try limits.check(frames: entries.count)
        try limits.check(page: page ?? 1, of: entries.count)
        let chosen: UnsafeRawBufferPointer
        if let page {
            guard let found = image(at: entries[page - 1], in: bytes.buffer) else {
                throw fault("image \(page) is not in the file")
            }
            chosen = found
        } else {
            chosen = try largest(of: entries, in: bytes.buffer)
        }
        let copy = MediaBytes(chosen)
        if chosen.starts(with: PNGChunks.signature) {
            return try PNGReader(copy, frames: entries.count, limits: limits)
        }
        return try RasterReader(BMPFile(copy, isIcon: true, limits: limits), frames: entries.count)
    }

    /// Returns the offsets of the directory entries.
    private static func entries(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> [Int] {
        guard bytes.count >= 6 else { throw fault("the file ends within its header") }
        let entries = (0..<Int(bytes.littleEndian16(at: 4))).map { 6 + $0 * entryBytes }
        let present = entries.filter { $0 + entryBytes <= bytes.count }
        guard !present.isEmpty else { throw fault("it holds no image") }
        return present
    }

    private static func largest(
        of entries: [Int], in bytes: UnsafeRawBufferPointer
    ) throws(MediaError) -> UnsafeRawBufferPointer {
        let images = entries.compactMap { image(at: $0, in: bytes) }
        guard let best = images.max(by: { rank($0) < rank($1) }) else { throw fault("the file ends before its images") }
        return best
    }

    /// Returns the image of the directory entry at `offset`; nil if it is out of bounds or not an image.
    private static func image(at offset: Int, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let (count, start) = (Int(bytes.littleEndian32(at: offset + 8)), Int(bytes.littleEndian32(at: offset + 12)))
        guard start < bytes.count else { return nil }
        let image = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + count, bytes.count)])
        guard image.count >= 40 else { return nil }
        let isBitmap = [12, 40, 52, 56, 108, 124].contains(image.littleEndian32(at: 0))
        return isBitmap || image.starts(with: PNGChunks.signature) ? image : nil
    }

    /// Pixels, then bits per pixel, from the image itself: directory fields are too small for large images.
    private static func rank(_ image: UnsafeRawBufferPointer) -> (Int, Int) {
        // Clamps sides to a value above any icon's that keeps the product small.
        func pixels(_ width: Int, _ height: Int) -> Int { min(width, 1 << 24) * min(height, 1 << 24) }
        if image.starts(with: PNGChunks.signature) {
            return (pixels(Int(image.bigEndian32(at: 16)), Int(image.bigEndian32(at: 20))), 32)
        }
        let isCore = image.littleEndian32(at: 0) == 12
        let width = isCore ? Int(image.littleEndian16(at: 4)) : Int(image.littleEndian32(at: 4))
        let height = isCore ? Int(image.littleEndian16(at: 6)) : Int(image.littleEndian32(at: 8))
        return (pixels(width, height / 2), Int(image.littleEndian16(at: isCore ? 10 : 14)))
    }

    private static let fault = ErrorSite(step: .decode, format: .icon)
}
