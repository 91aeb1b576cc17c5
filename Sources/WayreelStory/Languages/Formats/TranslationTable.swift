internal import WayreelCore
internal import WayreelDocument

/// Translations as a table for spreadsheets: RFC 4180 in UTF-8, with a byte order mark, by which Excel knows it.
enum TranslationTable {
    private enum Column: String, CaseIterable {
        case key, place = "where", source, translation, state, hash, reference, previous = "previous source", comment
    }

    // MARK: Writing

    static func bytes(of file: TranslationFile, separator: UInt8) -> [UInt8] {
        var bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
        func write(_ row: [String]) {
            for (index, cell) in row.enumerated() {
                if index > 0 { bytes.append(separator) }
                bytes += SpreadsheetCell.written(cell).utf8
            }
            bytes += "\r\n".utf8
        }
        // In parentheses, what the whole file is about.
        write(
            Column.allCases.map { column in
                switch column {
                case .key: "key (\(file.story))"
                case .source: "source (\(file.sourceLanguage))"
                case .translation: "translation (\(file.language))"
                default: column.rawValue
                }
            })
        for unit in file.units {
            write(Column.allCases.map { value(of: $0, in: unit) })
        }
        return bytes
    }

    private static func value(of column: Column, in unit: TranslationFile.Unit) -> String {
        switch column {
        case .key: unit.key
        case .place: UnitNotes.lines(of: unit, withHash: false).joined(separator: "\n")
        case .source: unit.source
        case .translation: unit.translation ?? ""
        case .state:
            unit.translation == nil ? "untranslated" : unit.isFuzzy ? TranslationState.needsReview : "translated"
        case .hash: unit.hash ?? ""
        case .reference: unit.reference ?? ""
        case .previous: unit.previousSource ?? ""
        case .comment: unit.translatorComments.joined(separator: "\n")
        }
    }

    // MARK: Reading

    static func read(_ bytes: [UInt8], into collector: UnitCollector) throws(MediaError) -> TranslationFile {
        var collector = collector
        var (rows, names) = try header(of: bytes, collector)
        var head = UnitCollector.Head()
        head.line = rows.line
        var columns: [Column: Int] = [:]
        for (index, name) in names.enumerated() {
            let (column, argument) = parts(of: name)
            guard let column else { continue }
            guard columns.updateValue(index, forKey: column) == nil else {
                throw collector.fault(rows.line, "there are two columns '\(column.rawValue)'", "remove one of them")
            }
            switch column {
            case .key: head.story = argument
            case .source: head.sourceLanguage = argument
            case .translation: head.language = argument
            default: break
            }
        }
        while let row = try rows.next(collector) {
            guard row.contains(where: { !$0.isEmpty }) else { continue }
            guard row.count <= names.count || row[names.count...].allSatisfy(\.isEmpty) else {
                throw collector.fault(
                    rows.line, "there are \(row.count) cells in the row, and \(names.count) in the first one",
                    "put quotation marks around cells with a \(rows.separatorName)")
            }
            func cell(_ column: Column) -> String {
                columns[column].flatMap { $0 < row.count ? row[$0] : nil } ?? ""
            }
            var unit = TranslationFile.Unit(key: "", source: cell(.source), translation: cell(.translation))
            UnitNotes.add(linesOf: cell(.place), to: &unit)
            if !cell(.hash).isEmpty { unit.hash = cell(.hash) }
            let state = TranslationState.name(cell(.state))
            guard TranslationState.fuzzy.contains(state) || TranslationState.current.contains(state) else {
                throw collector.fault(
                    rows.line, "'\(cell(.state))' is not a state",
                    "write 'translated', 'untranslated' or '\(TranslationState.needsReview)'")
            }
            unit.isFuzzy = TranslationState.fuzzy.contains(state)
            if !cell(.reference).isEmpty { unit.reference = cell(.reference) }
            if !cell(.previous).isEmpty { unit.previousSource = cell(.previous) }
            if !cell(.comment).isEmpty { unit.translatorComments = UnitNotes.lines(in: cell(.comment)) }
            try collector.add(unit, line: rows.line, candidates: cell(.key).isEmpty ? [] : [cell(.key)])
        }
        return try collector.file(head)
    }

