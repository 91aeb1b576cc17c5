internal import WayreelDocument
public import WayreelCore

/// A format of translators' files.
public enum TranslationFormat: String, Sendable, CaseIterable {
    /// GNU gettext's PO.
    case po
    /// XLIFF 1.2.
    case xliff
    /// XLIFF 2.0.
    case xliff2
    /// A table with commas between its cells (RFC 4180), with which spreadsheets work.
    case csv
    /// The same table with tabs between its cells.
    case tsv

    /// Determines the format to write by the extension of a path: `.po`, `.xlf` and `.xliff` (1.2), `.csv` or `.tsv`.
    public init?(path: String) {
        switch path.fileExtension?.lowercased() {
        case "po": self = .po
        case "xlf", "xliff": self = .xliff
        case "csv": self = .csv
        case "tsv": self = .tsv
        default: return nil
        }
    }
}

extension TranslationFile {
    /// Returns the file in a format. The same units give the same bytes.
    ///
    /// Reading it gives the same units. In XML, characters that it does not allow are U+FFFD.
    public func bytes(as format: TranslationFormat) -> [UInt8] {
        switch format {
        case .po: Array(POWriter.text(of: self).utf8)
        case .xliff: Array(XLIFFWriter(version: .one).text(of: self).utf8)
        case .xliff2: Array(XLIFFWriter(version: .two).text(of: self).utf8)
        case .csv: TranslationTable.bytes(of: self, separator: UInt8(ascii: ","))
        case .tsv: TranslationTable.bytes(of: self, separator: UInt8(ascii: "\t"))
        }
    }

    /// Reads the file at `path`; see ``read(_:name:story:sourceLanguage:language:)``.
    ///
    /// Throws also an `io` error if the file cannot be read.
    public static func read(
        path: String, story: String, sourceLanguage: String, language: String? = nil
    ) throws(MediaError) -> TranslationFile {
        try RegularFile.require(path)
        if let count = (try? FileStatus(path))?.byteCount { try requireSize(count, name: path) }
        let bytes = try MediaBytes.read(path: path, limit: TranslationLimits.bytes).array
        return try read(bytes, name: path, story: story, sourceLanguage: sourceLanguage, language: language)
    }

    /// The most bytes that a file may have.
    package static let maxBytes = TranslationLimits.bytes

    private static func requireSize(_ count: Int, name: String) throws(MediaError) {
        guard count > maxBytes else { return }
        throw MediaError(
            .limit, code: .tooManyBytes, step: .story, subject: name,
            reason: "\(count) bytes are more than a file of translations may have, \(maxBytes)",
            advice: "make several files of it: texts that a file does not have stay as they are")
    }

    /// Reads a file with translations of a story: PO, XLIFF 1.0 to 2.1, or a table with commas, semicolons or tabs.
    ///
    /// Which it is, is determined by its content and by the extension of `name`, which is also its name in errors.
    /// It may be UTF-8, or UTF-16 with a byte order mark. What tools of translators have lost, and does not say which
    /// text it is, is missing in the units. A file that says neither its story nor its languages counts as one of `story`,
    /// `sourceLanguage` and `language`.
    ///
    /// Texts have line feeds as line ends. A translation of no characters counts as none.
    ///
    /// Throws a `parameter` error with file and line if the file is none of these, or damaged, if it is of another story
    /// or another language, if it does not say a language and `language` is nil, or if a text has no key or two
    /// translations. Throws a `limit` error if it has more than 16 MB, 100,000 texts, 1,000,000 lines of notes and
    /// comments, or 100,000 characters in a text.
    public static func read(
        _ bytes: [UInt8], name: String, story: String, sourceLanguage: String, language: String? = nil
    ) throws(MediaError) -> TranslationFile {
        try requireSize(bytes.count, name: name)
        let collector = UnitCollector(name: name, story: story, sourceLanguage: sourceLanguage, language: language)
        var bytes = XMLEncoding.utf8(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let ending = name.fileExtension?.lowercased() ?? ""
        guard let first = bytes.first(where: { $0 > UInt8(ascii: " ") }) else {
            throw collector.fault(0, "there is nothing in it")
        }
        if first == UInt8(ascii: "<") { return try XLIFFReader.read(bytes, into: collector) }
        if ["xlf", "xliff"].contains(ending) { throw collector.fault(1, "is not XML, which XLIFF is") }
        try collector.requireText(bytes)
        let isTable = ["csv", "tsv", "txt"].contains(ending)
        if !isTable, ["po", "pot"].contains(ending) || bytes.firstRange(of: Array("msgid ".utf8)) != nil {
            return try POReader.read(bytes, into: collector)
        }
        return try TranslationTable.read(bytes, into: collector)
    }
}

/// The limits for translators' files.
enum TranslationLimits {
    /// What is made of a file takes several times its size.
    static let bytes = 16 << 20
    static let units = 100_000
    /// The maximum number of lines of notes and comments in a file, each of which takes 16 bytes if it is empty.
    static let comments = 1_000_000
    /// The maximum number of characters in a text.
    static let characters = 100_000
    /// The maximum number of comments, references and segments of a unit, and of cells in a row.
    static let parts = 10_000
}
