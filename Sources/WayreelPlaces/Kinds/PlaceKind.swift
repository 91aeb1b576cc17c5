internal import WayreelDocument

/// A kind of place, such as cafés: the tags of OpenStreetMap that mean it, its symbol, and its names.
///
/// The table is `Places/kinds.json`. Of several kinds that the tags of a place mean, the first one in the table counts.
public struct PlaceKind: Hashable, Sendable, Codable, Identifiable {
    /// `cafe`, `railway_station`
    public var id: String
    /// The symbol, a name in ``icons``.
    public var icon: String
    /// Whether it is looked for often, so that a page offers it without a search.
    public var isFrequent: Bool
    /// Tags such as `amenity=cafe`; `shop=*` stands for all values that no other kind has.
    public var tags: [String]
    /// The name by language: `ar`, `de`, `en`, `es`, `fr` and `pt`.
    public var names: [String: String]

    /// All kinds, in the order of the table.
    public static let all = Table.read.kinds
    /// The symbols by their names: paths of SVG that are drawn as lines, on a grid of 24 × 24.
    public static let icons = Table.read.icons

    /// The kind with an id.
    public static func named(_ id: String) -> PlaceKind? { numbers[id].map { all[$0] } }

    /// The kind that a text means: its id, or its name in any language, accents and case aside.
    public static func meant(by text: String) -> PlaceKind? {
        named(text) ?? numbersOfNames[FoldedText.folded(text)].map { all[$0] }
    }

    /// The name in a language such as `de` or `pt-BR`, else in English.
    public func name(in language: String?) -> String {
        let primary = language.map { String($0.prefix { $0 != "-" }).lowercased() }
        return primary.flatMap { names[$0] } ?? names["en"] ?? id
    }

    // MARK: The table

    private struct Table: Decodable {
        var icons: [String: String] = [:]
        var kinds: [PlaceKind] = []

        /// The table that is built in, which a test reads.
        static let read =
            CanonicalJSON.value(Table.self, from: String(decoding: PackageResources.kinds_json, as: UTF8.self))
            ?? Table()
    }

    private enum CodingKeys: CodingKey {
        case id, icon, isFrequent, tags, names
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        icon = try container.decode(String.self, forKey: .icon)
        isFrequent = try container.decodeIfPresent(Bool.self, forKey: .isFrequent) ?? false
        tags = try container.decode([String].self, forKey: .tags)
        names = try container.decode([String: String].self, forKey: .names)
    }

    /// The numbers of kinds in the table, by their ids.
    static let numbers = Dictionary(all.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }

    private static let numbersOfNames = Dictionary(
        all.enumerated().flatMap { number, kind in kind.names.values.map { (FoldedText.folded($0), number) } }
    ) { first, _ in first }

    /// The numbers by key and value; the value `*` stands for all others.
    private static let numbersOfTags = {
        var numbers: [String: [String: Int]] = [:]
        for (number, kind) in all.enumerated() {
            for tag in kind.tags {
                let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, numbers[parts[0]]?[parts[1]] == nil else { continue }
                numbers[parts[0], default: [:]][parts[1]] = number
            }
        }
        return numbers
    }()

    /// The keys and values of tags that mean a kind; a nil value stands for all others.
    static var tagsOfAll: [(key: String, value: String?)] {
        numbersOfTags.sorted { $0.key < $1.key }.flatMap { key, values in
            values.keys.sorted().map { (key, $0 == "*" ? nil : $0) }
        }
    }

    /// Returns the first kind that tags mean. A value may be several, separated by semicolons.
    static func of(_ tags: [String: String]) -> PlaceKind? {
        var first: Int?
        for (key, values) in numbersOfTags {
            guard let text = tags[key], text != "no" else { continue }
            for value in text.split(separator: ";") {
                guard let number = values[value.trimmingSpaces] ?? values["*"] else { continue }
                first = min(first ?? number, number)
            }
        }
        return first.map { all[$0] }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
