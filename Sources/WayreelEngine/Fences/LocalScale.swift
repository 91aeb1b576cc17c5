internal import Glibc
internal import WayreelStory

/// The metres in a degree of latitude and of longitude at a position on the WGS 84 ellipsoid, for fast approximate
/// short distances.
package struct LocalScale: Hashable, Sendable {
    package let north: Double
    package let east: Double

    /// Uses the radii of curvature in the meridian and in the prime vertical (Snyder 1987, "Map Projections: A
    /// Working Manual", 4-18 and 4-20).
    package init(latitude: Double) {
        let radian = Double.pi / 180
        let sine = sin(latitude * radian)
        let w = 1 - WGS84.eccentricitySquared * sine * sine
        let primeVertical = WGS84.primeVerticalRadius(sineOfLatitude: sine)
        north = primeVertical * (1 - WGS84.eccentricitySquared) / w * radian
        east = primeVertical * cos(latitude * radian) * radian
    }

    /// Returns the metres east and north from one point to another, assuming a flat Earth.
    func vector(from a: GeoPoint, to b: GeoPoint) -> PlaneVector {
        var longitude = b.longitude - a.longitude
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        return PlaneVector(east: longitude * east, north: (b.latitude - a.latitude) * north)
    }

    /// Whether ``vector(from:to:)`` is accurate to within ``error(at:)``: not near the poles, and not far away.
    static func isTrusted(at latitude: Double, _ distance: Double) -> Bool {
        abs(latitude) < 80 && distance < farthest
    }

    static let farthest = 2000.0

    /// Returns the maximum error of a distance up to ``farthest`` at latitudes up to 80°: over that distance, the
    /// length of a degree of longitude changes by tan(80°) · 2000 m / 6357 km = 0.18 %.
    static func error(at distance: Double) -> Double { distance * 0.002 + 0.01 }
}

/// A vector on a plane, in metres.
struct PlaneVector: Hashable, Sendable {
    var east: Double
    var north: Double

    static let zero = PlaneVector(east: 0, north: 0)

    init(east: Double, north: Double) { (self.east, self.north) = (east, north) }

    /// The displacement of the end of a path from its start in an azimuthal equidistant projection about the start,
    /// which preserves distances and bearings from there.
    init(_ path: Geodesic) {
        let radians = path.bearing * .pi / 180
        self.init(east: path.distance * sin(radians), north: path.distance * cos(radians))
    }

    var length: Double { (east * east + north * north).squareRoot() }

    /// The direction in degrees clockwise from north.
    var bearing: Double { (atan2(east, north) * 180 / .pi).asCompassDegrees }

    static func * (a: PlaneVector, factor: Double) -> PlaneVector {
        PlaneVector(east: a.east * factor, north: a.north * factor)
    }

    static func + (a: PlaneVector, b: PlaneVector) -> PlaneVector {
        PlaneVector(east: a.east + b.east, north: a.north + b.north)
    }

    static func - (a: PlaneVector, b: PlaneVector) -> PlaneVector {
        PlaneVector(east: a.east - b.east, north: a.north - b.north)
    }

    /// Returns the point at a fraction of the path from this one to another.
    func point(_ share: Double, to b: PlaneVector) -> PlaneVector {
        PlaneVector(east: east + (b.east - east) * share, north: north + (b.north - north) * share)
    }

    /// Returns the fraction, 0 to 1, of the path from this point to another at which the path is closest to the
    /// origin.
    func closestShare(to b: PlaneVector) -> Double {
        let step = b - self
        let square = step.east * step.east + step.north * step.north
        guard square > 0 else { return 1 }
        return min(max(-(east * step.east + north * step.north) / square, 0), 1)
    }

    /// Returns the fractions of the path to another point between which it is within `radius` of the origin, or nil
    /// if it never is.
    func sharesWithin(_ radius: Double, to b: PlaneVector) -> ClosedRange<Double>? {
        let step = b - self
        let square = step.east * step.east + step.north * step.north
        guard square > 0 else { return length <= radius ? 0...1 : nil }
        let middle = -(east * step.east + north * step.north) / square
        let nearest = PlaneVector(east: east + step.east * middle, north: north + step.north * middle)
        let rest = radius * radius - nearest.east * nearest.east - nearest.north * nearest.north
        guard rest >= 0 else { return nil }
        let half = (rest / square).squareRoot()
        let (first, last) = (max(middle - half, 0), min(middle + half, 1))
        return first <= last ? first...last : nil
    }
}

/// The distance of a point from a circle's centre, measured exactly only if the approximation is inconclusive.
struct Ranging {
    let center: GeoPoint
    let point: GeoPoint
    private let rough: Double
    private let error: Double
    private var measured: Geodesic?

    init(_ center: GeoPoint, _ scale: LocalScale, to point: GeoPoint) {
        self.center = center
        self.point = point
        rough = scale.vector(from: center, to: point).length
        if LocalScale.isTrusted(at: center.latitude, rough) {
            error = LocalScale.error(at: rough)
        } else {
            error = .infinity
        }
    }

    mutating func isWithin(_ limit: Double) -> Bool {
        if rough + error <= limit { return true }
        if rough - error > limit { return false }
        return distance <= limit
    }

    var geodesic: Geodesic {
        mutating get {
            if let measured { return measured }
            let exact = center.geodesic(to: point)
            measured = exact
            return exact
        }
    }

    /// The distance along the geodesic in metres.
    var distance: Double { mutating get { geodesic.distance } }

    /// The displacement from the centre, see ``PlaneVector/init(_:)``.
    var vector: PlaneVector { mutating get { PlaneVector(geodesic) } }
}
