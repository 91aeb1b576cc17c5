internal import FoundationEssentials

/// Encodes JSON with indentation, sorted keys and unescaped slashes.
package enum JSON {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try [UInt8](encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    /// The same as text without the line break at its end.
    package static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encode(value).dropLast(), as: UTF8.self)
    }
}
