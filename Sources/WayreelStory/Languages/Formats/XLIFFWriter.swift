internal import WayreelCore

/// Writes XLIFF 1.2 and 2.0 (OASIS standards of 2008 and 2014).
struct XLIFFWriter {
    enum Version {
        case one, two
    }

    let version: Version
    private var out = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"

    init(version: Version) { self.version = version }

    /// The value of `original` in files of a story.
    static let originalPrefix = "wayreel:"

    func text(of file: TranslationFile) -> String {
        var writer = self
        switch version {
        case .one: writer.writeOne(file)
        case .two: writer.writeTwo(file)
        }
        return writer.out
    }

    private mutating func writeOne(_ file: TranslationFile) {
        open("xliff", [("version", "1.2"), ("xmlns", "urn:oasis:names:tc:xliff:document:1.2")], 0)
        open(
            "file",
            [
                ("original", Self.originalPrefix + file.story), ("source-language", file.sourceLanguage),
                ("target-language", file.language), ("datatype", "plaintext"),
            ], 1)
        out += "    <body>\n"
        for unit in file.units {
            let isCurrent = unit.translation != nil && !unit.isFuzzy
            var attributes = [("id", unit.key), ("xml:space", "preserve"), ("approved", isCurrent ? "yes" : "no")]
            if let maxLength = unit.maxLength { attributes += [("maxwidth", "\(maxLength)"), ("size-unit", "char")] }
            open("trans-unit", attributes, 3)
            element("source", [], unit.source, 4)
            // Tools that fill in a translation leave a state as it was.
            let state = unit.isFuzzy ? "needs-review-translation" : "translated"
            element("target", unit.translation == nil ? [] : [("state", state)], unit.translation ?? "", 4)
            if let previous = unit.previousSource {
                open("alt-trans", [("alttranstype", "previous-version"), ("origin", "previous")], 4)
                element("source", [], previous, 5)
                element("target", [], unit.translation ?? "", 5)
                close("alt-trans", 4)
            }
            location(unit.key, line: nil)
            if let reference = unit.reference {
                let (file, line) = reference.fileAndLine
                location(String(file), line: line)
            }
            for (origin, text) in Self.notes(of: unit) { element("note", [("from", origin)], text, 4) }
            close("trans-unit", 3)
        }
        out += "    </body>\n  </file>\n</xliff>\n"
    }

    /// A place in the form that Translate Toolkit reads as a reference of PO.
    private mutating func location(_ file: String, line: Int?) {
        open("context-group", [("purpose", "location")], 4)
        element("context", [("context-type", "sourcefile")], file, 5)
        if let line { element("context", [("context-type", "linenumber")], "\(line)", 5) }
        close("context-group", 4)
    }

    private mutating func writeTwo(_ file: TranslationFile) {
        open(
            "xliff",
            [
                ("version", "2.0"), ("xmlns", "urn:oasis:names:tc:xliff:document:2.0"),
                ("srcLang", file.sourceLanguage), ("trgLang", file.language),
            ], 0)
        open(
            "file",
            [("id", "story"), ("original", Self.originalPrefix + file.story), ("xml:space", "preserve")], 1)
        for unit in file.units {
            // Ids have no slashes.
            open("unit", [("id", unit.key.replacing("/", with: ":")), ("name", unit.key)], 2)
            var notes = Self.notes(of: unit)
            if let reference = unit.reference { notes.append(("location", reference)) }
            if let previous = unit.previousSource { notes.append((Self.previousCategory, previous)) }
            if !notes.isEmpty {
                out += "      <notes>\n"
                for (category, text) in notes { element("note", [("category", category)], text, 4) }
                out += "      </notes>\n"
            }
            let state = unit.isFuzzy ? "initial" : "translated"
            open("segment", unit.translation == nil ? [] : [("state", state)], 3)
            element("source", [], unit.source, 4)
            if let translation = unit.translation { element("target", [], translation, 4) }
            close("segment", 3)
            close("unit", 2)
        }
        out += "  </file>\n</xliff>\n"
    }

    /// The category of a note with the source that was translated, in XLIFF 2.
    static let previousCategory = "previous-source"

    /// The notes that both versions have, by the names that Translate Toolkit gives their authors.
    private static func notes(of unit: TranslationFile.Unit) -> [(String, String)] {
        UnitNotes.lines(of: unit).map { ("developer", $0) } + unit.translatorComments.map { ("translator", $0) }
    }

    // MARK: Elements

    private mutating func open(_ name: String, _ attributes: [(String, String)], _ depth: Int) {
        out += "\(String(repeating: "  ", count: depth))<\(name)\(Self.attributes(attributes))>\n"
    }

    private mutating func close(_ name: String, _ depth: Int) {
        out += "\(String(repeating: "  ", count: depth))</\(name)>\n"
    }

    private mutating func element(_ name: String, _ attributes: [(String, String)], _ text: String, _ depth: Int) {
        let start = "\(String(repeating: "  ", count: depth))<\(name)\(Self.attributes(attributes))"
        out += text.isEmpty ? "\(start)/>\n" : "\(start)>\(text.xmlText)</\(name)>\n"
    }

    private static func attributes(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0)=\"\($1.xmlAttribute)\"" }.joined()
    }
}
