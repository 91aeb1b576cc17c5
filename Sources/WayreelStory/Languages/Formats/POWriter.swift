internal import WayreelCore

/// Writes files of GNU gettext, in the order and with the line breaks of its own tools.
///
/// The format is described in the manual of GNU gettext, "The Format of PO Files". A unit's key is its context and also
/// its first reference: tools that lose contexts keep references.
enum POWriter {
    static func text(of file: TranslationFile) -> String {
        var text = ""
        let header = [
            ("Project-Id-Version", file.story), ("PO-Revision-Date", ""), ("Last-Translator", ""),
            ("Language-Team", ""), ("Language", file.language.replacing("-", with: "_")), ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=UTF-8"), ("Content-Transfer-Encoding", "8bit"),
            ("X-Source-Language", file.sourceLanguage.replacing("-", with: "_")), ("X-Wayreel-Story", file.story),
        ]
        write("msgid", "", to: &text)
        write("msgstr", header.map { "\($0): \($1)\n" }.joined(), to: &text)
        for unit in file.units {
            text += "\n"
            write(unit, to: &text)
        }
        return text
    }

    private static func write(_ unit: TranslationFile.Unit, to text: inout String) {
        for comment in unit.translatorComments { text += comment.isEmpty ? "#\n" : "# \(comment)\n" }
        for note in UnitNotes.lines(of: unit) { text += "#. \(note)\n" }
        let references = [unit.key] + [unit.reference.map(POReference.written)].compactMap(\.self)
        text += "#: \(references.joined(separator: " "))\n"
        if unit.isFuzzy { text += "#, fuzzy\n" }
        if let previous = unit.previousSource { write("msgid", previous, prefix: "#| ", to: &text) }
        write("msgctxt", unit.key, to: &text)
        write("msgid", unit.source, to: &text)
        write("msgstr", unit.translation ?? "", to: &text)
    }

    /// Writes a keyword and its string: in one line if that is short enough and has no line feed but at its end,
    /// otherwise below an empty string.
    private static func write(_ keyword: String, _ value: String, prefix: String = "", to text: inout String) {
        var pieces: [String] = []
        for line in value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            pieces.append(POEscapes.escaped(String(line)) + "\\n")
        }
        // What follows the last line feed has none.
        pieces[pieces.count - 1].removeLast(2)
        if pieces.count > 1, pieces[pieces.count - 1].isEmpty { pieces.removeLast() }
        let room = LineBreaks.columns - prefix.utf8.count
        let isShort =
            pieces.count == 1
            && LineBreaks.lines(of: pieces[0], columns: room, after: keyword.utf8.count + 1).count == 1
        text += "\(prefix)\(keyword) "
        if isShort {
            text += "\"\(pieces[0])\"\n"
            return
        }
        text += "\"\"\n"
        for piece in pieces {
            for line in LineBreaks.lines(of: piece, columns: room) { text += "\(prefix)\"\(line)\"\n" }
        }
    }
}

/// References to places, as in comments of PO files.
enum POReference {
    /// A reference; a file name with spaces stands between U+2068 and U+2069.
    static func written(_ reference: String) -> String {
        guard reference.contains(" ") else { return reference }
        let file = reference.fileAndLine.file
        return "\u{2068}\(file)\u{2069}\(reference[file.endIndex...])"
    }

    /// The references in a text.
    static func all(in text: String) -> [String] {
        var (references, word, isQuoted): ([String], String, Bool) = ([], "", false)
        for scalar in text.unicodeScalars + [" "] {
            switch scalar {
            case "\u{2068}": isQuoted = true
            case "\u{2069}": isQuoted = false
            case " " where !isQuoted, "\t" where !isQuoted:
                if !word.isEmpty { references.append(word) }
                word = ""
            default: word.unicodeScalars.append(scalar)
            }
        }
        return word.isEmpty ? references : references + [word.trimmed()]
    }
}

/// Characters in strings of PO files that are written with a backslash.
enum POEscapes {
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x09, 0x0D, 0x22, 0x5C].contains($0) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
