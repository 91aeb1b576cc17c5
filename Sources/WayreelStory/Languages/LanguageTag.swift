/// Tags of languages (BCP 47).
package enum LanguageTag {
    /// Whether a tag has the form of RFC 5646, section 2.1, and no extension twice (section 2.2.9). Whether its subtags
    /// are registered is not checked.
    package static func isWellFormed(_ tag: String) -> Bool {
        let tag = tag.lowercased()
        if irregular.contains(tag) { return true }
        var rest = tag.split(separator: "-", omittingEmptySubsequences: false)[...]
        guard hasSubtags(tag) else { return false }
        if rest.first == "x" { return rest.count > 1 }
        guard let language = rest.popFirst(), isLetters(language, 2...8) else { return false }
        if language.utf8.count <= 3 {
            for _ in 0..<3 where rest.first.map({ isLetters($0, 3...3) }) == true { rest.removeFirst() }
        }
        if let script = rest.first, isLetters(script, 4...4) { rest.removeFirst() }
        if let region = rest.first, isLetters(region, 2...2) || isDigits(region, 3) { rest.removeFirst() }
        while let variant = rest.first,
            variant.utf8.count >= 5 || variant.utf8.count == 4 && isDigits(variant.prefix(1), 1)
        {
            rest.removeFirst()
        }
        var singletons: Set<Substring> = []
        while let singleton = rest.popFirst() {
            guard singleton.utf8.count == 1, let next = rest.first else { return false }
            if singleton == "x" { return true }
            guard singletons.insert(singleton).inserted, next.utf8.count > 1 else { return false }
            rest = rest.drop { $0.utf8.count > 1 }
        }
        return true
    }

    /// The most characters of a tag.
    static let maxLength = 100

    /// Whether a text consists of what tags and ranges of them do: 1 to 8 letters and digits between hyphens.
    static func hasSubtags(_ text: String) -> Bool {
        text.utf8.count <= maxLength && text.isOfParts(separatedBy: UInt8(ascii: "-"), 8)
    }

    /// The same as a regular expression of XML Schema and of JSON Schema, without the comparison of extensions.
    static let pattern: String = {
        let language = "([A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})"
        let scriptAndRegion = "(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
        let variants = "(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*"
        let extensions = "(-[0-9A-WY-Za-wy-z](-[A-Za-z0-9]{2,8})+)*"
        let privateUse = "[Xx](-[A-Za-z0-9]{1,8})+"
        let others = irregular.map { canonical(form: $0) }.sorted()
        return ([language + scriptAndRegion + variants + extensions + "(-\(privateUse))?", privateUse] + others)
            .joined(separator: "|")
    }()

    /// The tag that gettext calls `de_AT`, `sr@latin` or `pt_BR.UTF-8`; see the manual of GNU gettext, section
    /// "Locale Names".
    static func ofGettext(_ name: String) -> String {
        let parts = name.split(separator: "@", maxSplits: 1)
        let locale = (parts.first ?? "").prefix { $0 != "." }.replacing("_", with: "-")
        guard parts.count == 2 else { return String(locale) }
        let subtags = locale.split(separator: "-", maxSplits: 1)
        let script = ["latin": "Latn", "cyrillic": "Cyrl"][parts[1].lowercased()] ?? String(parts[1])
        return ([subtags.first.map(String.init) ?? "", script] + subtags.dropFirst().map(String.init))
            .joined(separator: "-")
    }

    /// Whether a tag is one of those that were registered before RFC 4646 and have another form.
    static func isOfOldForm(_ tag: String) -> Bool { irregular.contains(tag.lowercased()) }

    /// The tags that were registered before RFC 4646 and have another form.
    private static let irregular: Set<String> = [
        "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux", "i-mingo", "i-navajo",
        "i-pwn", "i-tao", "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl", "sgn-ch-de",
    ]

    private static func isLetters(_ subtag: Substring, _ count: ClosedRange<Int>) -> Bool {
        count.contains(subtag.utf8.count) && subtag.utf8.allSatisfy(\.isLetter)
    }

    private static func isDigits(_ subtag: Substring, _ count: Int) -> Bool {
        subtag.utf8.count == count && subtag.utf8.allSatisfy(\.isDigit)
    }
}
