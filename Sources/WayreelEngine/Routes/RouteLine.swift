internal import Glibc
public import WayreelCore
public import WayreelStory

/// A route as a line of geodesics from point to point, measured from its start.
public struct RouteLine: Sendable {
    /// A geodesic from one point of the route to the next.
    struct Leg: Sendable {
        var start: GeoPoint
        var end: GeoPoint
        /// The bearing at the start, in degrees clockwise from north.
        var bearing: Double
        /// The length in metres.
        var length: Double
        /// The distance along the route to the start of the leg, in metres.
        var along: Double
    }

    /// A point of the route, and its distance from another point.
    public struct Foot: Hashable, Sendable {
        /// The distance from the start of the route in metres.
        public var along: Double
        /// The distance between the two points in metres.
        public var beside: Double
        public var point: GeoPoint
    }

    let legs: [Leg]
    /// The length in metres, without the gaps between segments.
    public let length: Double

    /// Creates a line through a track's points, without those that no ``Playback`` would use, such as jumps. The gap
    /// between two segments counts with no length.
    ///
    /// Throws a `parameter` error if there are no two distinct points.
    public init(_ track: Track) throws(MediaError) {
        var legs: [Leg] = []
        var along = 0.0
        for segment in track.withoutUnusedPoints.segments {
            for (a, b) in zip(segment, segment.dropFirst()) {
                let line = a.position.geodesic(to: b.position)
                guard line.distance > 0 else { continue }
                legs.append(
                    Leg(
                        start: a.position, end: b.position, bearing: line.bearing, length: line.distance, along: along))
                along += line.distance
            }
        }
        guard !legs.isEmpty else {
            throw MediaError(
                .parameter, step: .route, subject: track.name, reason: "the route has no two points that differ",
                advice: "give a route or a track with at least two different points")
        }
        self.legs = legs
        length = along
    }

    /// Returns the point at a distance in metres from the start, limited to the ends of the route.
    public func point(at along: Double) -> GeoPoint {
        let leg = legs[index(at: along)]
        let rest = along - leg.along
        if rest <= 0 { return leg.start }
        return rest < leg.length ? leg.start.moved(by: rest, bearing: leg.bearing) : leg.end
    }

    /// Returns the direction of the route at a distance in metres from the start, measured from ten metres before to
    /// ten metres after it because tracks are jagged.
    public func bearing(at along: Double) -> Double {
        let line = point(at: max(0, along - 10)).geodesic(to: point(at: min(length, along + 10)))
        return line.distance > 0 ? line.bearing : legs[index(at: along)].bearing
    }

    /// Returns the index of the leg that contains the point at a distance in metres from the start.
    private func index(at along: Double) -> Int {
        var (low, high) = (0, legs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if legs[middle].along <= along { low = middle } else { high = middle }
        }
        return low
    }

    // MARK: Projection

    /// The nearest point of a leg, and the largest distance of the route since the last such point.
    struct NearFoot: Sendable {
        var foot: Foot
        var peak: Double
    }

    /// Returns the nearest point of each leg that comes within `limit` metres of a point, in the order of the route.
    ///
    /// The route cannot come near within a length shorter than the distance to the point, so most legs are skipped.
    func feet(of point: GeoPoint, within limit: Double) -> [NearFoot] {
        var feet: [NearFoot] = []
        var index = 0
        var peak = 0.0
        while index < legs.count {
            let leg = legs[index]
            let distance = leg.start.geodesic(to: point).distance
            peak = max(peak, distance)
            guard distance - leg.length > limit else {
                let foot = leg.foot(of: point)
                if foot.beside <= limit {
                    feet.append(NearFoot(foot: foot, peak: peak))
                    peak = 0
                }
                index += 1
                continue
            }
            var travelled = 0.0
            repeat {
                travelled += legs[index].length
                index += 1
                // The distance of the route after a gap is unknown.
                if index < legs.count, legs[index].start != legs[index - 1].end { break }
            } while index < legs.count && travelled + legs[index].length < distance - limit
        }
        return feet
    }

    /// Returns the nearest point of the route.
    public func nearest(to point: GeoPoint) -> Foot {
        // No corner is nearer than the nearest point of the line.
        let corner = legs.lazy.map { $0.start.geodesic(to: point).distance }.min() ?? 0
        let feet = feet(of: point, within: corner + 0.001)
        return feet.map(\.foot).min { $0.beside < $1.beside } ?? legs[0].foot(of: point)
    }

    /// Returns the nearest point of the route if it is within `limit` metres of a point. Parts of the route that are farther
    /// away are skipped.
    package func nearest(to point: GeoPoint, within limit: Double) -> Foot? {
        feet(of: point, within: limit).map(\.foot).min { $0.beside < $1.beside }
    }
}

extension RouteLine.Leg {
    private static let earthRadius = 6_371_008.8

    /// Returns the point of the leg that is nearest to `point`.
    ///
    /// From an estimate on the geodesic, the distance to the foot is that of a right-angled triangle on a sphere, tan
    /// a = cos B · tan c. This is repeated until the angle on the ellipsoid is right (Baselga and Martínez-Llario
    /// 2018).
    func foot(of point: GeoPoint) -> RouteLine.Foot {
        var rest = 0.0
        var here = start
        var line = here.geodesic(to: point)
        var direction = bearing
        for _ in 0..<20 {
            let (c, angle) = (line.distance / Self.earthRadius, (line.bearing - direction) * .pi / 180)
            let next = min(max(rest + Self.earthRadius * atan2(sin(c) * cos(angle), cos(c)), 0), length)
            let change = abs(next - rest)
            guard change > 0 else { break }
            rest = next
            here = rest > 0 ? rest < length ? start.moved(by: rest, bearing: bearing) : end : start
            line = here.geodesic(to: point)
            // Measure from the farther end, which is more accurate.
            direction =
                rest < length / 2 ? here.geodesic(to: end).bearing : (here.geodesic(to: start).bearing + 180)
            if change < 1e-4 { break }
        }
        return RouteLine.Foot(along: along + rest, beside: line.distance, point: here)
    }
}