    /// Reads the first row. Its cells are separated by tabs, semicolons or commas: by whichever give the columns that
    /// are needed.
    private static func header(
        of bytes: [UInt8], _ collector: UnitCollector
    ) throws(MediaError) -> (TableRows, [String]) {
        let (start, firstLine) = CSVRows.start(of: bytes)
        for separator in "\t;,".utf8 {
            var rows = TableRows(bytes, from: start, separator: separator)
            // With another separator, quotation marks may be out of place.
            guard let names = try? rows.next(collector) else { continue }
            let columns = names.map { parts(of: $0).column }
            if columns.contains(.key), columns.contains(.translation) { return (rows, names) }
        }
        throw collector.fault(
            firstLine, "the first row does not name the columns 'key' and 'translation'",
            "translate a file that Wayreel has written; files of other formats end in .po or .xlf")
    }

    /// The column and what is in parentheses of the name `translation (de)`.
    private static func parts(of name: String) -> (column: Column?, argument: String?) {
        let parts = name.split(separator: "(", maxSplits: 1)
        let column = Column(rawValue: (parts.first ?? "").trimmed().lowercased())
        let argument = parts.count == 2 ? parts[1].prefix { $0 != ")" }.trimmed() : ""
        return (column, argument.isEmpty ? nil : argument)
    }
}

/// The rows of a translators' table: cells without the apostrophes that keep spreadsheets from calculating.
private struct TableRows {
    private var rows: CSVRows

    init(_ bytes: [UInt8], from start: Int, separator: UInt8) {
        rows = CSVRows(
            bytes, from: start, separator: separator, maxCells: TranslationLimits.parts,
            maxCharacters: TranslationLimits.characters)
    }

    var line: Int { rows.line }
    var separatorName: String { rows.separatorName }

    /// Returns the cells of the next row; nil at the end.
    mutating func next(_ collector: UnitCollector) throws(MediaError) -> [String]? {
        do throws(CSVRows.Fault) { return try rows.next()?.map(SpreadsheetCell.read) } catch {
            throw collector.fault(error.line, error.reason, error.advice, kind: error.kind)
        }
    }
}

/// Texts as cells that spreadsheets neither calculate nor take for numbers or dates.
///
/// Excel and LibreOffice calculate a cell that begins with `=`, `+`, `-` or `@`, also between quotation marks, so that a
/// text of somebody else could run a program. They change `007`, `1/2`, `12345e678901` and `May 2026`. An apostrophe before
/// such a text, which both keep, prevents it; LibreOffice drops a tab.
enum SpreadsheetCell {
    /// The cell of a text, in quotation marks if it needs them in a table with any separator.
    static func written(_ text: String) -> String {
        let cell = isCalculated(text) ? "'\(text)" : text
        let needsQuotes =
            cell.utf8.first == UInt8(ascii: " ") || cell.utf8.last == UInt8(ascii: " ")
            || cell.utf8.contains { [0x09, 0x0A, 0x0D, 0x22, 0x2C, 0x3B].contains($0) }
        guard needsQuotes else { return cell }
        // A quotation mark with an accent is one character.
        return cell.unicodeScalars.reduce(into: "\"") { text, scalar in
            text.unicodeScalars.append(scalar)
            if scalar == "\"" { text += "\"" }
        } + "\""
    }

    /// The text of a cell, without its quotation marks.
    static func read(_ cell: String) -> String {
        cell.utf8.first == UInt8(ascii: "'") && isCalculated(cell) ? String(cell.unicodeScalars.dropFirst()) : cell
    }

    /// Whether a spreadsheet would calculate or convert the text without the apostrophes before it.
    private static func isCalculated(_ text: String) -> Bool {
        let scalars = text.unicodeScalars.drop { $0 == "'" }
        // Full-width characters count as well where Japanese is written.
        if let first = scalars.first, "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first) {
            return true
        }
        guard scalars.prefix(33).count < 33 else { return false }
        // A number, amount or time, or a date such as "5 May": its digits are not followed by a letter, but that of an
        // exponent.
        let number = scalars.drop { " (.$€£¥".unicodeScalars.contains($0) }
        if number.first.map(isDigit) == true {
            let next = number.first { !isDigit($0) }
            return next == "e" || next == "E" || next?.properties.isAlphabetic != true
        }
        // A date such as "May 2026".
        let end = scalars.drop(while: \.properties.isAlphabetic)
        let digits = end.drop { " .-/".unicodeScalars.contains($0) }
        return digits.count < end.count && digits.first.map(isDigit) == true
            && !digits.contains(where: \.properties.isAlphabetic)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar)
    }
}
