internal import FoundationEssentials

/// Encodes JSON with indentation, sorted keys and unescaped slashes.
package enum JSON {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try [UInt8](encoder.encode(value)) + [UInt8(ascii: "\n")]
    }
}
