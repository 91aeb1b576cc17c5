internal import Foundation

/// Texts without accents and case, and their words: what a search compares. The web player's `item-index.js` has the
/// same rules.
enum FoldedText {
    /// Returns a text without accents and case, the same for all languages.
    ///
    /// It is Unicode's compatibility decomposition (NFKD) without the accents of Latin, Greek and Cyrillic letters and the
    /// vowels and signs of Hebrew and Arabic ones, in lower case, with some letters that are looked for as others.
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var plain = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars where !isMark(scalar.value) {
            plain.append(scalar)
        }
        var folded = String.UnicodeScalarView()
        // Lower case brings marks back, as that of İ.
        for scalar in String(plain).lowercased().unicodeScalars {
            if let others = letters[scalar] {
                folded.append(contentsOf: others.unicodeScalars)
            } else {
                folded.append(scalar)
            }
        }
        return String(folded).precomposedStringWithCanonicalMapping
    }

    /// Returns the folded words of a text: runs of letters and digits, and, of scripts that do not separate words by
    /// spaces, runs of these.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var isRunContinuous = false
        func end() {
            if !word.isEmpty { words.append(String(word)) }
            word = String.UnicodeScalarView()
        }
        for scalar in folded(text).unicodeScalars {
            // A mark, or the sign that lengthens a vowel, belongs to what it follows.
            let follows = !word.isEmpty && (isRunContinuous && scalar == "ー" || isCombining(scalar))
            if follows {
                word.append(scalar)
            } else if isContinuous(scalar) {
                if !isRunContinuous { end() }
                isRunContinuous = true
                word.append(scalar)
            } else if isLetter(scalar) {
                if isRunContinuous { end() }
                isRunContinuous = false
                word.append(scalar)
            } else {
                end()
            }
        }
        end()
        return words
    }

    /// Whether a word is of a script without spaces: it is looked for anywhere in a text.
    static func isContinuous(_ word: String) -> Bool { word.unicodeScalars.contains(where: isContinuous) }

    /// Letters that are not others with marks, but are looked for as these.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t",
        "ı": "i", "ς": "σ", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": "",
    ]

    private static let marks: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670...0x670, 0x6D6...0x6ED,
    ]

    private static func isMark(_ value: UInt32) -> Bool { value >= 0x300 && marks.contains { $0.contains(value) } }

    /// The blocks of Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer and Myanmar.
    private static let continuous: [ClosedRange<UInt32>] = [
        0xE01...0xE3A, 0xE40...0xE4E, 0xE80...0xEDF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17D3,
        0x2E80...0x2FD5, 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3041...0x3096, 0x309D...0x309F,
        0x30A1...0x30FA, 0x30FD...0x30FF, 0x3131...0x318E, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA960...0xA97C, 0xA9E0...0xA9FE, 0xAA60...0xAA7F, 0xAC00...0xD7FB, 0xF900...0xFAFF, 0x20000...0x323AF,
    ]

    private static func isContinuous(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0xE01 && continuous.contains { $0.contains(scalar.value) }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: isCombining(scalar)
        }
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
