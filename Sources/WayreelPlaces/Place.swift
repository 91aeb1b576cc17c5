public import WayreelStory

/// A place that can be searched: a café, a museum, a bus stop.
public struct Place: Hashable, Sendable, Codable, Identifiable {
    /// `node/240109189`, `way/5013364`, `relation/1` of OpenStreetMap; otherwise the id of the source, or the number of
    /// the place in it, counted from 1.
    public var id: String
    /// The name as it is written there; nil for a place without one, such as a bench.
    public var name: String?
    /// Names in languages: `de`, `en`.
    public var names: [String: String]
    /// The id of a ``PlaceKind``; nil if it is of none.
    public var kind: String?
    /// In WGS 84: of an area, a point within it.
    public var position: GeoPoint
    /// Other words to find it by: earlier and short names, its brand, its cuisine.
    public var keywords: [String]
    /// `Obere Landstraße 10, 3500 Krems an der Donau`
    public var address: String?
    public var phone: String?
    /// An address that begins with `http://` or `https://`.
    public var website: String?
    /// In the format of OpenStreetMap's `opening_hours`, as ``OpeningHours`` reads it.
    public var openingHours: String?

    public init(
        id: String, name: String? = nil, names: [String: String] = [:], kind: String? = nil, position: GeoPoint,
        keywords: [String] = [], address: String? = nil, phone: String? = nil, website: String? = nil,
        openingHours: String? = nil
    ) {
        self.id = id
        self.name = name
        self.names = names
        self.kind = kind
        self.position = position
        self.keywords = keywords
        self.address = address
        self.phone = phone
        self.website = website
        self.openingHours = openingHours
    }

    /// The name in a language such as `de` or `pt-BR`, else as it is written there, else that of the kind.
    public func title(in language: String?) -> String {
        let local = language.flatMap { names[$0] ?? names[String($0.prefix { $0 != "-" })] }
        return local ?? name ?? kind.flatMap { PlaceKind.named($0)?.name(in: language) } ?? id
    }

    // MARK: JSON

    private enum CodingKeys: CodingKey {
        case id, name, names, kind, position, keywords, address, phone, website, openingHours
    }

    /// What is missing or empty is not written.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(name, forKey: .name)
        if !names.isEmpty { try container.encode(names, forKey: .names) }
        try container.encodeIfPresent(kind, forKey: .kind)
        try container.encode(position, forKey: .position)
        if !keywords.isEmpty { try container.encode(keywords, forKey: .keywords) }
        try container.encodeIfPresent(address, forKey: .address)
        try container.encodeIfPresent(phone, forKey: .phone)
        try container.encodeIfPresent(website, forKey: .website)
        try container.encodeIfPresent(openingHours, forKey: .openingHours)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        names = try container.decodeIfPresent([String: String].self, forKey: .names) ?? [:]
        kind = try container.decodeIfPresent(String.self, forKey: .kind)
        position = try container.decode(GeoPoint.self, forKey: .position)
        keywords = try container.decodeIfPresent([String].self, forKey: .keywords) ?? []
        address = try container.decodeIfPresent(String.self, forKey: .address)
        phone = try container.decodeIfPresent(String.self, forKey: .phone)
        website = try container.decodeIfPresent(String.self, forKey: .website)
        openingHours = try container.decodeIfPresent(String.self, forKey: .openingHours)
    }
}
