internal import WayreelCore

/// The addresses that links may lead to.
enum LinkAddress {
    static let maxLength = 2000

    /// What they are, for messages.
    static let expectation = "a whole address that begins with \(RichText.schemes.map { "\($0):" }.alternatives)"

    /// Says what is wrong with an address; returns nil if a link may lead to it.
    ///
    /// Browsers take `\` for `/`, and what stands before an `@` for a user: another host than the one that seems to be
    /// named.
    static func fault(_ address: String) -> String? {
        if address.isLonger(than: maxLength) {
            return "it has more than \(maxLength) characters"
        }
        if address.unicodeScalars.contains(where: isRefused) {
            return "it has a space, or another character that no address has; write a space as %20"
        }
        let parts = address.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, RichText.schemes.contains(parts[0].lowercased()), !parts[1].isEmpty else {
            return "a link takes \(expectation)"
        }
        guard parts[0].lowercased().hasPrefix("http") else { return nil }
        let host = parts[1].hasPrefix("//") ? parts[1].dropFirst(2).prefix { !"/?#".contains($0) } : ""
        if host.contains("@") { return "it has a user's name before the '@', which a link may not have" }
        return host.isEmpty ? "it has no host, as in https://example.org" : nil
    }

    /// White space, control characters, those that turn the direction of letters, and those that RFC 3987 excludes and
    /// that have a meaning in texts.
    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: scalar.properties.isWhitespace || "<>\"\\".unicodeScalars.contains(scalar)
        }
    }
}
