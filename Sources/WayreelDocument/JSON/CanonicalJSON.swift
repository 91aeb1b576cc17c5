internal import FoundationEssentials
package import WayreelCore

/// JSON whose bytes depend only on the value: members are in the order of their names, and slashes are as they are.
///
/// Of texts and whole numbers it is that of RFC 8785, which hashes are made of.
package enum CanonicalJSON {
    /// Returns the value without any white space, in UTF-8.
    ///
    /// Throws an `encoding` error of `step` if the value cannot be encoded, as an infinite number.
    package static func bytes(
        _ value: some Encodable, step: MediaError.Step = .encode
    ) throws(MediaError) -> [UInt8] {
        try encode(value, [], step)
    }

    package static func text(
        _ value: some Encodable, step: MediaError.Step = .encode
    ) throws(MediaError) -> String {
        String(decoding: try bytes(value, step: step), as: UTF8.self)
    }

    /// Returns the value in indented lines, each with a line feed at its end. Throws like ``bytes(_:step:)``.
    package static func lines(
        _ value: some Encodable, step: MediaError.Step = .encode
    ) throws(MediaError) -> [UInt8] {
        try encode(value, .prettyPrinted, step) + [UInt8(ascii: "\n")]
    }

    private static func encode(
        _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting, _ step: MediaError.Step
    ) throws(MediaError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        do { return [UInt8](try encoder.encode(value)) } catch {
            throw MediaError(.encoding, step: step, reason: "\(error)")
        }
    }

    /// Reads a value; nil if the text is not that of one.
    package static func value<Value: Decodable>(_ type: Value.Type, from text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
