internal import Glibc
public import WayreelStory

/// The events around a player, for views: which are near, in which direction they are, and which to load next.
///
///     let surroundings = Surroundings(of: story.chapters)
///     for sighting in surroundings.nearest(5, to: fix.position, found: journal, heading: 20) {
///         print(sighting.event, sighting.distance, sighting.turn ?? 0, sighting.fade)
///     }
///
/// Places are prepared once. Each query scans all events approximately, and measures only those that it returns.
public struct Surroundings: Sendable {
    /// An event as seen by a player.
    public struct Sighting: Hashable, Sendable, Codable {
        public var event: String
        public var chapter: String
        /// The distance to the event's position in metres.
        public var distance: Double
        /// The direction in degrees clockwise from true north, 0 ..< 360.
        public var bearing: Double
        /// The direction in degrees relative to the player's heading, -180 ..< 180, positive clockwise, for an arrow.
        /// nil without a heading.
        public var turn: Double?
        /// The visibility of the event, 0 to 1; see ``Surroundings/fade(distance:radius:range:)``.
        public var fade: Double
    }

    /// A chapter with events that are not found yet.
    public struct ChapterSighting: Hashable, Sendable, Codable {
        public var chapter: String
        /// The distance to the nearest of those events in metres.
        public var distance: Double
        /// The direction in degrees clockwise from true north, 0 ..< 360.
        public var bearing: Double
        /// The number of events that are not found yet.
        public var remaining: Int
    }

    private struct Place {
        var event: String
        var chapter: Int
        var radius: Double
        var position: GeoPoint
        var vector: EarthVector
    }

    private let chapterIDs: [String]
    private let places: [Place]

    public init(of chapters: [Chapter]) {
        chapterIDs = chapters.map(\.id)
        places = chapters.enumerated().flatMap { index, chapter in
            chapter.events.map { event in
                Place(
                    event: event.id, chapter: index, radius: event.activation.radius, position: event.position,
                    vector: EarthVector(event.position))
            }
        }
    }

    /// Returns up to `count` events that are not found, nearest first. `range`: the distance in metres at which they
    /// are completely faded.
    public func nearest(
        _ count: Int, to position: GeoPoint, found: Set<String> = [], heading: Double? = nil, range: Double = 500
    ) -> [Sighting] {
        best(count, from: position, heading, range, without: found) { distance, _, _ in distance }
    }

    /// Returns up to `count` events that are not found and are farther than `radius` metres away, nearest first. An
    /// arrow at the edge of the view points to each, see ``Sighting/turn``.
    public func arrows(
        _ count: Int, beyond radius: Double, from position: GeoPoint, heading: Double, found: Set<String> = [],
        range: Double = 500
    ) -> [Sighting] {
        best(count, from: position, heading, range, without: found) { distance, _, _ in
            distance > radius ? distance : nil
        }
    }

    /// Returns up to `count` events that are not found, in the order in which to load their media: lowest cost first.
    ///
    /// The cost is (distance − radius) · (2 − cos a), at least 0, with a the angle between the course and the
    /// direction to the event: an event behind has the cost of one three times as far ahead. Without a course, the
    /// cost is the distance from the circle.
    public func prefetchOrder(
        _ count: Int, from position: GeoPoint, course: Double? = nil, found: Set<String> = []
    ) -> [Sighting] {
        best(count, from: position, course, 500, without: found) { distance, bearing, radius in
            let turn = course.map { 2 - cos((bearing - $0) * .pi / 180) } ?? 1
            return max(0, distance - radius) * turn
        }
    }

    /// Returns the chapters that have events left, by the distance to the nearest of these.
    public func chapters(from position: GeoPoint, found: Set<String> = []) -> [ChapterSighting] {
        var remaining = chapterIDs.map { _ in 0 }
        for place in places where !found.contains(place.event) { remaining[place.chapter] += 1 }
        let nearest = chapterIDs.indices.compactMap { index -> ChapterSighting? in
            guard remaining[index] > 0 else { return nil }
            let first = best(1, from: position, nil, 500, of: index, without: found) { distance, _, _ in distance }
                .first
            return first.map {
                ChapterSighting(
                    chapter: chapterIDs[index], distance: $0.distance, bearing: $0.bearing, remaining: remaining[index])
            }
        }
        return nearest.sorted { ($0.distance, $0.chapter) < ($1.distance, $1.chapter) }
    }

