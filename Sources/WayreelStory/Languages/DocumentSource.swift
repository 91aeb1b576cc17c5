internal import WayreelCore

/// The bytes of a document as text that is changed in places, and is written in the document's own encoding again.
struct DocumentSource {
    private enum Encoding {
        case utf8, ascii, latin1
        case utf16(UTF16Form)
    }

    /// A change of the text: what a range of its bytes becomes.
    struct Edit {
        var range: Range<Int>
        var text: String

        static func insert(_ text: String, at offset: Int) -> Edit { Edit(range: offset..<offset, text: text) }
    }

    /// The text in UTF-8, with its byte order mark if it has one in UTF-8.
    let text: [UInt8]
    private let encoding: Encoding
    /// What ends lines: `\r\n` or `\n`.
    let newline: String

    /// Throws an `unsupported` error if the encoding is one that cannot be written again.
    init(_ bytes: [UInt8], as format: StoryDocument.Format, name: String) throws(MediaError) {
        encoding = try Self.encoding(of: bytes, format, name)
        text =
            switch encoding {
            case .utf8, .ascii: bytes
            case .latin1: XMLEncoding.utf8(latin1: bytes)
            case .utf16(let form): form.utf8(bytes)
            }
        let line = text.firstIndex(of: UInt8(ascii: "\n")) ?? 0
        newline = line > 0 && text[line - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
        guard encoded(text) == bytes else {
            throw Self.fault(name, "has characters that its encoding does not allow")
        }
    }

    /// Returns the document with changes, in its encoding; nil if they overlap. The line feeds of their texts become the
    /// document's line ends. Of what begins at one place, insertions come first, in their order.
    func applying(_ edits: [Edit]) -> [UInt8]? {
        var changed: [UInt8] = []
        var offset = 0
        let order = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
                < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
        }
        for edit in order.map(\.element) {
            guard edit.range.lowerBound >= offset, edit.range.upperBound <= text.count else { return nil }
            changed += text[offset..<edit.range.lowerBound]
            changed += edit.text.replacing("\n", with: newline).utf8
            offset = edit.range.upperBound
        }
        return encoded(changed + text[offset...])
    }

    // MARK: Encodings

    private static func encoding(
        of bytes: [UInt8], _ format: StoryDocument.Format, _ name: String
    ) throws(MediaError) -> Encoding {
        guard format == .xml else { return .utf8 }
        if let form = UTF16Form.of(bytes) { return .utf16(form) }
        switch XMLEncoding.declared(in: bytes)?.lowercased() {
        case nil, "utf-8", "utf8": return .utf8
        case "us-ascii", "ascii": return .ascii
        case "iso-8859-1": return .latin1
        case let other?: throw fault(name, "is encoded as '\(other)'")
        }
    }

    private static func fault(_ name: String, _ reason: String) -> MediaError {
        MediaError(
            .unsupported, step: .story, subject: name, reason: "\(reason), which cannot be changed in place",
            advice: "save it as UTF-8")
    }

    /// Returns a text in the document's encoding; characters that it lacks are written by their numbers.
    private func encoded(_ text: [UInt8]) -> [UInt8] {
        let limit: UInt32
        switch encoding {
        case .utf8: return text
        case .utf16(let form):
            let units = (form.hasMark ? [0xFEFF] : []) + Array(String(decoding: text, as: UTF8.self).utf16)
            return units.flatMap { unit in
                let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
                return form.isBigEndian ? bytes : bytes.reversed()
            }
        case .ascii: limit = 0x80
        case .latin1: limit = 0x100
        }
        if limit == 0x80, text.allSatisfy({ $0 < 0x80 }) { return text }
        return String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
            scalar.value < limit
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array("&#x\(String(scalar.value, radix: 16));".utf8)
        }
    }
}
