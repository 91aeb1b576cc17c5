internal import WayreelCore

/// Converts the only JSON syntax that YAML lacks: characters beyond U+FFFF escaped as two UTF-16 surrogates.
enum JSONEscapes {
    /// Replaces each surrogate pair (`\ud83d\udd14`) by YAML's escape (`\U0001f514`).
    ///
    /// Applies only to documents that start with a bracket: in JSON, backslashes occur only inside quoted strings.
    static func joiningSurrogates(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            bytes.contains(backslash)
        else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            if let high = escapedUnit(bytes, at: i), UTF16.isLeadSurrogate(high),
                let low = escapedUnit(bytes, at: i + 6), UTF16.isTrailSurrogate(low)
            {
                let scalar = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
                output += "\\U\(String(scalar, paddedTo: 8, radix: 16))".utf8
                i += 12
            } else {
                // Escapes are skipped as a whole, so that `\\ud83d` is a backslash followed by letters.
                let length = bytes[i] == backslash ? min(2, bytes.count - i) : 1
                output += bytes[i..<i + length]
                i += length
            }
        }
        return output
    }

    private static let backslash = UInt8(ascii: "\\")

    /// Returns the code unit of a `\uXXXX` at `index`.
    private static func escapedUnit(_ bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == backslash, bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = String(decoding: bytes[index + 2..<index + 6], as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? UInt16(digits, radix: 16) : nil
    }
}
