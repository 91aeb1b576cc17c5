internal import WayreelCore

/// Reads files of GNU gettext: the entries that have a context or a reference which is a key.
struct POReader {
    private var collector: UnitCollector
    private var head: UnitCollector.Head?
    private var entry = Entry()
    /// The string that a line with nothing but a string continues.
    private var string: WritableKeyPath<Entry, [UInt8]?>?

    private struct Entry {
        /// The line of its first keyword; 0 before that.
        var line = 0
        var unit = TranslationFile.Unit(key: "", source: "")
        /// The text of all its references.
        var references = ""
        /// How many lines of comments there are.
        var comments = 0
        var context: [UInt8]?
        var source: [UInt8]?
        var translation: [UInt8]?
        var previousContext: [UInt8]?
        var previousSource: [UInt8]?
    }

    static func read(_ bytes: [UInt8], into collector: UnitCollector) throws(MediaError) -> TranslationFile {
        var reader = POReader(collector: collector)
        var (start, number) = (0, 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            number += 1
            var line = bytes[start..<end]
            while let last = line.last, last <= UInt8(ascii: " ") { line.removeLast() }
            try reader.read(line.drop { $0 <= UInt8(ascii: " ") }, number)
            start = end + 1
        }
        try reader.endEntry()
        return try reader.collector.file(reader.head ?? UnitCollector.Head())
    }

    private init(collector: UnitCollector) { self.collector = collector }

    // MARK: Lines

    private mutating func read(_ line: ArraySlice<UInt8>, _ number: Int) throws(MediaError) {
        switch line.first {
        case nil: return
        case UInt8(ascii: "#"): try comment(line.dropFirst(), number)
        case UInt8(ascii: "\""):
            guard let string else { throw collector.fault(number, "there is a string without a keyword") }
            try append(line, to: string, number)
        default: try keyword(line, number)
        }
    }

    private mutating func comment(_ line: ArraySlice<UInt8>, _ number: Int) throws(MediaError) {
        if entry.translation != nil { try endEntry() }
        entry.comments += 1
        guard entry.comments <= TranslationLimits.parts else {
            throw collector.fault(
                number, "there are more than \(TranslationLimits.parts) comments of a text", kind: .limit)
        }
        let text = { (line: ArraySlice<UInt8>) in
            String(decoding: line.first == 0x20 ? line.dropFirst() : line, as: UTF8.self)
        }
        switch line.first.map({ Character(Unicode.Scalar($0)) }) {
        case "~":
            // An obsolete entry; the comments before it are its own.
            if entry.source == nil { entry = Entry() }
        case ".": UnitNotes.add(text(line.dropFirst()), to: &entry.unit)
        case ":":
            // A name with spaces may go on in the next line.
            entry.references += " " + text(line.dropFirst().prefix(TranslationLimits.parts))
        case ",":
            let flags = line.dropFirst().split { [0x20, 0x09, 0x2C].contains($0) }
            if flags.contains(where: { $0.elementsEqual("fuzzy".utf8) }) { entry.unit.isFuzzy = true }
        case "|": try previous(line.dropFirst().drop { $0 <= UInt8(ascii: " ") }, number)
        case "=": break
        default: entry.unit.translatorComments.append(text(line))
        }
    }

    /// Reads what an entry was before its source changed.
    private mutating func previous(_ line: ArraySlice<UInt8>, _ number: Int) throws(MediaError) {
        let (word, rest) = Self.word(line)
        switch word {
        case "": if let string { try append(rest, to: string, number) }
        case "msgctxt": try begin(\.previousContext, rest, number)
        case "msgid": try begin(\.previousSource, rest, number)
        default: string = nil
        }
    }

    private mutating func keyword(_ line: ArraySlice<UInt8>, _ number: Int) throws(MediaError) {
        let (word, rest) = Self.word(line)
        if ["msgctxt", "msgid"].contains(word), entry.translation != nil { try endEntry() }
        if entry.line == 0 { entry.line = number }
        switch word {
        case "msgctxt" where entry.context == nil && entry.source == nil: try begin(\.context, rest, number)
        case "msgid" where entry.source == nil: try begin(\.source, rest, number)
        case "msgstr" where entry.source != nil && entry.translation == nil: try begin(\.translation, rest, number)
        case "msgctxt", "msgid", "msgstr":
            throw collector.fault(number, "'\(word)' is out of place: each text has msgctxt, msgid and msgstr")
        case let plural where plural == "msgid_plural" || plural.hasPrefix("msgstr["):
            throw collector.fault(number, "there are plural forms; texts of stories have none")
        default:
            throw collector.fault(
                number,
                "'\(String(decoding: line.prefix(30), as: UTF8.self))' is neither a comment nor a keyword nor a string")
        }
    }

