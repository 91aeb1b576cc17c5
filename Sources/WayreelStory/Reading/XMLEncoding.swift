/// Converts XML in UTF-16 and ISO-8859-1 to UTF-8, so that locations refer to its characters. libxml2 handles other
/// encodings.
enum XMLEncoding {
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xFF, 0xFE]) { return undeclared(utf16(bytes.dropFirst(2)) { $0 | $1 << 8 }) }
        if bytes.starts(with: [0xFE, 0xFF]) { return undeclared(utf16(bytes.dropFirst(2)) { $0 << 8 | $1 }) }
        // `<?` without a byte order mark.
        if bytes.starts(with: [0x3C, 0, 0x3F, 0]) { return undeclared(utf16(bytes[...]) { $0 | $1 << 8 }) }
        if bytes.starts(with: [0, 0x3C, 0, 0x3F]) { return undeclared(utf16(bytes[...]) { $0 << 8 | $1 }) }
        guard let range = declaration(in: bytes),
            String(decoding: bytes[range], as: UTF8.self).lowercased().contains("iso-8859-1")
        else { return bytes }
        // The characters of ISO-8859-1 are the first 256 of Unicode.
        return undeclared(bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] })
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt16, UInt16) -> UInt16) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            units.append(unit(UInt16(bytes[index]), UInt16(bytes[index + 1])))
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Overwrites the encoding declaration, which is no longer true, with spaces.
    private static func undeclared(_ bytes: [UInt8]) -> [UInt8] {
        guard let range = declaration(in: bytes) else { return bytes }
        var bytes = bytes
        for index in range { bytes[index] = UInt8(ascii: " ") }
        return bytes
    }

    /// Returns the range of `encoding="…"` in `<?xml version="1.0" encoding="…"?>`.
    private static func declaration(in bytes: [UInt8]) -> Range<Int>? {
        let head = bytes.prefix(200)
        guard head.starts(with: Array("<?xml".utf8)), let start = head.firstRange(of: Array("encoding".utf8)),
            let end = head.firstIndex(of: UInt8(ascii: ">")), start.upperBound < end,
            let first = head[start.upperBound..<end].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
            let last = head[(first + 1)..<end].firstIndex(of: head[first])
        else { return nil }
        return start.lowerBound..<(last + 1)
    }
}
