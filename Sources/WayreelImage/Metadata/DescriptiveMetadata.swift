/// Texts about an image, by property, whatever block of metadata they came from.
package struct DescriptiveMetadata: Hashable, Sendable {
    /// A value without space around it and without characters that XML or EXIF cannot hold.
    package struct Text: Hashable, Sendable {
        let text: String
        /// A language tag of RFC 3066; nil where the block does not tell, or the property has no languages.
        let language: String?

        /// nil where nothing is left.
        init?(_ text: String, language: String? = nil) {
            let scalars = text.unicodeScalars.filter(Self.isAllowed)
            let start = scalars.drop { $0.properties.isWhitespace }
            guard let end = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return nil }
            self.text = String(start[...end])
            self.language = language
        }

        /// Whether XML 1.0 has it (section 2.2); controls that it discourages are left out as well.
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

    /// The values of a property; none where it is not told.
    subscript(property: DescriptiveProperty) -> [Text] {
        get { texts[property] ?? [] }
        set { texts[property] = newValue.isEmpty ? nil : newValue }
    }

    package var isEmpty: Bool { texts.isEmpty }

    /// The properties that have values, in the order of `DescriptiveProperty.all`.
    var properties: [DescriptiveProperty] { DescriptiveProperty.all.filter { texts[$0] != nil } }

    /// The part that says who made the image, whom it belongs to, and on what terms it may be used.
    var attribution: Self { filtered(\.isAttribution) }

    /// The properties that `other` does not tell.
    func missing(in other: Self) -> Self { filtered { other[$0].isEmpty } }

    func filtered(_ isKept: (DescriptiveProperty) -> Bool) -> Self {
        var kept = self
        kept.texts = texts.filter { isKept($0.key) }
        return kept
    }

    /// Takes from `other` the properties that are not told here, and those whose text it has in more languages.
    func completed(by other: Self) -> Self {
        var merged = self
        merged.texts.merge(other.texts) { mine, theirs in
            theirs.count > mine.count && theirs.contains { $0.language != nil } && theirs[0].text == mine[0].text
                ? theirs : mine
        }
        return merged
    }
}
