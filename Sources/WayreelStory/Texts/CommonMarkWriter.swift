extension RichText {
    /// The text in CommonMark's syntax: ``parse(commonMark:remark:)`` returns its one form again.
    package var commonMark: String { commonMark { _ in true } }

    /// The same, with characters that may not be `written` as their numbers.
    func commonMark(_ isWritten: @escaping (Unicode.Scalar) -> Bool) -> String {
        CommonMarkWriter(isWritten: isWritten).lines(of: normalized.blocks).joined(separator: "\n")
    }
}

/// Writes texts in their one form in CommonMark's syntax, with as few `\` as there may be: what libcmark writes has one
/// before each `!` and `#`, comments of HTML between lists, and emphasis side by side that is read as other emphasis.
private struct CommonMarkWriter {
    let isWritten: (Unicode.Scalar) -> Bool

    func lines(of blocks: [RichText.Block]) -> [String] {
        var lines: [String] = []
        /// What follows the numbers of the list before: a numbered list beside another has the other mark.
        var mark: Character?
        for block in blocks {
            if !lines.isEmpty { lines.append("") }
            switch block {
            case .paragraph(let parts): lines.append(PhraseWriter.text(parts, isWritten))
            case .quote(let blocks): lines += self.lines(of: blocks).map { $0.isEmpty ? ">" : "> \($0)" }
            case .list(nil, let items): lines += items.flatMap { item($0, "-") }
            case .list(let start?, let items):
                mark = mark == "." ? ")" : "."
                let sign = String(mark ?? ".")
                lines += items.enumerated().flatMap { item($1, "\(start &+ $0)\(sign)") }
                continue
            }
            mark = nil
        }
        return lines
    }

    /// The lines of an item: all but the first are indented by the width of its mark.
    private func item(_ blocks: [RichText.Block], _ mark: String) -> [String] {
        let indent = String(repeating: " ", count: mark.utf8.count + 1)
        let lines = lines(of: blocks)
        guard let first = lines.first else { return [mark] }
        return ["\(mark) \(first)"] + lines.dropFirst().map { $0.isEmpty ? "" : indent + $0 }
    }
}

/// Writes the content of a paragraph in one line.
///
/// Emphasis is `_words_` and strong emphasis `**words**`, so that marks side by side are not read as one. Such a mark
/// begins or ends something only if it stands at punctuation or white space: a letter outside of it is written by its
/// number otherwise, as is white space inside.
private struct PhraseWriter {
    private enum Token {
        case scalar(Unicode.Scalar)
        /// The beginning or the end of emphasis.
        case opening(isStrong: Bool), closing(isStrong: Bool)
        case linkStart
        case linkEnd(address: String)
        /// `<https://example.org>`.
        case address(String)
    }

    private let isWritten: (Unicode.Scalar) -> Bool
    private var tokens: [Token] = []
    private var result = String.UnicodeScalarView()

    private init(_ isWritten: @escaping (Unicode.Scalar) -> Bool) { self.isWritten = isWritten }

    static func text(_ parts: [RichText.Inline], _ isWritten: @escaping (Unicode.Scalar) -> Bool) -> String {
        var writer = PhraseWriter(isWritten)
        writer.add(parts)
        writer.write()
        return String(writer.result)
    }

    private mutating func add(_ parts: [RichText.Inline]) {
        for part in parts {
            switch part {
            case .text(let text): tokens += text.unicodeScalars.map { .scalar($0) }
            case .emphasis(let parts), .strong(let parts):
                let isStrong = if case .strong = part { true } else { false }
                tokens.append(.opening(isStrong: isStrong))
                add(parts)
                tokens.append(.closing(isStrong: isStrong))
            case .link(let address, let parts):
                // libcmark decodes references of HTML in such addresses, and knows no escapes there.
                if parts == [.text(address)], !address.contains("&"), address.unicodeScalars.allSatisfy(isWritten),
                    LinkAddress.fault(address) == nil
                {
                    tokens.append(.address(address))
                } else {
                    tokens.append(.linkStart)
                    add(parts)
                    tokens.append(.linkEnd(address: address))
                }
            }
        }
    }

    // MARK: Writing

    private mutating func write() {
        var (isInLink, isInStrong) = (false, false)
        for index in tokens.indices {
            switch tokens[index] {
            case .scalar(let scalar):
                if isEncoded(index) {
                    put("&#\(scalar.value);")
                } else {
                    if isEscaped(scalar, index, isInLink: isInLink, isInStrong: isInStrong) { put("\\") }
                    result.append(scalar)
                }
            case .opening(let isStrong), .closing(let isStrong):
                put(isStrong ? "**" : "_")
                if isStrong { isInStrong.toggle() }
            case .linkStart:
                put("[")
                isInLink = true
            case .linkEnd(let address):
                put("](\(escaped(address)))")
                isInLink = false
            case .address(let address): put("<\(address)>")
            }
        }
    }

    private mutating func put(_ text: String) { result.append(contentsOf: text.unicodeScalars) }

    private func scalar(_ index: Int) -> Unicode.Scalar? {
        guard tokens.indices.contains(index), case .scalar(let scalar) = tokens[index] else { return nil }
        return scalar
    }

