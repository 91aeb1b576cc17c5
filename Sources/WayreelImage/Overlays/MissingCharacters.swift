internal import WayreelCore

/// Warnings about characters missing from all installed fonts.
enum MissingCharacters {
    /// Names up to eight of `characters`, and the Debian package with a font for the first one.
    static func warning(_ characters: [Unicode.Scalar]) -> String {
        let named = characters.prefix(8).map(name).joined(separator: ", ")
        let more = characters.count > 8 ? " and \(characters.count - 8) more" : ""
        return "no installed font has \(named)\(more); left blank; the package \(package(for: characters[0])) may help"
    }

    /// `U+4E2D`.
    private static func name(_ character: Unicode.Scalar) -> String {
        "U+" + String(character.value, paddedTo: 4, radix: 16, uppercase: true)
    }

    private static func package(for character: Unicode.Scalar) -> String {
        if character.properties.isEmojiPresentation { return "fonts-noto-color-emoji" }
        return packages.first { $0.block.contains(character.value) }?.package ?? "fonts-noto-core"
    }

    /// Packages by Unicode block; `fonts-noto-core` covers most other scripts.
    private static let packages: [(block: ClosedRange<UInt32>, package: String)] = [
        (0x1100...0x11FF, "fonts-noto-cjk"),  // Hangul Jamo
        (0x2E80...0xA4CF, "fonts-noto-cjk"),  // CJK radicals to Yi
        (0xA960...0xA97F, "fonts-noto-cjk"),  // Hangul Jamo Extended-A
        (0xAC00...0xD7FF, "fonts-noto-cjk"),  // Hangul
        (0xF900...0xFAFF, "fonts-noto-cjk"),  // CJK Compatibility Ideographs
        (0xFE30...0xFE4F, "fonts-noto-cjk"),  // CJK Compatibility Forms
        (0xFF00...0xFFEF, "fonts-noto-cjk"),  // Halfwidth and Fullwidth Forms
        (0x1F000...0x1FAFF, "fonts-noto-color-emoji"),
        (0x20000...0x323AF, "fonts-noto-cjk-extra"),  // CJK Extensions B to H
    ]
}
