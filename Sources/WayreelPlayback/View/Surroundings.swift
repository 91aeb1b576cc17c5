internal import Glibc
public import WayreelStory

/// The events about a player, for a view to show: which are near, where they are, what to load next.
///
///     let surroundings = Surroundings(of: story.chapters)
///     for sighting in surroundings.nearest(5, to: fix.position, found: journal, heading: 20) {
///         print(sighting.event, sighting.distance, sighting.turn ?? 0, sighting.fade)
///     }
///
/// Places are prepared once; each question looks at all events roughly, and measures only those that it answers with.
public struct Surroundings: Sendable {
    /// An event as seen from a player.
    public struct Sighting: Hashable, Sendable, Codable {
        public var event: String
        public var chapter: String
        /// Metres to the event's position.
        public var distance: Double
        /// Degrees clockwise from true north, 0 ..< 360.
        public var bearing: Double
        /// Degrees from where the player looks, -180 ..< 180, clockwise where positive: where an arrow points. nil without a heading.
        public var turn: Double?
        /// How clearly it is shown, 0 to 1; see ``Surroundings/fade(distance:radius:range:)``.
        public var fade: Double
    }

    /// A chapter with events that were not found yet.
    public struct ChapterSighting: Hashable, Sendable, Codable {
        public var chapter: String
        /// Metres to the nearest of those events.
        public var distance: Double
        /// Degrees clockwise from true north, 0 ..< 360.
        public var bearing: Double
        /// How many are left.
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

    /// Up to `count` events that were not found, the nearest first. `range`: metres at which they have faded away.
    public func nearest(
        _ count: Int, to position: GeoPoint, found: Set<String> = [], heading: Double? = nil, range: Double = 500
    ) -> [Sighting] {
        best(count, from: position, heading, range, among: { !found.contains($0) }) { distance, _, _ in distance }
    }

    /// Up to `count` events that were not found and are farther than `radius` metres away, the nearest first: an arrow at the edge of the
    /// view points to each, see ``Sighting/turn``.
    public func arrows(
        _ count: Int, beyond radius: Double, from position: GeoPoint, heading: Double, found: Set<String> = [],
        range: Double = 500
    ) -> [Sighting] {
        best(count, from: position, heading, range, among: { !found.contains($0) }) { distance, _, _ in
            distance > radius ? distance : nil
        }
    }

    /// Up to `count` events that were not found, in the order in which their media are best loaded: the lowest cost first.
    ///
    /// The cost is (distance − radius) · (2 − cos a), at least 0, with a the angle between the course and the direction to the event: what
    /// is behind is loaded as late as what is three times as far ahead. Without a course it is the distance from the circle.
    public func prefetchOrder(
        _ count: Int, from position: GeoPoint, course: Double? = nil, found: Set<String> = []
    ) -> [Sighting] {
        best(count, from: position, course, 500, among: { !found.contains($0) }) { distance, bearing, radius in
            let turn = course.map { 2 - cos((bearing - $0) * .pi / 180) } ?? 1
            return max(0, distance - radius) * turn
        }
    }

    /// The chapters that have events left, by the distance to the nearest of these.
    public func chapters(from position: GeoPoint, found: Set<String> = []) -> [ChapterSighting] {
        var remaining = chapterIDs.map { _ in 0 }
        for place in places where !found.contains(place.event) { remaining[place.chapter] += 1 }
        let nearest = chapterIDs.indices.compactMap { index -> ChapterSighting? in
            guard remaining[index] > 0 else { return nil }
            let first = best(
                1, from: position, nil, 500, of: index, among: { !found.contains($0) }
            ) { distance, _, _ in distance }.first
            return first.map {
                ChapterSighting(
                    chapter: chapterIDs[index], distance: $0.distance, bearing: $0.bearing, remaining: remaining[index])
            }
        }
        return nearest.sorted { ($0.distance, $0.chapter) < ($1.distance, $1.chapter) }
    }

    /// How clearly an event is shown: 1 within its circle, 0 from `range` metres on, and linear in the distance between them:
    /// (range − distance) / (range − radius).
    public static func fade(distance: Double, radius: Double, range: Double) -> Double {
        if distance <= radius { return 1 }
        return distance < range ? (range - distance) / (range - radius) : 0
    }

    // MARK: Selection

    /// The events of the lowest cost, which is a function of distance, bearing and radius; nil leaves an event out.
    ///
    /// Costs are found roughly at first, from straight lines through the Earth: within 1 % of the true ones.
    private func best(
        _ count: Int, from position: GeoPoint, _ heading: Double?, _ range: Double, of chapter: Int? = nil,
        among isWanted: (String) -> Bool, cost: (Double, Double, Double) -> Double?
    ) -> [Sighting] {
        guard count > 0 else { return [] }
        let frame = LocalFrame(at: position)
        var rough: [(cost: Double, index: Int)] = []
        var lowest = LowestNumbers(count)
        for (index, place) in places.enumerated() where chapter == nil || place.chapter == chapter {
            let (distance, bearing) = frame.way(to: place.vector)
            // The true cost lies between these two; where only the higher is there, it may be none.
            guard let highest = cost(distance * 1.01 + 0.01, bearing, place.radius) else { continue }
            let least = cost(distance * 0.99 - 0.01, bearing, place.radius)
            guard (least ?? 0) <= lowest.limit, isWanted(place.event) else { continue }
            rough.append((least ?? 0, index))
            if least != nil { lowest.insert(highest) }
        }
        let candidates = rough.filter { $0.cost <= lowest.limit }
        let measured = candidates.compactMap { candidate -> (cost: Double, sighting: Sighting)? in
            let place = places[candidate.index]
            let way = position.geodesic(to: place.position)
            guard let value = cost(way.distance, way.bearing, place.radius) else { return nil }
            let sighting = Sighting(
                event: place.event, chapter: chapterIDs[place.chapter], distance: way.distance, bearing: way.bearing,
                turn: heading.map { (way.bearing - $0).asTurn },
                fade: Self.fade(distance: way.distance, radius: place.radius, range: range))
            return (value, sighting)
        }
        let sorted = measured.sorted {
            ($0.cost, $0.sighting.distance, $0.sighting.event) < ($1.cost, $1.sighting.distance, $1.sighting.event)
        }
        return sorted.prefix(count).map(\.sighting)
    }
}

/// The lowest of many numbers, in order.
private struct LowestNumbers {
    private let count: Int
    private var numbers: [Double] = []

    init(_ count: Int) { self.count = count }

    /// What is above it is not among them.
    var limit: Double { numbers.count < count ? .infinity : numbers[count - 1] }

    mutating func insert(_ number: Double) {
        guard number < limit else { return }
        let index = numbers.firstIndex { $0 > number } ?? numbers.count
        numbers.insert(number, at: index)
        if numbers.count > count { numbers.removeLast() }
    }
}

/// Metres from the centre of the Earth, of a point on the WGS 84 ellipsoid.
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

/// Directions at a place.
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

    /// Metres along the Earth, within 1 %, and the bearing.
    func way(to point: EarthVector) -> (distance: Double, bearing: Double) {
        let (x, y, z) = (point.x - origin.x, point.y - origin.y, point.z - origin.z)
        let chord = (x * x + y * y + z * z).squareRoot()
        let diameter = 2 * 6_371_008.8
        let bearing = atan2(east.0 * x + east.1 * y, north.0 * x + north.1 * y + north.2 * z) * 180 / .pi
        return (diameter * asin(min(1, chord / diameter)), bearing)
    }
}
