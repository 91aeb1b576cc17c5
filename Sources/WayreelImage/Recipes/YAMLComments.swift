internal import CYAML
internal import WayreelCore

/// Finds the comments of a document between the events of libyaml, which does not report them.
struct YAMLComments {
    private let bytes: [UInt8]
    private let file: DocumentLocation
    private let onComment: (YAMLDocument.Comment) -> Void
    /// The position after the last event. libyaml counts characters.
    private var offset = 0
    private var index = 0
    private var line = 1
    private var column = 1
    private var isAfterText = false

    init(_ bytes: [UInt8], _ file: DocumentLocation, _ onComment: @escaping (YAMLDocument.Comment) -> Void) {
        self.bytes = bytes
        self.file = file
        self.onComment = onComment
    }

    /// Reads what is between the previous event and this one.
    mutating func read(_ event: yaml_event_t) {
        var isInComment = false
        advance(to: event.start_mark.index) { (comments, byte) in
            if byte == UInt8(ascii: "\n") {
                isInComment = false
                comments.isAfterText = false
            } else if byte == UInt8(ascii: "#"), !isInComment {
                isInComment = true
                comments.report()
            } else if ![UInt8(ascii: " "), UInt8(ascii: "\t")].contains(byte) {
                // A comma, a colon or a bracket.
                comments.isAfterText = false
            }
        }
        advance(to: event.end_mark.index)
        isAfterText = event.type == YAML_SCALAR_EVENT && event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE
    }

    private func report() {
        var location = file
        (location.line, location.column) = (line, column)
        let text = bytes[offset...].prefix { ![0x0A, 0x0D].contains($0) }
        onComment(
            YAMLDocument.Comment(
                text: String(decoding: text, as: UTF8.self), location: location, followsText: isAfterText))
    }

    private mutating func advance(to end: Int, _ visit: (inout YAMLComments, UInt8) -> Void = { _, _ in }) {
        while index < end, offset < bytes.count {
            let byte = bytes[offset]
            visit(&self, byte)
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            index += 1
            (line, column) = byte == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
        }
    }
}
