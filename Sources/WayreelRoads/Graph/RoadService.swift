internal import WayreelEngine
internal import WayreelGround
public import WayreelStory

/// What a traveller stops for.
public enum RoadServiceKind: String, Hashable, Sendable, Codable, CaseIterable {
    case gas, charging, food, lodging

    /// The one table of what is which kind.
    static let tags: [(kind: RoadServiceKind, key: String, value: String)] = [
        (.gas, "amenity", "fuel"),
        (.charging, "amenity", "charging_station"),
        (.food, "amenity", "restaurant"),
        (.food, "amenity", "fast_food"),
        (.food, "amenity", "cafe"),
        (.food, "amenity", "pub"),
        (.food, "amenity", "biergarten"),
        (.food, "amenity", "food_court"),
        (.food, "amenity", "ice_cream"),
        (.lodging, "tourism", "hotel"),
        (.lodging, "tourism", "motel"),
        (.lodging, "tourism", "guest_house"),
        (.lodging, "tourism", "hostel"),
        (.lodging, "tourism", "apartment"),
        (.lodging, "tourism", "camp_site"),
        (.lodging, "tourism", "caravan_site"),
    ]
}

/// A place at which travellers stop.
public struct RoadService: Hashable, Sendable, Codable {
    public var kind: RoadServiceKind
    /// The value of the tag: `fuel`, `fast_food`, `hotel`.
    public var type: String
    public var name: String?
    /// The chain that it belongs to.
    public var brand: String?
    public var position: GeoPoint
    /// As OpenStreetMap writes them: `Mo-Fr 06:00-22:00`.
    public var openingHours: String?
    public var phone: String?

    /// A polygon stands for the middle of the box around it.
    init?(_ object: GroundExtract.Object, _ tags: RoadTags) {
        guard let row = RoadServiceKind.tags.first(where: { tags[$0.key] == $0.value }) else { return nil }
        let points = object.spots.joined()
        guard let west = points.map(\.longitude).min(), let east = points.map(\.longitude).max(),
            let south = points.map(\.latitude).min(), let north = points.map(\.latitude).max()
        else { return nil }
        (kind, type, name) = (row.kind, row.value, tags["name"])
        brand = tags["brand"] ?? (row.kind == .gas ? tags["operator"] : nil)
        openingHours = tags["opening_hours"]
        phone = tags["phone"] ?? tags["contact:phone"]
        position = GeoPoint(
            latitude: (Double(south) + Double(north)) / 2e7, longitude: (Double(west) + Double(east)) / 2e7)
    }

    /// Returns whether the brand or the name has the words of a chain; case, accents, spaces and punctuation aside.
    public func isOf(chain: String) -> Bool {
        let wanted = chain.asAnswer
        return !wanted.isEmpty && [brand, name].contains { $0?.asAnswer.contains(wanted) ?? false }
    }
}
