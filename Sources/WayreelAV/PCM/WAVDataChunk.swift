internal import WayreelCore

/// The `data` chunk of a RIFF, RF64 (EBU Tech 3306) or BW64 file (ITU-R BS.2088).
struct WAVDataChunk {
    /// The declared size, which may exceed the file.
    let byteCount: Int

    /// Returns nil unless the content starts at `offset` and no other `data` chunk follows.
    init?(_ file: InputFile, size: Int, samplesAt offset: Int) throws(MediaError) {
        let header = try file.bytes(at: 0, count: 36)
        guard header.count == 36, offset >= 20, header[8..<12].elementsEqual("WAVE".utf8) else { return nil }
        let isLong = header.withUnsafeBytes { Self.hasLongSize($0) }
        let is64 = header.withUnsafeBytes { isLong && !Self.hasUnknownLongSize($0) }
        guard isLong || header[..<4].elementsEqual("RIFF".utf8) else { return nil }
        let chunk = try file.bytes(at: offset - 8, count: 8)
        guard chunk.count == 8, chunk[..<4].elementsEqual("data".utf8) else { return nil }
        let short = Self.number(chunk[4...])
        let isUnknown = short == 0 || short == Int(UInt32.max)
        // The ds64 chunk holds the RIFF size, data size and sample count.
        let declared =
            is64 && short == Int(UInt32.max) ? Self.number(header[28..<36]) : isUnknown ? size - offset : short
        guard declared > 0, declared <= Int.max - offset - 1 else { return nil }
        byteCount = declared
        guard try Self.isOnlyData(file, after: offset + declared + declared % 2, size: size) else { return nil }
    }

    /// Returns whether a ds64 chunk begins the file, which holds the sizes of RF64 and BW64.
    private static func hasLongSize(_ header: UnsafeRawBufferPointer) -> Bool {
        header.count >= 36 && ["RF64", "BW64"].contains { header.matches($0.utf8, at: 0) }
            && header.matches("WAVE".utf8, at: 8) && header.matches("ds64".utf8, at: 12)
    }

    /// Returns the bytes of samples by the ds64 chunk; nil without one, and if they are unknown.
    static func longSize(_ header: UnsafeRawBufferPointer) -> Int? {
        hasLongSize(header) && !hasUnknownLongSize(header) ? Int(header.littleEndian64(at: 28)) : nil
    }

    /// Returns whether the size of the samples in the ds64 chunk was not known when the header was written.
    static func hasUnknownLongSize(_ header: UnsafeRawBufferPointer) -> Bool {
        hasLongSize(header) && !(1..<1 << 62).contains(header.littleEndian64(at: 28))
    }

    private static func isOnlyData(_ file: InputFile, after start: Int, size: Int) throws(MediaError) -> Bool {
        var position = start
        for _ in 0..<64 {
            guard position <= size - 8 else { return true }
            let chunk = try file.bytes(at: position, count: 8)
            guard chunk.count == 8 else { return true }
            if chunk[..<4].elementsEqual("data".utf8) { return false }
            let length = number(chunk[4...])
            position += 8 + length + length % 2
        }
        return false
    }

    /// Returns a little-endian number; 0 if it does not fit.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? 0
    }
}
