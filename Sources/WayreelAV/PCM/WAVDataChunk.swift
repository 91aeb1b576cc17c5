internal import WayreelCore

/// The extent of the samples in a RIFF or RF64 file (EBU Tech 3306).
struct WAVDataChunk {
    /// As the file says it, which may be more than there is.
    let byteCount: Int

    /// nil unless the `data` chunk begins just before `offset` and is the only one.
    init?(_ file: InputFile, size: Int, samplesAt offset: Int) throws(MediaError) {
        let header = try file.bytes(at: 0, count: 36)
        guard header.count == 36, offset >= 20, header[8..<12].elementsEqual("WAVE".utf8) else { return nil }
        let is64 = header[..<4].elementsEqual("RF64".utf8) && header[12..<16].elementsEqual("ds64".utf8)
        guard is64 || header[..<4].elementsEqual("RIFF".utf8) else { return nil }
        let chunk = try file.bytes(at: offset - 8, count: 8)
        guard chunk.count == 8, chunk[..<4].elementsEqual("data".utf8) else { return nil }
        let short = Self.number(chunk[4...])
        let isUnknown = short == 0 || short == Int(UInt32.max)
        // RIFF size, data size and sample count stand in the first chunk of RF64.
        let told = is64 && short == Int(UInt32.max) ? Self.number(header[28..<36]) : isUnknown ? size - offset : short
        guard told > 0, told <= Int.max - offset - 1 else { return nil }
        byteCount = told
        guard try Self.isOnlyData(file, after: offset + told + told % 2, size: size) else { return nil }
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

    /// Little-endian; beyond what is possible, 0.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? 0
    }
}