    /// Returns the visibility of an event: 1 within its circle, 0 from `range` metres on, and linear in the distance
    /// between them: (range − distance) / (range − radius).
    public static func fade(distance: Double, radius: Double, range: Double) -> Double {
        if distance <= radius { return 1 }
        return distance < range ? (range - distance) / (range - radius) : 0
    }

    // MARK: Selection

    /// Returns the events of the lowest cost. `cost` is a function of distance, bearing and radius; nil excludes an
    /// event.
    ///
    /// Costs are first estimated to within 1 % of their values, from straight lines through the Earth.
    private func best(
        _ count: Int, from position: GeoPoint, _ heading: Double?, _ range: Double, of chapter: Int? = nil,
        without found: Set<String>, cost: (Double, Double, Double) -> Double?
    ) -> [Sighting] {
        guard count > 0 else { return [] }
        let frame = LocalFrame(at: position)
        var rough: [(cost: Double, index: Int)] = []
        var lowest = LowestNumbers(count)
        for (index, place) in places.enumerated() where chapter == nil || place.chapter == chapter {
            let (distance, bearing) = frame.distanceAndBearing(to: place.vector)
            // The actual cost is between these two; the lower one may be nil.
            guard let highest = cost(distance * 1.01 + 0.01, bearing, place.radius) else { continue }
            let least = cost(distance * 0.99 - 0.01, bearing, place.radius)
            guard (least ?? 0) <= lowest.limit, !found.contains(place.event) else { continue }
            rough.append((least ?? 0, index))
            if least != nil { lowest.insert(highest) }
        }
        let candidates = rough.filter { $0.cost <= lowest.limit }
        let measured = candidates.compactMap { candidate -> (cost: Double, sighting: Sighting)? in
            let place = places[candidate.index]
            let line = position.geodesic(to: place.position)
            guard let value = cost(line.distance, line.bearing, place.radius) else { return nil }
            let sighting = Sighting(
                event: place.event, chapter: chapterIDs[place.chapter], distance: line.distance, bearing: line.bearing,
                turn: heading.map { (line.bearing - $0).asTurn },
                fade: Self.fade(distance: line.distance, radius: place.radius, range: range))
            return (value, sighting)
        }
        let sorted = measured.sorted {
            ($0.cost, $0.sighting.distance, $0.sighting.event) < ($1.cost, $1.sighting.distance, $1.sighting.event)
        }
        return sorted.prefix(count).map(\.sighting)
    }
}

/// The lowest of many numbers, in ascending order.
private struct LowestNumbers {
    private let count: Int
    private var numbers: [Double] = []

    init(_ count: Int) { self.count = count }

    /// The limit above which a number is not among the lowest.
    var limit: Double { numbers.count < count ? .infinity : numbers[count - 1] }

    mutating func insert(_ number: Double) {
        guard number < limit else { return }
        let index = numbers.firstIndex { $0 > number } ?? numbers.count
        numbers.insert(number, at: index)
        if numbers.count > count { numbers.removeLast() }
    }
}

/// A point on the WGS 84 ellipsoid, in metres from the centre of the Earth.
private struct EarthVector {
    var x: Double
    var y: Double
    var z: Double

    init(_ point: GeoPoint) {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        let radius = WGS84.primeVerticalRadius(sineOfLatitude: sin(latitude))
        x = radius * cos(latitude) * cos(longitude)
        y = radius * cos(latitude) * sin(longitude)
        z = radius * (1 - WGS84.eccentricitySquared) * sin(latitude)
    }
}

/// The east and north directions at a position.
private struct LocalFrame {
    private let origin: EarthVector
    private let east: (Double, Double)
    private let north: (Double, Double, Double)

    init(at point: GeoPoint) {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        origin = EarthVector(point)
        east = (-sin(longitude), cos(longitude))
        north = (-sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude), cos(latitude))
    }

    /// Returns the distance along the Earth in metres, within 1 %, and the bearing.
    func distanceAndBearing(to point: EarthVector) -> (distance: Double, bearing: Double) {
        let (x, y, z) = (point.x - origin.x, point.y - origin.y, point.z - origin.z)
        let chord = (x * x + y * y + z * z).squareRoot()
        let diameter = 2 * 6_371_008.8
        let bearing = atan2(east.0 * x + east.1 * y, north.0 * x + north.1 * y + north.2 * z) * 180 / .pi
        return (diameter * asin(min(1, chord / diameter)), bearing)
    }
}
