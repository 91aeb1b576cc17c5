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

/// A descriptive property, by XMP name and dataset number in record 2 of IPTC-IIM (IPTC Photo Metadata Standard,
/// appendix on IIM).
package struct DescriptiveProperty: Hashable, Sendable {
    /// The form in which XMP stores the values.
    enum Form: String {
        /// One value.
        case text
        /// One value, written `20150410` in IIM and `2015-04-10` in XMP.
        case date
        /// Values in any order.
        case bag = "Bag"
        /// Values in order.
        case sequence = "Seq"
        /// One value in several languages.
        case alternatives = "Alt"
    }

    let namespace: XMPNamespace
    let name: String
    let form: Form
    /// Number of the IIM dataset; nil if there is none.
    var dataset: UInt8?
    /// Max length of an IIM value in bytes; longer ones are truncated.
    var maxBytes: Int?
    /// Whether it states creator, copyright or usage terms.
    var isAttribution = false

    static let creator = Self(
        namespace: .dc, name: "creator", form: .sequence, dataset: 80, maxBytes: 32, isAttribution: true)
    static let notice = Self(
        namespace: .dc, name: "rights", form: .alternatives, dataset: 116, maxBytes: 128, isAttribution: true)
    static let owner = Self(namespace: .xmpRights, name: "Owner", form: .bag, isAttribution: true)
    static let usageTerms = Self(namespace: .xmpRights, name: "UsageTerms", form: .alternatives, isAttribution: true)
    static let webStatement = Self(namespace: .xmpRights, name: "WebStatement", form: .text, isAttribution: true)

    /// All properties, in XMP output order.
    static let all: [DescriptiveProperty] = [
        creator,
        notice,
        Self(namespace: .photoshop, name: "Credit", form: .text, dataset: 110, maxBytes: 32, isAttribution: true),
        Self(namespace: .photoshop, name: "Source", form: .text, dataset: 115, maxBytes: 32, isAttribution: true),
        Self(namespace: .xmpRights, name: "Marked", form: .text, isAttribution: true),
        owner,
        usageTerms,
        webStatement,
        Self(namespace: .xmpRights, name: "Certificate", form: .text, isAttribution: true),
        Self(namespace: .dc, name: "title", form: .alternatives, dataset: 5),
        Self(namespace: .dc, name: "description", form: .alternatives, dataset: 120),
        Self(namespace: .dc, name: "subject", form: .bag, dataset: 25),
        Self(namespace: .photoshop, name: "Headline", form: .text, dataset: 105),
        Self(namespace: .photoshop, name: "CaptionWriter", form: .text, dataset: 122),
        Self(namespace: .photoshop, name: "AuthorsPosition", form: .text, dataset: 85),
        Self(namespace: .photoshop, name: "DateCreated", form: .date, dataset: 55),
        Self(namespace: .iptcCore, name: "Location", form: .text, dataset: 92),
        Self(namespace: .photoshop, name: "City", form: .text, dataset: 90),
        Self(namespace: .photoshop, name: "State", form: .text, dataset: 95),
        Self(namespace: .photoshop, name: "Country", form: .text, dataset: 101),
        Self(namespace: .iptcCore, name: "CountryCode", form: .text, dataset: 100),
        Self(namespace: .photoshop, name: "Instructions", form: .text, dataset: 40),
        Self(namespace: .photoshop, name: "TransmissionReference", form: .text, dataset: 103),
        Self(namespace: .photoshop, name: "Category", form: .text, dataset: 15),
        Self(namespace: .photoshop, name: "SupplementalCategories", form: .bag, dataset: 20),
        Self(namespace: .photoshop, name: "Urgency", form: .text, dataset: 10),
    ]
}

/// The names in EXIF's field Artist ("Guidelines for Handling Image Metadata", version 2.0, Metadata Working Group,
/// section 5.4): separated by a semicolon and a space; names that contain these are quoted, with doubled inner quotes.
package enum ArtistList {
    private static let separator = "; "

    package static func names(in text: String) -> [String] {
        var names: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            var name = ""
            if rest.first == "\"" { name = quoted(&rest) }
            let end = rest.firstRange(of: separator)
            name += rest[..<(end?.lowerBound ?? rest.endIndex)]
            rest = end.map { rest[$0.upperBound...] } ?? ""
            names.append(name)
        }
        return names
    }

    package static func text(_ names: [String]) -> String {
        names.map { name in
            guard name.hasPrefix("\"") || name.contains(separator) else { return name }
            return "\"" + name.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: separator)
    }

    /// Removes a quoted name from the start of `text`; only the quote if it is unterminated.
    private static func quoted(_ text: inout Substring) -> String {
        var name = ""
        var rest = text.dropFirst()
        while let end = rest.firstIndex(of: "\"") {
            name += rest[..<end]
            rest = rest[end...].dropFirst()
            guard rest.first == "\"" else {
                text = rest
                return name
            }
            name += "\""
            rest = rest.dropFirst()
        }
        text = text.dropFirst()
        return "\""
    }
}
