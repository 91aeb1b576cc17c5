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

    /// All properties, in XMP output order.
    static let all: [DescriptiveProperty] = [
        creator,
        notice,
        Self(namespace: .photoshop, name: "Credit", form: .text, dataset: 110, maxBytes: 32, isAttribution: true),
        Self(namespace: .photoshop, name: "Source", form: .text, dataset: 115, maxBytes: 32, isAttribution: true),
        Self(namespace: .xmpRights, name: "Marked", form: .text, isAttribution: true),
        owner,
        Self(namespace: .xmpRights, name: "UsageTerms", form: .alternatives, isAttribution: true),
        Self(namespace: .xmpRights, name: "WebStatement", form: .text, isAttribution: true),
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
