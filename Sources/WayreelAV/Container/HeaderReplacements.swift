internal import WayreelCore

/// Bytes that FFmpeg is given in place of the file's.
struct ByteReplacement {
    let offset: Int
    let bytes: [UInt8]

    /// Returns the changes of a header after which FFmpeg reads the samples up to the end of a file, or a byte order
    /// that it does not know. Programs that write to a pipe, or that were interrupted, leave the size unknown: 0 or all
    /// ones, which FFmpeg refuses in these formats.
    ///
    /// `start`: the first bytes of the file.
    static func replacements(header start: [UInt8]) -> [ByteReplacement] {
        start.withUnsafeBytes { bytes in
            guard bytes.count >= 40 else { return [] }
            if bytes.matches("FORM".utf8, at: 0), bytes.matches("AIF".utf8, at: 8) { return aiff(bytes) }
            if bytes.matches(waveID, at: 24), bytes.matches("riff".utf8, at: 0) { return wave64(bytes) }
            return WAVDataChunk.hasUnknownLongSize(bytes) ? [ByteReplacement(offset: 0, bytes: Array("RIFF".utf8))] : []
        }
    }

    /// FORM and SSND chunks, and little-endian samples by names that FFmpeg does not know, as libsndfile writes them.
    private static func aiff(_ bytes: UnsafeRawBufferPointer) -> [ByteReplacement] {
        var found: [ByteReplacement] = []
        let unknown: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF]
        if bytes.bigEndian32(at: 4) == 0 { found.append(ByteReplacement(offset: 4, bytes: unknown)) }
        var offset = 12
        while offset + 8 <= bytes.count {
            let length = Int(bytes.bigEndian32(at: offset + 4))
            if bytes.matches("SSND".utf8, at: offset) {
                if length == 0 { found.append(ByteReplacement(offset: offset + 4, bytes: unknown)) }
                break
            }
            let type = offset + 8 + 18
            if bytes.matches("COMM".utf8, at: offset), length >= 22,
                ["42ni", "42n1", "23ni"].contains(where: { bytes.matches($0.utf8, at: type) })
            {
                found.append(ByteReplacement(offset: type, bytes: Array("sowt".utf8)))
            }
            offset += 8 + length + length % 2
        }
        return found
    }

    /// The GUID of `wave` in Sony Wave64, and what follows the four characters in those of its chunks.
    private static let waveID: [UInt8] = Array("wave".utf8) + chunkID
    private static let chunkID: [UInt8] = [
        0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
    ]

    /// The sizes of the file and of its `data` chunk, which include the 24 bytes before the content.
    private static func wave64(_ bytes: UnsafeRawBufferPointer) -> [ByteReplacement] {
        let unknown: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0x20]
        var found: [ByteReplacement] = []
        if !(40..<1 << 62).contains(bytes.littleEndian64(at: 16)) {
            found.append(ByteReplacement(offset: 16, bytes: unknown))
        }
        var offset = 40
        while offset + 24 <= bytes.count {
            let length = bytes.littleEndian64(at: offset + 16)
            if bytes.matches(Array("data".utf8) + chunkID, at: offset) {
                if !(25..<1 << 62).contains(length) {
                    found.append(ByteReplacement(offset: offset + 16, bytes: unknown))
                }
                break
            }
            guard (24..<1 << 32).contains(length) else { break }
            offset += (Int(length) + 7) / 8 * 8
        }
        return found
    }
}
