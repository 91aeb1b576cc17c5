internal import Glibc
public import WayreelCore
public import WayreelStory

extension Track {
    /// The track elsewhere, scaled to the length of a way through `stops` and bent so that it passes each of them, in order.
    ///
    /// The track is cut where the stops are along the way. A point is displaced by what its two cuts are displaced by, in proportion to the
    /// length between them; so it keeps its small bends and errors, its gaps and its times. Speeds and courses are not known any more.
    ///
    /// Throws a `parameter` error where there are no two stops, or no two points, that differ.
    public func bent(through stops: [GeoPoint]) throws(MediaError) -> Track {
        let route = try RouteLine(self)
        guard let start = stops.first, let origin = points.first?.position else { return self }
        let goals = stops.map { PlanePoint(start, $0) }
        let ways = zip(stops, stops.dropFirst()).reduce(into: [0.0]) { ways, leg in
            ways.append((ways.last ?? 0) + leg.0.geodesic(to: leg.1).distance)
        }
        guard let whole = ways.last, whole > 0 else {
            throw MediaError(.parameter, step: "move", reason: "there are no two places to pass that differ")
        }
        let scale = whole / route.length
        let cuts = ways.map { $0 / scale }
        func scaled(_ point: GeoPoint) -> PlanePoint { PlanePoint(origin, point) * scale }
        let displacements = zip(goals, cuts).map { $0 - scaled(route.point(at: $1)) }

        func displacement(at along: Double) -> PlanePoint {
            let next = cuts.firstIndex { $0 > along } ?? cuts.count - 1
            let (a, b) = (cuts[max(0, next - 1)], cuts[next])
            let share = b > a ? min(max((along - a) / (b - a), 0), 1) : 1
            return displacements[max(0, next - 1)] * (1 - share) + displacements[next] * share
        }
        func bent(_ point: Point, at along: Double) -> Point {
            let plane = scaled(point.position) + displacement(at: along)
            var position = start.moved(by: plane.length, bearing: plane.bearing)
            position.latitude = position.latitude.rounded(toMultipleOf: 1e-7)
            position.longitude = position.longitude.rounded(toMultipleOf: 1e-7)
            position.altitude = point.position.altitude
            return Point(position, timestamp: point.timestamp, accuracy: point.accuracy)
        }

        var along = 0.0
        var track = self
        track.segments = segments.map { segment in
            var points: [Point] = []
            var last: Point?
            for point in segment {
                if let last {
                    let length = last.position.geodesic(to: point.position).distance
                    // The stops between two points are points themselves, or they would be cut off.
                    for cut in cuts where cut > along && cut < along + length {
                        points.append(bent(last.between(point, (cut - along) / length, route.point(at: cut)), at: cut))
                    }
                    along += length
                }
                points.append(bent(point, at: along))
                last = point
            }
            return points
        }
        return track
    }
}

extension Track.Point {
    /// A point a share of the way to another one.
    fileprivate func between(_ other: Track.Point, _ share: Double, _ position: GeoPoint) -> Track.Point {
        var point = Track.Point(position, accuracy: accuracy)
        if let timestamp, let end = other.timestamp {
            point.timestamp = timestamp.advanced(by: end.seconds(since: timestamp) * share)
        }
        return point
    }
}

/// Metres east and north of an origin, which keep distances and bearings from there (azimuthal equidistant).
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

    static func * (point: PlanePoint, factor: Double) -> PlanePoint {
        PlanePoint(east: point.east * factor, north: point.north * factor)
    }

    static func + (a: PlanePoint, b: PlanePoint) -> PlanePoint {
        PlanePoint(east: a.east + b.east, north: a.north + b.north)
    }

    static func - (a: PlanePoint, b: PlanePoint) -> PlanePoint { a + b * -1 }
}
