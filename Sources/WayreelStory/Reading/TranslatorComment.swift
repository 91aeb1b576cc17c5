internal import WayreelCore

/// Comments of documents that authors write for translators. They begin with `translators:`, as those that GNU gettext
/// takes from programs by convention.
enum TranslatorComment {
    private static let mark = "translators:"
    /// The most notes that a text has, and the most characters of one: a comment may be about thousands of texts.
    static let maxCount = 10
    private static let maxLength = 1000

    /// Whether a comment of YAML, with its `#`, is for translators.
    static func begins(_ comment: String) -> Bool { words(of: comment).lowercased().hasPrefix(mark) }

    private static func words(of comment: String) -> String { String(comment.drop { $0 == "#" }).trimmedSpace }

    /// Returns what lines of comments in YAML, with their `#`, say to translators: from each mark on.
    static func notes(inLines lines: [String]) -> [String] {
        var notes: [String] = []
        var isNote = false
        for line in lines.map(words(of:)) {
            if line.lowercased().hasPrefix(mark) {
                notes.append(String(line.dropFirst(mark.count)))
                isNote = true
            } else if isNote {
                notes[notes.count - 1] += " \(line)"
            }
        }
        return notes.map { $0.asName(ofAtMost: maxLength) }.filter { !$0.isEmpty }
    }

    /// Returns what the comments of a well-formed XML document right before the tag at an offset say to translators.
    static func notes(before tag: Int, in bytes: [UInt8]) -> [String] {
        var notes: [String] = []
        // libxml2 counts the bytes of an encoding that it converts by itself in UTF-8.
        var end = min(tag, bytes.count)
        while let found = comment(before: end, in: bytes) {
            let words = String(decoding: bytes[found.content], as: UTF8.self).trimmedSpace
            if words.lowercased().hasPrefix(mark) {
                notes.append(String(words.dropFirst(mark.count)).asName(ofAtMost: maxLength))
            }
            end = found.start
        }
        return notes.reversed().filter { !$0.isEmpty }
    }

    /// The comment that has nothing but white space between it and an offset: where it starts, and what is in it.
    ///
    /// There is no `--` in comments, and no `<!--` in what else a document may have before an element.
    private static func comment(before offset: Int, in bytes: [UInt8]) -> (start: Int, content: Range<Int>)? {
        guard let last = bytes[..<offset].lastIndex(where: { $0 > UInt8(ascii: " ") }),
            bytes[...last].suffix(3).elementsEqual("-->".utf8)
        else { return nil }
        let content = last - 2
        let dash = UInt8(ascii: "-")
        var start = content
        while start >= 4, !(bytes[start - 1] == dash && bytes[start - 2] == dash) { start -= 1 }
        guard start >= 4, bytes[(start - 4)..<start].elementsEqual("<!--".utf8) else { return nil }
        return (start - 4, start..<content)
    }
}
