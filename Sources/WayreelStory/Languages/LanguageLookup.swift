extension LanguageTag {
    /// Returns the tag in the usual letters, those of RFC 5646, section 2.1.1: `en-gb` as `en-GB`, `ZH-hant` as
    /// `zh-Hant`. What is no tag, or the tag of no language, as `English`, is returned as it is.
    package static func canonical(_ tag: String) -> String {
        isWellFormed(tag) && tag.prefix { $0 != "-" }.count <= 3 ? canonical(form: tag) : tag
    }

    static func canonical(form tag: String) -> String {
        var isAfterSingleton = false
        return tag.split(separator: "-").enumerated().map { index, subtag in
            defer { if subtag.utf8.count == 1 { isAfterSingleton = true } }
            let subtag = subtag.lowercased()
            guard index > 0, !isAfterSingleton else { return subtag }
            return switch subtag.utf8.count {
            case 2: subtag.uppercased()
            case 4: subtag.prefix(1).uppercased() + subtag.dropFirst()
            default: subtag
            }
        }.joined(separator: "-")
    }

    /// The tag and the more general ones behind it, as RFC 4647, section 3.4 shortens them: `de-AT-1996`, `de-AT`, `de`.
    /// None of what is longer than a tag: a request may have thousands of subtags, and each of them would be a text.
    package static func fallbacks(of tag: String) -> [String] {
        guard tag.utf8.count <= maxLength else { return [] }
        var subtags = tag.split(separator: "-", omittingEmptySubsequences: false)
        var tags: [String] = []
        while !subtags.isEmpty {
            tags.append(subtags.joined(separator: "-"))
            subtags.removeLast()
            // A single letter begins something that was removed.
            while subtags.last?.utf8.count == 1 { subtags.removeLast() }
        }
        return tags
    }

    /// Whether two tags are the same, regardless of case.
    static func areSame(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }
}

/// The languages that a reader wants, the best first, as an HTTP header field `Accept-Language` names them.
package struct LanguagePreference: Hashable, Sendable {
    /// The ranges, such as `de-AT`, `de` or `*`.
    package var ranges: [String]
    /// The ranges that the reader does not want, those with the weight 0.
    package var refused: [String] = []

    package init(_ ranges: [String]) { self.ranges = ranges }

    /// The most ranges of a header field that are read; browsers send a dozen at most.
    private static let limit = 100

    /// Reads a field such as `de-AT, de;q=0.9, en;q=0.5` (RFC 9110, section 12.5.4). Of equal weights, the first comes
    /// first. What is neither a range nor a weight is left out.
    package init(acceptLanguage header: String) {
        var weighted: [(range: String, weight: Int)] = []
        for item in header.split(separator: ",").prefix(Self.limit) {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let range = parts.first, range == "*" || LanguageTag.hasSubtags(range) else { continue }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }.map { $0.dropFirst(2) }
            guard let weight = weight.map(Self.thousandths) ?? 1000 else { continue }
            weighted.append((range, weight))
        }
        let order = weighted.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        ranges = order.map(\.element).filter { $0.weight > 0 }.map(\.range)
        refused = weighted.filter { $0.weight == 0 }.map(\.range)
    }

    /// Returns a weight from `0` to `1` with three decimals at most, in thousandths; nil if it is none.
    private static func thousandths(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int($0) }), (0...1).contains(whole), parts[0].utf8.count == 1 else {
            return nil
        }
        let decimals = parts.count > 1 ? parts[1] : ""
        guard decimals.utf8.count <= 3, decimals.utf8.allSatisfy(\.isDigit) else { return nil }
        let weight = whole * 1000 + (Int(decimals + String(repeating: "0", count: 3 - decimals.utf8.count)) ?? 0)
        return weight <= 1000 ? weight : nil
    }

    /// Returns the one of `languages` that suits best; the first of them, the default, if none does.
    ///
    /// It is the lookup of RFC 4647, section 3.4: for `de-AT` there is `de-AT` or `de`. Where a range finds nothing, it
    /// takes the first language of the same primary subtag, so that `pt` finds `pt-BR`, and `de-CH` finds `de-AT`.
    package func best(of languages: [String]) -> String? {
        let wanted = languages.filter { language in
            !refused.contains { range in
                range == "*" && !ranges.contains { LanguageTag.areSame($0, language) } || range.covers(language)
            }
        }
        let known = Dictionary(wanted.map { ($0.lowercased(), $0) }) { first, _ in first }
        for range in ranges where range != "*" {
            let fallbacks = LanguageTag.fallbacks(of: range.lowercased())
            if let found = fallbacks.lazy.compactMap({ known[$0] }).first { return found }
            if let primary = fallbacks.last, let found = wanted.first(where: primary.covers) { return found }
        }
        return wanted.first ?? languages.first
    }
}

extension Element {
    /// The language that the element names, in the usual letters.
    var language: String? { self[attribute: "language"].map { LanguageTag.canonical($0.trimmedSpace) } }
}

extension String {
    /// Whether the range matches a tag (RFC 4647, section 3.3.1): it is the tag, or its beginning up to a hyphen.
    fileprivate func covers(_ tag: String) -> Bool {
        LanguageTag.areSame(self, tag) || tag.lowercased().hasPrefix("\(lowercased())-")
    }
}

extension Story {
    /// Returns the language of the story that suits a reader best who wants one of `tags`, the best first; the story's own
    /// if none does. See ``LanguagePreference/best(of:)``.
    public func language(for tags: [String]) -> String { LanguagePreference(tags).best(of: languages) ?? language }

    /// Returns the language that suits an HTTP header field `Accept-Language` best; the story's own if none does.
    public func language(accepting header: String) -> String {
        LanguagePreference(acceptLanguage: header).best(of: languages) ?? language
    }
}
