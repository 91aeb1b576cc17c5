internal import CYAML
internal import WayreelCore

/// A mistake in a YAML document, in the words of somebody who writes texts. libyaml describes what its parser expected.
struct YAMLMistake {
    private let problem: String
    private let context: String
    private let start: DocumentLocation
    private let lines: [Substring]
    /// The number of the line of the problem, counted from 0, and its column.
    private let line: Int
    private let column: Int
    /// The same of the list, the quotation or the key in which it is.
    private let contextLine: Int
    private let byteLine: Int?
    /// The encoding of the whole document, if it is not UTF-8; nil if that is unknown.
    private let encoding: String?

    init(_ parser: yaml_parser_t, in bytes: UnsafeMutableBufferPointer<UInt8>, at start: DocumentLocation) {
        self.start = start
        problem = parser.problem.map { String(cString: $0) } ?? "out of memory"
        context = parser.context.map { String(cString: $0) } ?? ""
        // The reader reports a byte offset, the rest of libyaml a line.
        byteLine =
            parser.error == YAML_READER_ERROR
            ? 1 + bytes.prefix(parser.problem_offset).count { $0 == UInt8(ascii: "\n") } : nil
        encoding = Self.encoding(of: bytes)
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self)
        }
        // Missing tokens at the end are reported one line late.
        line = min(Int(parser.problem_mark.line), max(lines.count, 1) - 1)
        column = Int(parser.problem_mark.column)
        contextLine = context.isEmpty ? line : min(Int(parser.context_mark.line), line)
    }

    var error: MediaError {
        if let byteLine { return readerFault(byteLine - 1) }
        let shown = text(line)
        if let number = [line, contextLine, line - 1].first(where: { hasUnusualSpace(text($0)) }) {
            return fault(
                number, "the line has a no-break space, or one of another kind, where YAML needs a space",
                "type spaces over the indentation and behind the colon")
        }
        if let number = [contextLine, line].first(where: { text($0).contains("\u{FF1A}") }) {
            return fault(number, "the line has a full-width colon", "type ': ' over it")
        }
        if shown.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return fault(line, "the line is indented with a tab", "indent with spaces")
        }
        switch (problem, context) {
        case ("mapping values are not allowed in this context", _):
            guard let quoted = quotedValue else {
                return fault(
                    line, "the line is indented deeper than its key allows",
                    "indent it like the keys beside it, or put a text of several lines in quotes")
            }
            return fault(line, "the text has a ': ' in it", "put it in quotes: \(quoted)")
        case ("could not find expected ':'", _):
            return fault(
                contextLine, "the line is neither 'key: value' nor a part of the text above",
                "put a colon and a space after the key, or indent a text that goes on")
        case ("found character that cannot start any token", _):
            return fault(line, "a text cannot begin with '\(character(at: column))'", "put it in quotes")
        case (_, "while scanning an alias"), (_, "while scanning an anchor"):
            let mark = context.hasSuffix("alias") ? "*" : "&"
            return fault(line, "a text cannot begin with '\(mark)'", "put it in quotes")
        case ("found unexpected end of stream", "while scanning a quoted scalar"):
            return fault(
                contextLine, "a quotation mark that begins here is never closed",
                "close it; within \"…\" a quotation mark is \\\", within '…' an apostrophe is ''")
        case ("found unknown escape character", _):
            return fault(
                line, "there is no '\\\(character(at: column + 1))' within \"…\"",
                "write \\\\ for a backslash, or use '…'")
        case ("mapping keys are not allowed in this context", _):
            return fault(line, "a text cannot begin with '? '", "put it in quotes")
        case ("did not find expected key", _):
            if let number = unclosedQuotation {
                return fault(
                    number, "the quotation mark that begins the text of this line is closed only in line \(line + 1)",
                    "close it at the end of the text")
            }
            if hasTextAfterQuotation {
                return fault(
                    line, "there is text after the closing quotation mark",
                    "put the whole text in quotes; within \"…\" a quotation mark is \\\", within '…' an apostrophe is ''"
                )
            }
            return fault(
                line, "the line is not indented like the other keys of its mapping",
                "indent keys that belong together equally, with spaces")
        case ("did not find expected '-' indicator", _):
            return fault(
                line, "the line is no item of the list above",
                "begin each item with '- ', and indent all of them equally")
        case ("block sequence entries are not allowed in this context", _):
            return fault(line, "a list cannot begin here", "put each '- item' on a line of its own, below the key")
        case (_, "while parsing a flow sequence"), (_, "while parsing a flow mapping"):
            let (kind, end) = context.hasSuffix("sequence") ? ("list", "]") : ("mapping", "}")
            let comment =
                (contextLine...line).contains { text($0).contains(" #") } ? "; from ' #' on, a line is a comment" : ""
            return fault(
                contextLine, "the \(kind) that begins here has no '\(end)', or a comma is missing in it",
                "put texts with , # [ ] { } or ': ' in quotes\(comment)")
        default:
            return fault(line, [problem, context].filter { !$0.isEmpty }.joined(separator: " "))
        }
    }

    private func fault(_ line: Int, _ reason: String, _ advice: MediaError.Advice? = nil) -> MediaError {
        var location = start
        location.line = line + 1
        location.column = line == self.line ? column + 1 : 1
        return location.fault(reason, advice)
    }

    /// What libyaml's reader refuses: bytes that are not UTF-8, and control characters.
    private func readerFault(_ line: Int) -> MediaError {
        if let encoding { return fault(line, "this is not UTF-8 text but \(encoding)", "save it as UTF-8") }
        guard problem == "control characters are not allowed" else {
            return fault(line, "this is not UTF-8 text (\(problem))", "save it as UTF-8")
        }
        let control = text(line).unicodeScalars.first {
            $0.value < 0x20 && $0 != "\t" || (0x7F...0x9F).contains($0.value)
        }
        let name = control.map { " \($0.codePoint)" } ?? ""
        return fault(line, "the line has a control character\(name)", "remove it")
    }

    /// UTF-16 and UTF-32 begin with a byte-order mark, or with a zero in an ASCII character.
    private static func encoding(of bytes: UnsafeMutableBufferPointer<UInt8>) -> String? {
        let head = Array(bytes.prefix(4))
        if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        return head.count == 4 && (head[0] == 0) != (head[1] == 0) && (head[2] == 0) != (head[3] == 0)
            ? "UTF-16" : nil
    }

    /// Whether a line is indented with, or has behind its first colon, a white space that YAML takes for a letter.
    private func hasUnusualSpace(_ text: Substring) -> Bool {
        func isUnusual(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace && !scalar.isASCII }
        let scalars = text.unicodeScalars
        if scalars.prefix(while: { $0.properties.isWhitespace || $0 == "-" }).contains(where: isUnusual) { return true }
        guard let colon = scalars.firstIndex(of: ":") else { return false }
        return scalars[colon...].dropFirst().first.map(isUnusual) ?? false
    }

    /// The number of the line whose text begins with a quotation mark that is only closed in the line of the problem.
    private var unclosedQuotation: Int? {
        for number in stride(from: line - 1, through: max(0, line - 100), by: -1) {
            guard let colon = text(number).firstRange(of: ": ") else { continue }
            let value = text(number)[colon.upperBound...].drop { $0 == " " }
            guard let mark = value.first, mark == "\"" || mark == "'" else { continue }
            let rest = value.dropFirst().replacing(mark == "'" ? "''" : "\\\"", with: "")
            guard !rest.contains(mark) else { continue }
            let isClosedBetween = (number + 1..<line).contains { text($0).contains(mark) }
            return !isClosedBetween && text(line).contains(mark) ? number : nil
        }
        return nil
    }

    private func text(_ line: Int) -> Substring { lines.indices.contains(line) ? lines[line] : "" }

    /// The character in a column of the line of the problem.
    private func character(at column: Int) -> String {
        text(line).unicodeScalars.dropFirst(column).first.map { String($0) } ?? ""
    }

    /// The key and value of a line with another `: ` in its value, in quotes.
    private var quotedValue: String? {
        let line = String(text(line))
        guard let colon = line.firstRange(of: ": "),
            line.unicodeScalars.distance(from: line.startIndex, to: colon.lowerBound) < column
        else { return nil }
        let key = line[..<colon.lowerBound].drop { " -".contains($0) }
        let rest = line[colon.upperBound...].drop { $0 == " " }
        let text = String(rest[..<(rest.lastIndex { $0 != " " }.map(rest.index(after:)) ?? rest.endIndex)])
        guard start.isQuotable, text.count <= 200 else { return "\(key): \"…\"" }
        return text.contains("\"") || text.contains("\\")
            ? "\(key): '\(text.replacing("'", with: "''"))'" : "\(key): \"\(text)\""
    }

    /// Whether a value of the line, or of the line before, is in quotes with more text behind them.
    private var hasTextAfterQuotation: Bool {
        [line, line - 1].contains { number in
            guard let colon = text(number).firstRange(of: ": ") else { return false }
            let value = text(number)[colon.upperBound...].drop { $0 == " " }
            guard let mark = value.first, mark == "\"" || mark == "'" else { return false }
            guard let end = value.dropFirst().firstIndex(of: mark) else { return false }
            let rest = value[value.index(after: end)...].drop { $0 == " " }
            return !rest.isEmpty && rest.first != "#"
        }
    }
}

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
