internal import Glibc
public import WayreelCore
public import WayreelStory

extension Track {
    /// The track elsewhere, scaled to the length of a way through `stops` and bent so that it passes each of them, in order.
    ///
    /// The track is cut where the stops are along the way. A point is displaced by what its two cuts are displaced by, in proportion to the
    /// length between them; so it keeps its small bends and errors and its times. A segment begins where the one before
    /// it ends. Speeds and courses are not known any more.
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
        let line = closedLine(from: origin, scale)
        let displacements = zip(goals, cuts).map { $0 - line.point(at: $1) }

        func displacement(at along: Double) -> PlanePoint {
            let next = cuts.firstIndex { $0 > along } ?? cuts.count - 1
            let (a, b) = (cuts[max(0, next - 1)], cuts[next])
            let share = b > a ? min(max((along - a) / (b - a), 0), 1) : 1
            return displacements[max(0, next - 1)] * (1 - share) + displacements[next] * share
        }
        func bent(_ point: Point, at along: Double) -> Point {
            let plane = line.point(at: along) + displacement(at: along)
            var position = start.moved(by: plane.length, bearing: plane.bearing)
            position.latitude = position.latitude.rounded(toMultipleOf: 1e-7)
            position.longitude = position.longitude.rounded(toMultipleOf: 1e-7)
            position.altitude = point.position.altitude
            return Point(position, timestamp: point.timestamp, accuracy: point.accuracy)
        }

        var alongs = line.alongs[...]
        var track = self
        track.segments = segments.map { segment in
            let ends = alongs.prefix(segment.count)
            alongs = alongs.dropFirst(segment.count)
            var points: [Point] = []
            var last: (point: Point, along: Double)?
            for (point, along) in zip(segment, ends) {
                if let last {
                    // The stops between two points are points themselves, or they would be cut off.
                    for cut in cuts where cut > last.along && cut < along {
                        let share = (cut - last.along) / (along - last.along)
                        points.append(bent(last.point.between(point, share), at: cut))
                    }
                }
                points.append(bent(point, at: along))
                last = (point, along)
            }
            return points
        }
        return track
    }

    /// All points on a plane, each segment moved to where the one before it ends, as nobody knows the way between them.
    private func closedLine(from origin: GeoPoint, _ scale: Double) -> PlaneLine {
        var line = PlaneLine()
        for segment in segments {
            guard let first = segment.first else { continue }
            let start = PlanePoint(origin, first.position) * scale
            let gap = (line.points.last ?? start) - start
            var last = first
            for point in segment {
                line.alongs.append(
                    (line.alongs.last ?? 0) + last.position.geodesic(to: point.position).distance)
                line.points.append(PlanePoint(origin, point.position) * scale + gap)
                last = point
            }
        }
        return line
    }
}

extension Track.Point {
    /// A point a share of the way to another one.
    fileprivate func between(_ other: Track.Point, _ share: Double) -> Track.Point {
        var point = self
        if let timestamp, let end = other.timestamp {
            point.timestamp = timestamp.advanced(by: end.seconds(since: timestamp) * share)
        }
        return point
    }
}

/// Points of a line on a plane, and how far along the line each is in the track's metres.
private struct PlaneLine {
    var alongs: [Double] = []
    var points: [PlanePoint] = []

    func point(at along: Double) -> PlanePoint {
        var (low, high) = (0, alongs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if alongs[middle] <= along { low = middle } else { high = middle }
        }
        guard low + 1 < points.count, alongs[low + 1] > alongs[low] else { return points[low] }
        let share = min(max((along - alongs[low]) / (alongs[low + 1] - alongs[low]), 0), 1)
        return points[low] * (1 - share) + points[low + 1] * share
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
