internal import WayreelCore

/// The chunks of a PNG, walked without decoding any (PNG Specification, Third Edition, section 5).
///
/// Finds what libpng is told to pass over, wherever in the file it stands: EXIF, XMP, code points, the frame count.
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

    /// The next chunk that is there in full; nil at the end of the file.
    mutating func next() -> Chunk? {
        guard offset + 12 <= bytes.count else { return nil }
        let length = Int(bytes.bigEndian32(at: offset))
        guard length <= bytes.count - offset - 12 else { return nil }
        let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
        let data = UnsafeRawBufferPointer(rebasing: bytes[offset + 8..<offset + 8 + length])
        offset += 12 + length
        return type == "IEND" ? nil : Chunk(type: type, data: data)
    }

    /// The file with the transparency of its palette behind the palette, where it belongs; nil where it stands there or is none.
    ///
    /// libpng passes over transparency whose palette it has not seen yet.
    static func reordered(_ bytes: UnsafeRawBufferPointer) -> MediaBytes? {
        var chunks = PNGChunks(bytes)
        var transparency: Range<Int>?
        while true {
            let start = chunks.offset
            guard let chunk = chunks.next(), chunk.type != "IDAT" else { return nil }
            if chunk.type == "IHDR", chunk.data.count < 10 || chunk.data[9] != 3 { return nil }
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
