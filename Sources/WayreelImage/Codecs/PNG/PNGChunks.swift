internal import WayreelCore

/// The chunks of a PNG, read without decoding (PNG Specification, Third Edition, section 5).
///
/// Finds chunks that libpng is configured to skip, anywhere in the file: EXIF, XMP, code points, frame count.
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        /// Four letters.
        let type: String
        let data: UnsafeRawBufferPointer
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let bytes: UnsafeRawBufferPointer
    private var offset = Self.signature.count

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns the next complete chunk; nil at the end of the file.
    mutating func next() -> Chunk? {
        guard offset + 12 <= bytes.count else { return nil }
        let length = Int(bytes.bigEndian32(at: offset))
        guard length <= bytes.count - offset - 12 else { return nil }
        let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
        let data = UnsafeRawBufferPointer(rebasing: bytes[offset + 8..<offset + 8 + length])
        offset += 12 + length
        return type == "IEND" ? nil : Chunk(type: type, data: data)
    }

    /// The colour types that may have both a palette and transparency: RGB, for which it is a suggestion, and indices.
    private static let paletteTypes: Set<UInt8> = [2, 3]

    /// Returns the file with a palette's transparency moved behind the palette; nil if the order is correct or there is
    /// none.
    ///
    /// libpng ignores transparency before its palette.
    static func reordered(_ bytes: UnsafeRawBufferPointer) -> MediaBytes? {
        var chunks = PNGChunks(bytes)
        var transparency: Range<Int>?
        while true {
            let start = chunks.offset
            guard let chunk = chunks.next(), chunk.type != "IDAT" else { return nil }
            if chunk.type == "IHDR", chunk.data.count < 10 || !paletteTypes.contains(chunk.data[9]) { return nil }
            if chunk.type == "tRNS", transparency == nil { transparency = start..<chunks.offset }
            guard chunk.type == "PLTE" else { continue }
            guard let transparency else { return nil }
            let parts = [
                0..<transparency.lowerBound, transparency.upperBound..<chunks.offset, transparency,
                chunks.offset..<bytes.count,
            ]
            return MediaBytes(parts.flatMap { bytes[$0] })
        }
    }
}
