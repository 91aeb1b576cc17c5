internal import WayreelCore

/// A Windows icon: several pictures of one thing, of which the largest is taken. Each is a whole PNG, or a BMP without
/// its file header whose height counts a mask below the colours.
enum IconFile {
    private static let entryBytes = 16
    private static let fileHeaderBytes = 14

    static func open(_ bytes: MediaBytes, limits: Limits) throws(MediaError) -> any RowReader {
        let picture = try largest(in: bytes.buffer)
        if picture.starts(with: PNGChunks.signature) { return try PNGReader(MediaBytes(picture), limits: limits) }
        guard let bitmap = bitmapFile(picture), let still = StillFormat.recognise(bitmap.buffer) else {
            throw fault("its picture is neither PNG nor BMP")
        }
        return try StillReader(bitmap, as: still, limits: limits)
    }

    private static func largest(in bytes: UnsafeRawBufferPointer) throws(MediaError)
        -> UnsafeRawBufferPointer.SubSequence
    {
        guard bytes.count >= 6 else { throw fault("the file ends within its header") }
        let entries = (0..<Int(bytes.littleEndian16(at: 4))).map { 6 + $0 * entryBytes }
        // A side of 256 is written as 0. Depth decides between equal sizes.
        func rank(_ entry: Int) -> (Int, Int) {
            let sides = [bytes[entry], bytes[entry + 1]].map { $0 == 0 ? 256 : Int($0) }
            return (sides[0] * sides[1], Int(bytes.littleEndian16(at: entry + 6)))
        }
        let present = entries.filter { $0 + entryBytes <= bytes.count }
        guard let best = present.max(by: { rank($0) < rank($1) }) else { throw fault("it holds no picture") }
        let (count, start) = (Int(bytes.littleEndian32(at: best + 8)), Int(bytes.littleEndian32(at: best + 12)))
        guard start < bytes.count else { throw fault("the file ends before its picture") }
        return bytes[start..<min(start + count, bytes.count)]
    }

    /// The bitmap with a file header in front, and half its height: the colours without the mask.
    private static func bitmapFile(_ picture: UnsafeRawBufferPointer.SubSequence) -> MediaBytes? {
        let source = UnsafeRawBufferPointer(rebasing: picture)
        guard source.count >= 40, source.littleEndian32(at: 0) == 40 else { return nil }
        let depth = Int(source.littleEndian16(at: 14))
        let colors = depth <= 8 ? max(Int(source.littleEndian32(at: 32)), depth == 0 ? 0 : 1 << depth) : 0
        func bytes(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        var file: [UInt8] = Array("BM".utf8) + bytes(fileHeaderBytes + source.count) + [0, 0, 0, 0]
        file += bytes(fileHeaderBytes + 40 + colors * 4)
        file += source
        let height = Int(source.littleEndian32(at: 8)) / 2
        file.replaceSubrange(fileHeaderBytes + 8..<fileHeaderBytes + 12, with: bytes(height))
        return MediaBytes(file)
    }

    private static func fault(_ reason: String) -> MediaError {
        MediaError(.decoding, step: "decode", reason: "icon: \(reason)")
    }
}