    /// The keyword at the start of a line, and the rest from its string on.
    private static func word(_ line: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>) {
        let word = line.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
        return (String(decoding: word, as: UTF8.self), line[word.endIndex...].drop { $0 <= UInt8(ascii: " ") })
    }

    // MARK: Strings

    private mutating func begin(
        _ string: WritableKeyPath<Entry, [UInt8]?>, _ line: ArraySlice<UInt8>, _ number: Int
    ) throws(MediaError) {
        self.string = string
        entry[keyPath: string] = []
        try append(line, to: string, number)
    }

    /// Appends a string in quotation marks, with its escapes resolved.
    private mutating func append(
        _ line: ArraySlice<UInt8>, to string: WritableKeyPath<Entry, [UInt8]?>, _ number: Int
    ) throws(MediaError) {
        guard line.count >= 2, line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\"") else {
            throw collector.fault(number, "there is no string between two quotation marks")
        }
        var rest = line.dropFirst().dropLast()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                throw collector.fault(number, "there is a quotation mark in a string", #"write \" for it"#)
            case UInt8(ascii: "\\"):
                guard let escaped = Self.escape(&rest) else {
                    throw collector.fault(
                        number, "there is a backslash that is no escape", #"write \\ for a backslash"#)
                }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        entry[keyPath: string]?.append(contentsOf: bytes)
        guard entry[keyPath: string]?.count ?? 0 <= TranslationLimits.characters * 4 else {
            throw collector.fault(
                entry.line, "a text has more than \(TranslationLimits.characters) characters", kind: .limit)
        }
    }

    /// The byte of an escape, whose backslash has been read: those of C.
    private static func escape(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        func number(_ radix: Int, _ digits: ArraySlice<UInt8>) -> UInt8? {
            rest = rest.dropFirst(digits.count)
            return UInt8(String(decoding: digits, as: UTF8.self), radix: radix)
        }
        func isDigit(_ byte: UInt8, _ radix: Int) -> Bool {
            byte.hexDigit.map { $0 < radix } == true
        }
        guard let byte = rest.first else { return nil }
        if isDigit(byte, 8) { return number(8, rest.prefix(3).prefix { isDigit($0, 8) }) }
        rest.removeFirst()
        if byte == UInt8(ascii: "x") { return number(16, rest.prefix(2).prefix { isDigit($0, 16) }) }
        let escapes: [Character: UInt8] = [
            "n": 10, "t": 9, "r": 13, "\"": 34, "\\": 92, "a": 7, "b": 8, "f": 12, "v": 11,
        ]
        return escapes[Character(Unicode.Scalar(byte))]
    }

    // MARK: Entries

    private mutating func endEntry() throws(MediaError) {
        defer { (entry, string) = (Entry(), nil) }
        guard entry.line > 0 else { return }
        let source = try text(entry.source)
        guard let source, let translation = try text(entry.translation) else {
            throw collector.fault(entry.line, "the text has no \(source == nil ? "msgid" : "msgstr")")
        }
        if entry.context == nil, source.isEmpty {
            if head == nil { head = try POHeader.read(translation, line: entry.line, collector) }
            return
        }
        var unit = entry.unit
        unit.source = source
        unit.translation = translation
        unit.previousSource = try text(entry.previousSource)
        let references = POReference.all(in: entry.references)
        let candidates = try [text(entry.context)].compactMap(\.self) + references
        unit.reference = references.first { $0.contains(":") }
        try collector.add(unit, line: entry.line, candidates: candidates)
    }

    private func text(_ bytes: [UInt8]?) throws(MediaError) -> String? {
        guard let bytes else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw collector.fault(entry.line, "escapes of the text are not UTF-8")
        }
        return text
    }
}

/// The header of PO files: the translation of the empty text, with a field in each line.
enum POHeader {
    static func read(
        _ text: String, line: Int, _ collector: UnitCollector
    ) throws(MediaError) -> UnitCollector.Head {
        var fields: [String: String] = [:]
        for field in text.split(separator: "\n") {
            guard let colon = field.firstIndex(of: ":") else { continue }
            let value = field[field.index(after: colon)...].trimmed()
            fields[field[..<colon].lowercased()] = value.isEmpty ? nil : value
        }
        if let type = fields["content-type"], let range = type.lowercased().firstRange(of: "charset=") {
            let charset = type.lowercased()[range.upperBound...].prefix { $0 != " " && $0 != ";" }
            // The last one is that of templates.
            guard ["", "utf-8", "utf8", "ascii", "us-ascii", "charset"].contains(charset) else {
                throw collector.fault(
                    line, "is said to be in the character set \(charset)", "save it as UTF-8, as by msgconv -t UTF-8")
            }
        }
        return UnitCollector.Head(
            story: fields["x-wayreel-story"],
            sourceLanguage: fields["x-source-language"].map(LanguageTag.ofGettext),
            language: fields["language"].map(LanguageTag.ofGettext), line: line)
    }
}