    /// Whether a character is written by its number.
    private func isEncoded(_ index: Int) -> Bool {
        guard let scalar = scalar(index) else { return false }
        if scalar.value < 0x20 || !isWritten(scalar) { return true }
        if tokens.indices.contains(index + 1) {
            switch tokens[index + 1] {
            case .opening: if !scalar.isSpace, !scalar.isPunctuation { return true }
            case .closing: if scalar.isSpace { return true }
            default: break
            }
        }
        guard index > 0 else { return false }
        switch tokens[index - 1] {
        case .opening: return scalar.isSpace
        case .closing(let isStrong):
            if scalar.isSpace || scalar.isPunctuation { return false }
            // `**Museum**s`: see CommonMarkSource.
            return !(isStrong && scalar.isOfWord && isPlainWord(index - 2))
        default: return false
        }
    }

    private func isLinkStart(_ index: Int) -> Bool {
        guard tokens.indices.contains(index), case .linkStart = tokens[index] else { return false }
        return true
    }

    /// Whether there is a letter or a digit that is written as it is.
    private func isPlainWord(_ index: Int) -> Bool {
        guard let scalar = scalar(index), scalar.isOfWord, isWritten(scalar) else { return false }
        for neighbour in [index - 1, index + 1] where tokens.indices.contains(neighbour) {
            switch tokens[neighbour] {
            case .opening where neighbour > index, .closing where neighbour < index: return false
            default: break
            }
        }
        return true
    }

    /// Whether a character would have a meaning without a `\`.
    private func isEscaped(_ scalar: Unicode.Scalar, _ index: Int, isInLink: Bool, isInStrong: Bool) -> Bool {
        let next = self.scalar(index + 1)
        let isLast = index + 1 == tokens.count
        if index == 0, isMarkOfBlock(scalar) { return true }
        switch scalar {
        case "`": return true
        case "\\": return next.map { $0.isASCII && $0.isPunctuation || isEncoded(index + 1) } ?? true
        case "*": return isInStrong || !isPlainWord(index - 1) || !isPlainWord(index + 1)
        case "_": return !isPlainWord(index - 1) || !isPlainWord(index + 1)
        case "[": return isInLink
        case "]":
            return isInLink || next == "(" || next == "[" || isLinkStart(index + 1)
                || next == ":" && self.scalar(0) == "["
        case "!": return next == "[" || isLinkStart(index + 1)
        case "<": return next.map { $0.isASCIILetter || "/!?".unicodeScalars.contains($0) } ?? false
        case "&":
            return Self.isReference(
                tokens[(index + 1)...].lazy.map { if case .scalar(let scalar) = $0 { scalar } else { " " } })
        case ".", ")":
            // The number of an item at the beginning.
            return (1...9).contains(index) && (0..<index).allSatisfy { self.scalar($0)?.isASCIIDigit == true }
                && (isLast || next == " ")
        default: return false
        }
    }

    /// Whether the first character of a paragraph would begin another block.
    private func isMarkOfBlock(_ scalar: Unicode.Scalar) -> Bool {
        let next = self.scalar(1)
        let isAlone = tokens.count == 1 || next == " "
        switch scalar {
        case ">": return true
        case "-": return isAlone || next == "-"
        case "+": return isAlone
        case "~": return next == "~"
        case "#":
            let level = (0..<7).prefix { self.scalar($0) == "#" }.count
            return level < 7 && (tokens.count == level || self.scalar(level) == " ")
        default: return false
        }
    }

    /// An address between `(` and `)`, in which libcmark decodes references before it removes escapes.
    private func escaped(_ address: String) -> String {
        let scalars = address.unicodeScalars
        var result = String.UnicodeScalarView()
        for index in scalars.indices {
            if !isWritten(scalars[index]) {
                result.append(contentsOf: "&#\(scalars[index].value);".unicodeScalars)
                continue
            }
            if "()\\<>".unicodeScalars.contains(scalars[index]) { result.append("\\") }
            result.append(scalars[index])
            if scalars[index] == "&", Self.isReference(scalars[index...].dropFirst()) {
                result.append(contentsOf: "amp;".unicodeScalars)
            }
        }
        return String(result)
    }

    /// Whether an `&` before these characters begins a reference of HTML, as in `&nbsp;`.
    private static func isReference(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        var isEmpty = true
        for scalar in scalars.prefix(40) {
            if scalar == ";" { return !isEmpty }
            guard scalar.isASCIILetter || scalar.isASCIIDigit || scalar == "#" else { return false }
            isEmpty = false
        }
        return false
    }
}

extension Unicode.Scalar {
    /// White space beside which a mark of emphasis begins or ends nothing: that of Unicode's category Zs, and of lines.
    fileprivate var isSpace: Bool {
        [0x09, 0x0A, 0x0C, 0x0D].contains(value) || properties.generalCategory == .spaceSeparator
    }

    /// Punctuation of Unicode 7, which libcmark knows, and all signs of ASCII.
    fileprivate var isPunctuation: Bool {
        if isASCII { return (0x21...0x7E).contains(value) && !isASCIILetter && !isASCIIDigit }
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return (properties.age?.major ?? .max) < 8
        default: return false
        }
    }

    fileprivate var isASCIILetter: Bool { (0x61...0x7A).contains(value | 0x20) }
    fileprivate var isASCIIDigit: Bool { (0x30...0x39).contains(value) }
}
