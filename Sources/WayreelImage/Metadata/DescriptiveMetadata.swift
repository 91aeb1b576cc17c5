/// Descriptive texts by property, from any metadata block.
package struct DescriptiveMetadata: Hashable, Sendable {
    /// A trimmed text without characters that XML or EXIF cannot represent.
    package struct Text: Hashable, Sendable {
        let text: String
        /// An RFC 3066 language tag; nil if it is unknown or the property has no languages.
        let language: String?

        /// Returns nil for an empty text.
        init?(_ text: String, language: String? = nil) {
            let scalars = text.unicodeScalars.filter(Self.isAllowed)
            let start = scalars.drop { $0.properties.isWhitespace }
            guard let end = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return nil }
            self.text = String(start[...end])
            self.language = language
        }

        /// Returns whether XML 1.0 allows the character (section 2.2), excluding discouraged control characters.
        private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: true
            case ..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: false
            default: true
            }
        }
    }

    private var texts: [DescriptiveProperty: [Text]] = [:]

    package init() {}

    /// The values of a property; empty if it is absent.
    subscript(property: DescriptiveProperty) -> [Text] {
        get { texts[property] ?? [] }
        set { texts[property] = newValue.isEmpty ? nil : newValue }
    }

    package var isEmpty: Bool { texts.isEmpty }

    /// The properties that have values, in the order of `DescriptiveProperty.all`.
    var properties: [DescriptiveProperty] { DescriptiveProperty.all.filter { texts[$0] != nil } }

    /// The properties that state creator, copyright and usage terms.
    var attribution: Self { filtered(\.isAttribution) }

    /// Returns the properties that `other` lacks.
    func missing(in other: Self) -> Self { filtered { other[$0].isEmpty } }

    func filtered(_ isKept: (DescriptiveProperty) -> Bool) -> Self {
        var kept = self
        kept.texts = texts.filter { isKept($0.key) }
        return kept
    }

    /// Adds properties from `other` that are missing here, and those with the same text in more languages.
    func completed(by other: Self) -> Self {
        var merged = self
        merged.texts.merge(other.texts) { mine, theirs in
            theirs.count > mine.count && theirs.contains { $0.language != nil } && theirs[0].text == mine[0].text
                ? theirs : mine
        }
        return merged
    }
}
