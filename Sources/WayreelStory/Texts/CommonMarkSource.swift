/// The characters of a text in CommonMark's syntax, as libcmark reads them.
///
/// Two rules are stricter than CommonMark's, for the sake of texts that were not written for it. Stars after a letter
/// or a digit begin no emphasis (`2*3*4`, `Besucher*innen und Künstler*innen`), and nothing defines an address that
/// links refer to: `[1]: Archive` is a paragraph like others, which CommonMark would leave out. For that a sign of
/// punctuation that the text does not have is put after such stars, and between `]` and `:`.
struct CommonMarkSource {
    let bytes: [UInt8]
    /// Why the text is not read, and the line.
    private(set) var fault: (line: Int, message: String)?
    private let sign: Unicode.Scalar?
    /// The offsets at which the lines begin.
    private let lines: [Int]

    static let tooLong = "has more than \(RichText.maxLength) characters"
    static let tooDeep = "has lists, quotes or emphasis in each other, more than \(RichText.maxDepth) deep"

    init(_ text: String) {
        var bytes = Array(text.withLineFeeds.utf8)
        // Marks of CommonMark may take as much as the text.
        guard bytes.count(where: { $0 & 0xC0 != 0x80 }) <= 2 * RichText.maxLength else {
            (self.bytes, lines, sign, fault) = ([], [], nil, (1, Self.tooLong))
            return
        }
        (bytes, sign) = Self.signed(bytes)
        self.bytes = bytes
        lines = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        fault = Self.fault(of: bytes)
    }

    /// Returns the text with the signs that are put into it, and which sign that is.
    private static func signed(_ bytes: [UInt8]) -> ([UInt8], Unicode.Scalar?) {
        guard bytes.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "]") }) else { return (bytes, nil) }
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        let places = places(in: scalars)
        guard !places.isEmpty, let sign = signs.first(where: { !scalars.contains($0) }) else { return (bytes, nil) }
        var result = String.UnicodeScalarView()
        var last = 0
        for place in places {
            result.append(contentsOf: scalars[last..<place])
            result.append(sign)
            last = place
        }
        result.append(contentsOf: scalars[last...])
        return (Array(String(result).utf8), sign)
    }

    /// Signs of old scripts.
    private static let signs: [Unicode.Scalar] = ["\u{2CFE}", "\u{1039F}", "\u{10857}", "\u{10A7F}", "\u{12470}"]

    /// Returns the text without the signs that were put into it.
    func plain(_ text: String) -> String {
        guard let sign, text.unicodeScalars.contains(sign) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != sign }))
    }

    /// Returns a line, counted from 1, from a column on, without white space at its end.
    func rest(ofLine line: Int, from column: Int) -> String {
        guard lines.indices.contains(line - 1) else { return "" }
        let end = lines.indices.contains(line) ? lines[line] : bytes.count
        let start = min(max(lines[line - 1], lines[line - 1] + column - 1), end)
        return plain(String(decoding: bytes[start..<end], as: UTF8.self)).trimmedSpace
    }

    /// The indices before which a sign is put.
    private static func places(in scalars: [Unicode.Scalar]) -> [Int] {
        var places: [Int] = []
        var index = 0
        while index < scalars.count {
            let start = index
            index += 1
            if scalars[start] == "*" {
                while index < scalars.count, scalars[index] == "*" { index += 1 }
                guard start > 0, index < scalars.count, scalars[start - 1].isOfWord, scalars[index].isOfWord else {
                    continue
                }
                places.append(index)
            } else if scalars[start] == "]", index < scalars.count, scalars[index] == ":" {
                places.append(index)
            }
        }
        return places
    }

    // MARK: Limits

    /// What libcmark would take long for: its time grows with the depth of lists times the number of lines, and with the
    /// square of the number of images.
    private static func fault(of bytes: [UInt8]) -> (line: Int, message: String)? {
        var images = 0
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if isTooDeep(line) { return (index + 1, tooDeep) }
            images += zip(line, line.dropFirst()).count { $0 == UInt8(ascii: "!") && $1 == UInt8(ascii: "[") }
            if images > 1000 { return (index + 1, "has more than 1000 images") }
        }
        return nil
    }

    /// Whether a line begins with more marks of lists and quotes than may be in each other, or has one far to the right.
    private static func isTooDeep(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count > maxDepth else { return false }
        func isSpace(_ index: Int) -> Bool { index >= line.endIndex || line[index] == 0x20 || line[index] == 0x09 }
        // A line across the page, `- - -`, is no list.
        var tail = line.endIndex
        while tail > line.startIndex, isSpace(tail - 1) { tail -= 1 }
        let last = tail > line.startIndex ? line[tail - 1] : 0
        while tail > line.startIndex, isSpace(tail - 1) || line[tail - 1] == last { tail -= 1 }
        let isBreak = "-*".utf8.contains(last) && line[tail...].count { $0 == last } > 2
        var (index, count) = (line.startIndex, 0)
        while index < (isBreak ? tail : line.endIndex) {
            if isSpace(index) {
                index += 1
                continue
            }
            let digits = line[index...].prefix(9).prefix { (0x30...0x39).contains($0) }.count
            let mark = index + digits < line.endIndex ? line[index + digits] : 0
            guard
                digits == 0 && mark == UInt8(ascii: ">")
                    || (digits == 0 ? "-+*" : ".)").utf8.contains(mark) && isSpace(index + digits + 1)
            else { return false }
            index += digits + 1
            count += 1
            if count > maxDepth || index - line.startIndex > 10 * maxDepth { return true }
        }
        return false
    }

    private static let maxDepth = RichText.maxDepth
}

extension Unicode.Scalar {
    /// Whether it is part of a word or a number: a letter, a mark on one, or a digit.
    var isOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
