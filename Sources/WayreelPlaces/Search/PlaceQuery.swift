public import WayreelStory

/// What is looked for.
public struct PlaceQuery: Hashable, Sendable {
    /// Beginnings of words of the name, the kind or the keywords, in any order; accents and case do not matter. An empty
    /// text finds all places.
    public var text: String
    /// Ids of ``PlaceKind``; an empty set means all.
    public var kinds: Set<String>
    /// Where the searcher is: the nearest place comes first.
    public var position: GeoPoint
    /// How far away places may be, in metres; nil for any distance.
    public var radius: Double?
    /// How many places to return, 1 to ``maxLimit``.
    public var limit: Int

    public static let maxLimit = 1000
    /// The longest text that is looked for, in characters; the rest is ignored.
    public static let maxText = 200

    public init(
        _ text: String = "", kinds: Set<String> = [], near position: GeoPoint, radius: Double? = nil, limit: Int = 20
    ) {
        self.text = text
        self.kinds = kinds
        self.position = position
        self.radius = radius
        self.limit = limit
    }
}

/// A place that was found.
public struct FoundPlace: Hashable, Sendable, Codable {
    public var place: Place
    /// The length of the shortest path to it, in metres.
    public var distance: Double
    /// The direction of that path at its start, degrees clockwise from true north, 0 ..< 360.
    public var bearing: Double
}
