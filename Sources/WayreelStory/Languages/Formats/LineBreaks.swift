/// Breaks the strings of PO files into lines where the tools of gettext do, in most texts: by the rules of UAX #14 for
/// the characters below.
enum LineBreaks {
    /// The columns of a line, with its quotation marks.
    static let columns = 79

    /// Returns the lines of a string without quotation marks, whose characters are escaped; the first one begins after
    /// `start` columns. Joined, they are the string. A part without opportunities may be longer than a line.
    static func lines(of text: String, columns: Int, after start: Int = 0) -> [Substring] {
        let room = columns - 2
        // Most texts are short, and a column has at least one byte.
        if start + text.utf8.count <= room { return [text[...]] }
        var lines: [Substring] = []
        let scalars = text.unicodeScalars
        var (lineStart, opportunity) = (text.startIndex, text.startIndex)
        // Columns from the start of the line to the last opportunity, and from there on.
        var (before, since) = (start, 0)
        var (last, hasSpace, isEscaped): (Class?, Bool, Bool) = (nil, false, false)
        for index in scalars.indices {
            let scalar = scalars[index]
            let kind = isEscaped ? .alphabetic : Class(scalar)
            if let last, kind != .space, kind != .attached, !isEscaped, last.breaks(before: kind, hasSpace) {
                (opportunity, before, since) = (index, before + since, 0)
            }
            since += scalar.columns
            if before + since > room, opportunity > lineStart {
                lines.append(text[lineStart..<opportunity])
                (lineStart, before) = (opportunity, 0)
            }
            isEscaped = !isEscaped && scalar == "\\"
            if kind == .space { hasSpace = true }
            if kind != .space, kind != .attached { (last, hasSpace) = (kind, false) }
        }
        return lines + [text[lineStart...]]
    }

    /// The classes of UAX #14 that are told apart.
    private enum Class {
        case alphabetic, attached, breakAfter, closing, closingParenthesis, dash, exclamation, glue, hyphen, ideograph
        case infix, inseparable, number, opening, postfix, prefix, quotation, slash, space, zeroWidthSpace

        init(_ scalar: Unicode.Scalar) {
            switch scalar {
            case " ": self = .space
            case "0"..."9": self = .number
            case "\"", "'", "«", "»", "\u{2018}", "\u{2019}", "\u{201B}"..."\u{201D}", "\u{201F}", "‹", "›":
                self = .quotation
            case "-": self = .hyphen
            case "/": self = .slash
            case "!", "?": self = .exclamation
            case ",", ".", ":", ";": self = .infix
            case "(", "[", "{", "¡", "¿", "\u{201A}", "\u{201E}", "〈", "《", "「", "『", "【", "（": self = .opening
            case ")", "]": self = .closingParenthesis
            case "}", "、", "。", "〉", "》", "」", "』", "】", "）", "，": self = .closing
            case "$", "+", "\\", "£", "¥", "€": self = .prefix
            case "%", "°", "‰": self = .postfix
            case "|", "\t", "\u{2010}", "\u{2012}", "\u{2013}", "ー", "々": self = .breakAfter
            case "\u{2014}": self = .dash
            case "\u{2026}": self = .inseparable
            case "\u{A0}", "\u{202F}", "\u{2011}", "\u{2060}", "\u{FEFF}": self = .glue
            case "\u{200B}": self = .zeroWidthSpace
            case ..<"\u{300}": self = .alphabetic
            case _ where scalar.columns == 0: self = .attached
            case _ where scalar.columns == 2: self = .ideograph
            default: self = .alphabetic
            }
        }

        /// Whether a line may end after this class and, if there are any, spaces.
        func breaks(before next: Class, _ hasSpace: Bool) -> Bool {
            switch (self, next) {
            case (.zeroWidthSpace, _): true
            case (_, .closing), (_, .closingParenthesis), (_, .exclamation), (_, .infix), (_, .slash), (.opening, _),
                (.quotation, .opening):
                false
            case _ where hasSpace: true
            case (.glue, _), (_, .glue), (.quotation, _), (_, .quotation), (_, .hyphen), (_, .breakAfter),
                (_, .zeroWidthSpace), (.hyphen, .number), (.slash, .number), (.ideograph, .postfix),
                (.prefix, .ideograph), (.alphabetic, .inseparable), (.number, .inseparable), (.ideograph, .inseparable),
                (.exclamation, .inseparable), (.inseparable, .inseparable):
                false
            case (.hyphen, _), (.slash, _), (.breakAfter, _), (.dash, _), (_, .dash), (.ideograph, _), (_, .ideograph),
                (.inseparable, _), (.exclamation, _), (_, .inseparable):
                true
            case (.closing, .postfix), (.closing, .prefix): false
            case (.closing, _), (.closingParenthesis, .opening), (.infix, .opening), (.infix, .prefix),
                (.infix, .postfix), (.infix, .alphabetic):
                true
            default: false
            }
        }
    }
}

extension Unicode.Scalar {
    /// The columns that terminals give the character.
    fileprivate var columns: Int {
        switch value {
        case ..<0x300: 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            2
        default:
            switch properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: 0
            default: 1
            }
        }
    }
}
