package import WayreelCore

/// The rows of a table as in RFC 4180, in UTF-8, whose cells are separated by commas, semicolons or tabs.
package struct CSVRows {
    /// What is wrong with a table, for its author.
    package struct Fault: Error {
        package var line: Int
        package var reason: String
        package var advice: MediaError.Advice?
        package var kind = MediaError.Kind.parameter
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private let maxCells: Int
    private let maxCharacters: Int
    private var index: Int
    /// The line of the next row.
    private var nextLine: Int
    /// The line in which the last row begins, counted from 1.
    package private(set) var line = 0

    /// Reads from an offset, which is that of the second line if it is not 0. A row may have `maxCells`, and a cell
    /// `maxCharacters`.
    package init(_ bytes: [UInt8], from start: Int, separator: UInt8, maxCells: Int, maxCharacters: Int) {
        (self.bytes, self.separator, index) = (bytes, separator, start)
        (self.maxCells, self.maxCharacters) = (maxCells, maxCharacters)
        nextLine = start == 0 ? 1 : 2
    }

    /// The offset of the first row, and its line: Excel takes the separator from a first line that is not part of the
    /// table, `sep=;`.
    package static func start(of bytes: [UInt8]) -> (offset: Int, line: Int) {
        guard bytes.starts(with: "sep=".utf8), let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return (0, 1) }
        return (end + 1, 2)
    }

    package var separatorName: String {
        switch separator {
        case UInt8(ascii: "\t"): "tab"
        case UInt8(ascii: ";"): "semicolon"
        default: "comma"
        }
    }

    /// Returns the cells of the next row; nil at the end.
    package mutating func next() throws(Fault) -> [String]? {
        guard index < bytes.count else { return nil }
        line = nextLine
        var cells: [String] = []
        repeat {
            guard cells.count < maxCells else {
                throw Fault(line: line, reason: "there are more than \(maxCells) cells", kind: .limit)
            }
            cells.append(try cell())
        } while skip(separator)
        _ = skip(UInt8(ascii: "\r"))
        _ = skip(UInt8(ascii: "\n"))
        nextLine += 1
        return cells
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func cell() throws(Fault) -> String {
        let isQuoted = skip(UInt8(ascii: "\""))
        let start = nextLine
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            if !isQuoted, byte == separator || byte == 0x0A || byte == 0x0D { break }
            index += 1
            if isQuoted, byte == UInt8(ascii: "\""), !skip(byte) {
                guard index == bytes.count || [separator, 0x0A, 0x0D].contains(bytes[index]) else {
                    throw Fault(
                        line: nextLine, reason: "there is text after the quotation mark that ends a cell",
                        advice: "write two quotation marks for one in a cell")
                }
                return String(decoding: text, as: UTF8.self)
            }
            if byte == 0x0A { nextLine += 1 }
            text.append(byte)
            guard text.count <= maxCharacters * 4 else {
                throw Fault(line: start, reason: "a cell has more than \(maxCharacters) characters", kind: .limit)
            }
        }
        if isQuoted { throw Fault(line: start, reason: "there is a quotation mark without its partner") }
        return String(decoding: text, as: UTF8.self)
    }
}
