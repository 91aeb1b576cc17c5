internal import CLibMD
internal import WayreelCore
internal import WayreelDocument

/// What tells whether the source of a translation has changed: the first 12 hexadecimal digits of a SHA-256.
///
/// It is that of the UTF-8 of a plain text or path, of the canonical JSON of a rich text (RFC 8785), which is the text
/// itself if it has no markup, and of the items of a list, joined by line feeds.
enum SourceHash {
    static let digits = 12

    /// The hash of no source: that of a translation that somebody has doubts about, though its source is today's.
    static let none = String(repeating: "0", count: digits)

    static func of(_ value: Translation.Value) -> String {
        let bytes =
            switch value {
            case .plain(let text): Array(text.utf8)
            // Blocks contain only texts and whole numbers, which can always be encoded.
            case .rich(let text): text.lines.map { Array($0.utf8) } ?? (try? CanonicalJSON.bytes(text.blocks)) ?? []
            case .list(let texts): Array(texts.joined(separator: "\n").utf8)
            }
        // 64 hexadecimal digits and a NUL.
        var digest = [CChar](repeating: 0, count: 65)
        // By libmd, because the program `wayreel` is linked without swift-crypto, so that it starts fast.
        SHA256Data(bytes, bytes.count, &digest)
        return String(String(cMessage: digest).prefix(digits))
    }
}
