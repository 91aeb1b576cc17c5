/// Text between XML tags or in an attribute (XML 1.0, section 4.6).
enum XMLText {
    private static let entities: [String: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]
    /// Max length of a reference: `#x10FFFF` with leading zeros.
    private static let longestReference = 16

    /// Decodes references and CDATA sections, and drops comments, instructions and tags.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = bytes
        while let byte = rest.first {
            if byte == UInt8(ascii: "&"), let (scalar, count) = reference(rest) {
                text += Array(String(scalar).utf8)
                rest = rest.dropFirst(count)
            } else if byte != UInt8(ascii: "<") {
                text.append(byte)
                rest = rest.dropFirst()
            } else if let data = section(&rest, from: "<![CDATA[", to: "]]>") {
                text += data
            } else if section(&rest, from: "<!--", to: "-->") == nil {
                _ = section(&rest, from: "<", to: ">")
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the character of a reference and the reference's length.
    private static func reference(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        guard let end = bytes.prefix(longestReference).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[bytes.startIndex + 1..<end], as: UTF8.self)
        // The digits have no sign.
        let scalar: Unicode.Scalar? =
            if name.contains(where: { $0 == "+" || $0 == "-" }) {
                nil
            } else if name.hasPrefix("#x") {
                UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
            } else if name.hasPrefix("#") {
                UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
            } else {
                entities[name]
            }
        return scalar.map { ($0, end + 1 - bytes.startIndex) }
    }

    /// Removes a section with its delimiters from the start of `bytes`; nil if it does not start there.
    private static func section(
        _ bytes: inout ArraySlice<UInt8>, from start: String, to end: String
    ) -> ArraySlice<UInt8>? {
        guard bytes.starts(with: start.utf8) else { return nil }
        let content = bytes.dropFirst(start.utf8.count)
        let ends = content.indices.first { content[$0...].starts(with: end.utf8) } ?? content.endIndex
        bytes = content[ends...].dropFirst(end.utf8.count)
        return content[..<ends]
    }
}
