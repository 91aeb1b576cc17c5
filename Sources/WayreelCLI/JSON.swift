internal import FoundationEssentials

/// JSON as the command prints it: indented, keys sorted, slashes as they are.
enum JSON {
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try [UInt8](encoder.encode(value)) + [UInt8(ascii: "\n")]
    }
}
