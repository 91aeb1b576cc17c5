internal import Foundation

extension String {
    /// The text without the differences that are ignored in answers: case, accents, width, spaces, punctuation and
    /// symbols.
    ///
    /// It is Unicode's compatibility decomposition (NFKD) in lower case, without the accents of Latin, Greek,
    /// Cyrillic, Hebrew and Arabic. Marks that make another letter, as in Japanese and Hindi, stay. A text that
    /// consists only of punctuation keeps it, so that "?" can be an answer.
    package var asAnswer: String {
        // Case folding may undo the decomposition, and decomposition may undo case folding, as with İ.
        let folded = decomposedStringWithCompatibilityMapping.lowercased().decomposedStringWithCompatibilityMapping
        let spaceless = folded.unicodeScalars.filter { !$0.properties.isWhitespace && !$0.isMarkOrControl }
        let letters = spaceless.filter { !$0.isPunctuation }
        let kept = (letters.isEmpty ? spaceless : letters)
        return String(String.UnicodeScalarView(kept)).replacing("ß", with: "ss").replacing("ς", with: "σ")
    }
}

extension Unicode.Scalar {
    /// Combining Diacritical Marks with their extensions and supplements, and Hebrew and Arabic points.
    private static let accents: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x483...0x487, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670...0x670, 0x1AB0...0x1AFF,
        0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]

    fileprivate var isMarkOrControl: Bool {
        switch properties.generalCategory {
        case .control, .format: true
        default: Self.accents.contains { $0.contains(value) }
        }
    }

    fileprivate var isPunctuation: Bool {
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .modifierSymbol, .modifierLetter, .otherSymbol:
            true
        default: false
        }
    }
}
