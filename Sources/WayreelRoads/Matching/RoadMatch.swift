internal import WayreelCore
public import WayreelEngine
public import WayreelStory

/// A road as a traveller knows it.
public struct RoadName: Hashable, Sendable, Codable {
    /// The number on signs: `A 9`, or `US 127;I 496` where roads run along each other.
    public var ref: String?
    public var name: String?
    public var roadClass: RoadClass
    /// Whether it is a ramp between roads.
    public var isRamp: Bool

    enum CodingKeys: String, CodingKey {
        case ref, name, isRamp
        case roadClass = "class"
    }
}

/// A fix, and where on which road it was measured.
public struct RoadMatch: Hashable, Sendable, Codable {
    /// Why a fix has no road.
    public enum Unused: String, Hashable, Sendable, Codable, CaseIterable {
        /// Receivers begin with an old position.
        case first
        /// Its time is not after that of the fix before, or a value is none.
        case invalid
        /// No road is near.
        case offRoad
        /// Nobody comes there in the time from the last fix.
        case jump
    }

    public var timestamp: Timestamp
    /// Where it was measured.
    public var fix: GeoPoint
    /// The nearest point of the road; nil if the fix is not used, like all that follow.
    public var position: GeoPoint?
    /// The metres between the two.
    public var distance: Double?
    public var road: RoadName?
    /// The id of the way in OpenStreetMap.
    public var way: Int64?
    /// Whether the way is travelled in the direction in which it was drawn.
    public var isForward: Bool?
    /// The direction of the road where the traveller is, in degrees clockwise from north.
    public var bearing: Double?
    public var unused: Unused?

    /// Where it is in the graph.
    var place: RoadGraph.Place?

    enum CodingKeys: CodingKey {
        case timestamp, fix, position, distance, road, way, isForward, bearing, unused
    }

    init(_ fix: Fix, unused: Unused) {
        (timestamp, self.fix, self.unused) = (fix.timestamp, fix.position, unused)
    }

    init(_ fix: Fix, at place: RoadGraph.Place, distance: Double, in graph: RoadGraph) {
        (timestamp, self.fix, self.place) = (fix.timestamp, fix.position, place)
        let (point, bearing) = graph.point(on: place.arc, at: place.offset)
        let (latitude, longitude) = (point.latitude.rounded(places: 7), point.longitude.rounded(places: 7))
        position = GeoPoint(latitude: latitude, longitude: longitude)
        (self.bearing, self.distance) = (bearing.rounded(places: 1), distance.rounded(places: 1))
        let road = graph.road(place.arc)
        (self.road, way, isForward) = (graph.name(of: road), road.id, !place.arc.isReverse)
    }
}

extension RoadGraph {
    /// A point of an arc, `offset` metres from its start.
    struct Place: Hashable, Sendable {
        var arc: Arc
        var offset: Double
    }

    func name(of road: Road) -> RoadName {
        RoadName(ref: text(road.ref), name: text(road.name), roadClass: road.roadClass, isRamp: road.isLink)
    }
}
