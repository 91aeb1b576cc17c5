internal import WayreelCore

/// The size of a file according to its own structure, which tells whether its end is missing.
struct DeclaredSize {
    /// Bytes of the whole file.
    let bytes: Int
    /// The length of the whole file, for containers in which FFmpeg ignores it if the end is missing.
    var seconds: Double?

    /// Reads the size of a container from the header of a file (``ContainerTraits/declaredSize``).
    typealias Reader = @Sendable (InputFile) throws(MediaError) -> DeclaredSize?

    /// Reads the size from the header of `file`. Returns nil for a pipe, for a container that declares no size, and for
    /// a size that was not known when the header was written.
    static func read(_ file: InputFile, _ traits: ContainerTraits) throws(MediaError) -> DeclaredSize? {
        guard file.size != nil, let read = traits.declaredSize else { return nil }
        return try read(file)
    }

    /// Max number of elements that are searched.
    private static let maxElements = 4096

    /// Returns the end of the Segment (RFC 9559, section 5.1).
    @Sendable static func matroska(_ file: InputFile) throws(MediaError) -> DeclaredSize? {
        var offset = 0
        for _ in 0..<maxElements {
            let bytes = try file.bytes(at: offset, count: EBMLHeader.maxCount)
            guard let header = bytes.withUnsafeBytes({ EBMLHeader($0, room: .max - offset) }), !header.hasUnknownSize
            else { return nil }
            offset += header.count + header.bodyCount
            if header.id == MatroskaTracks.ID.segment { return DeclaredSize(bytes: offset) }
        }
        return nil
    }

    /// Returns the end of the last RIFF chunk, and the length by the main header (`avih`). A large file has several
    /// RIFF chunks (OpenDML).
    @Sendable static func avi(_ file: InputFile) throws(MediaError) -> DeclaredSize? {
        let header = try file.bytes(at: 0, count: 52)
        guard header.count == 52 else { return nil }
        let (isHeader, frameMicroseconds, frames) = header.withUnsafeBytes {
            ($0.matches("avih".utf8, at: 24), $0.littleEndian32(at: 32), $0.littleEndian32(at: 48))
        }
        var end = 0
        for _ in 0..<maxElements {
            let chunk = try file.bytes(at: end, count: 8)
            guard chunk.count == 8, chunk.starts(with: "RIFF".utf8) else { break }
            let count = Int(chunk.withUnsafeBytes { $0.littleEndian32(at: 4) })
            // A recorder that was interrupted leaves 0 or a placeholder.
            guard count > 0, count < 0x7FFF_0000 else { return nil }
            end += 8 + count + count % 2
        }
        let seconds = Double(frames) * Double(frameMicroseconds) / 1e6
        return DeclaredSize(bytes: end, seconds: isHeader && frames > 0 ? seconds : nil)
    }

    /// Returns the size and the play duration of the File Properties Object (ASF Specification, section 3.2).
    @Sendable static func asf(_ file: InputFile) throws(MediaError) -> DeclaredSize? {
        let id: [UInt8] = [
            0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
        ]
        var offset = 30
        for _ in 0..<maxElements {
            let object = try file.bytes(at: offset, count: 92)
            guard object.count == 92 else { return nil }
            let number = { (offset: Int) in
                object.withUnsafeBytes { Int(clamping: $0.littleEndian64(at: offset)) }
            }
            if object.starts(with: id) {
                let isBroadcast = object[88] & 1 != 0
                let seconds = Double(number(64)) / 1e7 - Double(number(80)) / 1e3
                return isBroadcast ? nil : DeclaredSize(bytes: number(40), seconds: seconds > 0 ? seconds : nil)
            }
            guard (24..<1 << 40).contains(number(16)) else { return nil }
            offset += number(16)
        }
        return nil
    }

    /// Bytes of an FLV file in which its metadata are searched for.
    private static let maxMetadata = 1 << 14

    /// Returns the `filesize` of the metadata, a number of AMF 0.
    @Sendable static func flv(_ file: InputFile) throws(MediaError) -> DeclaredSize? {
        let head = try file.bytes(at: 0, count: maxMetadata)
        let key = [0, 8] + Array("filesize".utf8) + [0]
        let last = head.count - key.count - 8
        guard last >= 0,
            let at = (0...last).first(where: { head[$0] == 0 && head[$0..<$0 + key.count].elementsEqual(key) })
        else { return nil }
        let bits = head.withUnsafeBytes { $0.bigEndian(at: at + key.count, count: 8) }
        return Int(exactly: Double(bitPattern: bits)).flatMap { $0 > 0 ? DeclaredSize(bytes: $0) : nil }
    }

    /// A smaller missing part holds the index or tags at most.
    private static let minMissingShare = 0.01

    /// Returns whether a part of the media is missing in a file of `size`.
    func isTruncated(at size: Int) -> Bool { Double(bytes - size) > Double(bytes) * Self.minMissingShare }
}

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
