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

    init(_ parser: yaml_parser_t, in bytes: UnsafeMutableBufferPointer<UInt8>, at start: DocumentLocation) {
        self.start = start
        problem = parser.problem.map { String(cString: $0) } ?? "out of memory"
        context = parser.context.map { String(cString: $0) } ?? ""
        // The reader reports a byte offset, the rest of libyaml a line.
        byteLine =
            parser.error == YAML_READER_ERROR
            ? 1 + bytes.prefix(parser.problem_offset).count { $0 == UInt8(ascii: "\n") } : nil
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self)
        }
        // Missing tokens at the end are reported one line late.
        line = min(Int(parser.problem_mark.line), max(lines.count, 1) - 1)
        column = Int(parser.problem_mark.column)
        contextLine = context.isEmpty ? line : min(Int(parser.context_mark.line), line)
    }

    var error: MediaError {
        if let byteLine { return fault(byteLine - 1, "this is not UTF-8 text (\(problem))") }
        let shown = text(line)
        if shown.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return fault(line, "the line is indented with a tab", "indent with spaces")
        }
        switch (problem, context) {
        case ("mapping values are not allowed in this context", _):
            guard let quoted = quotedValue else {
                return fault(
                    line, "the line is indented deeper than its key allows", "indent it like the keys beside it")
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
        case ("did not find expected key", _):
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
