internal import WayreelDocument

/// The JSON that commands print: indented, with sorted keys and unescaped slashes.
package enum JSON {
    package static func encode(_ value: some Encodable) throws -> [UInt8] { try CanonicalJSON.lines(value) }

    /// The same as text without the line break at its end.
    package static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encode(value).dropLast(), as: UTF8.self)
    }
}
