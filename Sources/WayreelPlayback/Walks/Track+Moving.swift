internal import Glibc
public import WayreelCore
public import WayreelStory

/// Where a track is moved to.
public struct TrackPlacement: Hashable, Sendable, Codable {
    /// Where the track's first point comes to lie.
    public var start: GeoPoint
    /// Degrees by which it is turned clockwise about its first point.
    public var rotation: Double
    /// A factor for all distances.
    public var scale: Double

    public init(start: GeoPoint, rotation: Double = 0, scale: Double = 1) {
        self.start = start
        self.rotation = rotation
        self.scale = scale
    }
}

extension Track {
    /// The track at another place: each point keeps its distance from the first one, and its bearing from there, turned and scaled.
    ///
    /// So it keeps its shape, its pauses and its errors, times and accuracies. Speeds are scaled and courses turned with it.
    ///
    /// Throws a `parameter` error where the scale is not within 0.001 to 1000, and a number is none.
    public func moved(to placement: TrackPlacement) throws(MediaError) -> Track {
        guard (0.001...1000).contains(placement.scale), placement.rotation.isFinite,
            Fix(placement.start, timestamp: Timestamp(milliseconds: 0)).fault == nil
        else {
            throw MediaError(
                .parameter, step: "move", reason: "the place, the rotation or the scale is out of its range",
                advice:
                    "give a latitude within -90 to 90, a longitude within -180 to 180 and a scale within 0.001 to 1000")
        }
        guard let origin = points.first?.position else { return self }
        var moved = self
        moved.segments = segments.map { segment in
            segment.map { point in
                let way = origin.geodesic(to: point.position)
                var point = point
                let altitude = point.position.altitude
                point.position = placement.start.moved(
                    by: way.distance * placement.scale, bearing: way.bearing + placement.rotation)
                point.position.latitude = point.position.latitude.rounded(toMultipleOf: 1e-7)
                point.position.longitude = point.position.longitude.rounded(toMultipleOf: 1e-7)
                point.position.altitude = altitude
                point.speed = point.speed.map { ($0 * placement.scale).rounded(toMultipleOf: 0.01) }
                point.course = point.course.map {
                    ($0 + placement.rotation).rounded(toMultipleOf: 0.1).asCompassDegrees
                }
                return point
            }
        }
        return moved
    }

    /// The same points with times as of a walk at `speed` metres a second, which begins at `start`: for tracks and routes without times.
    public func timed(from start: Timestamp, speed: Double) -> Track {
        var metres = 0.0
        var last: GeoPoint?
        var timed = self
        timed.segments = segments.map { segment in
            segment.map { point in
                metres += last.map { $0.geodesic(to: point.position).distance } ?? 0
                last = point.position
                var point = point
                point.timestamp = start.advanced(by: metres / speed)
                return point
            }
        }
        return timed
    }

    /// The same track, whose first time is `start`.
    public func starting(at start: Timestamp) -> Track {
        guard let first = points.lazy.compactMap(\.timestamp).first else { return self }
        var later = self
        later.segments = segments.map { segment in
            segment.map { point in
                var point = point
                point.timestamp = point.timestamp.map { start.advanced(by: $0.seconds(since: first)) }
                return point
            }
        }
        return later
    }

    /// The placement at which the track passes the most circles of a story's events, and how many those are; of several, the one that
    /// comes closest to the other events.
    ///
    /// The track is laid with one of 16 of its points on each event in turn, and turned in steps of 5 degrees.
    public func placement(through events: [Event], scale: Double = 1) -> (placement: TrackPlacement, events: Int)? {
        guard let center = events.first?.position, let origin = points.first?.position else { return nil }
        let places = events.prefix(60).map { ($0.activation.radius, PlanePoint(center, $0.position)) }
        let line = Self.sampled(points, 200).map { point in
            PlanePoint(origin, point.position).scaled(by: scale)
        }
        var best: (hits: Int, misses: Double, start: PlanePoint, rotation: Double)?
        for rotation in stride(from: 0.0, to: 360, by: 5) {
            let turned = line.map { $0.turned(by: rotation) }
            for anchor in Self.sampled(turned, 16) {
                for (_, place) in places {
                    let start = place - anchor
                    var (hits, misses) = (0, 0.0)
                    for (radius, place) in places {
                        let distance = (place - start).distance(toLine: turned)
                        if distance <= radius { hits += 1 } else { misses += distance }
                    }
                    if best.map({ (hits, -misses) > ($0.hits, -$0.misses) }) ?? true {
                        best = (hits, misses, start, rotation)
                    }
                }
            }
        }
        return best.map { best in
            let start = center.moved(by: best.start.length, bearing: best.start.bearing)
            let rounded = GeoPoint(
                latitude: start.latitude.rounded(toMultipleOf: 1e-7),
                longitude: start.longitude.rounded(toMultipleOf: 1e-7))
            return (TrackPlacement(start: rounded, rotation: best.rotation, scale: scale), best.hits)
        }
    }

    /// About `count` of the elements, from the first to the last.
    private static func sampled<Element>(_ elements: [Element], _ count: Int) -> [Element] {
        guard elements.count > count else { return elements }
        return (0..<count).map { elements[$0 * (elements.count - 1) / (count - 1)] }
    }
}

/// Metres from an origin by distance and bearing (azimuthal equidistant).
private struct PlanePoint {
    var east: Double
    var north: Double

    init(_ origin: GeoPoint, _ point: GeoPoint) {
        let way = origin.geodesic(to: point)
        let radians = way.bearing * .pi / 180
        (east, north) = (way.distance * sin(radians), way.distance * cos(radians))
    }

    private init(east: Double, north: Double) { (self.east, self.north) = (east, north) }

    var length: Double { (east * east + north * north).squareRoot() }
    var bearing: Double { (atan2(east, north) * 180 / .pi).asCompassDegrees }

    func scaled(by factor: Double) -> PlanePoint { PlanePoint(east: east * factor, north: north * factor) }

    /// Clockwise.
    func turned(by degrees: Double) -> PlanePoint {
        let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        return PlanePoint(east: east * c + north * s, north: north * c - east * s)
    }

    static func - (a: PlanePoint, b: PlanePoint) -> PlanePoint {
        PlanePoint(east: a.east - b.east, north: a.north - b.north)
    }

    func distance(toLine line: [PlanePoint]) -> Double {
        var nearest = line.count == 1 ? (self - line[0]).length : .infinity
        for (a, b) in zip(line, line.dropFirst()) {
            let (way, here) = (b - a, self - a)
            let square = way.east * way.east + way.north * way.north
            let share = square > 0 ? min(max((here.east * way.east + here.north * way.north) / square, 0), 1) : 0
            nearest = min(nearest, (here - way.scaled(by: share)).length)
        }
        return nearest
    }
}
