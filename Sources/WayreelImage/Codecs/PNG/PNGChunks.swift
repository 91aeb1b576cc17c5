internal import CPNG
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
    /// The keyword of the iTXt chunk that holds XMP (XMP Specification Part 3, section 1.1.5).
    static let xmpKeyword = "XML:com.adobe.xmp"

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

    /// The text of an iTXt chunk whose keyword is XMP's, unpacked to at most `limit` bytes.
    static func xmp(in chunk: Chunk, limit: Int) -> [UInt8]? {
        let fields = chunk.data.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard fields.count == 2, fields[0].elementsEqual(xmpKeyword.utf8), fields[1].count >= 2 else { return nil }
        let isCompressed = fields[1].first == 1
        // Compression flag and method, then the language and the translated keyword, each ended by a NUL.
        let text = fields[1].dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard text.count == 3, text[2].count <= limit else { return nil }
        return isCompressed ? inflate(text[2], limit: limit) : Array(text[2])
    }

    private static func inflate(_ packed: UnsafeRawBufferPointer.SubSequence, limit: Int) -> [UInt8]? {
        // Text shrinks by far less than the 1 : 1032 that deflate allows; room is taken for what is plausible.
        let capacity = Swift.min(limit, packed.count * 100 + 1024)
        let unpacked = [UInt8](unsafeUninitializedCapacity: capacity) { out, count in
            let source = UnsafeRawBufferPointer(rebasing: packed)
            let written = cpng_inflate(
                source.baseAddress?.assumingMemoryBound(to: UInt8.self), source.count, out.baseAddress, out.count)
            count = Swift.max(0, Int(written))
        }
        return unpacked.isEmpty ? nil : unpacked
    }
}
