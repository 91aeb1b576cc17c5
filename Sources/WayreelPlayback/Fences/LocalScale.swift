internal import Glibc
internal import WayreelStory

/// Metres in a degree of latitude and of longitude about a place, on the WGS 84 ellipsoid: a quick measure of short distances.
struct LocalScale: Hashable, Sendable {
    let north: Double
    let east: Double

    /// Radii of curvature in the meridian and in the prime vertical (Snyder 1987, "Map Projections: A Working Manual", 4-18 and 4-20).
    init(latitude: Double) {
        let radian = Double.pi / 180
        let sine = sin(latitude * radian)
        let w = 1 - WGS84.eccentricitySquared * sine * sine
        let primeVertical = WGS84.primeVerticalRadius(sineOfLatitude: sine)
        north = primeVertical * (1 - WGS84.eccentricitySquared) / w * radian
        east = primeVertical * cos(latitude * radian) * radian
    }

    /// Metres east and north from one point to another, as if the Earth were flat there.
    func vector(from a: GeoPoint, to b: GeoPoint) -> PlaneVector {
        var longitude = b.longitude - a.longitude
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        return PlaneVector(east: longitude * east, north: (b.latitude - a.latitude) * north)
    }

    /// Whether ``vector(from:to:)`` can be trusted within ``error(at:)``: not near the poles, and not far.
    static func isTrusted(at latitude: Double, _ distance: Double) -> Bool {
        abs(latitude) < 80 && distance < farthest
    }

    static let farthest = 2000.0

    /// The most by which a distance up to ``farthest`` at latitudes up to 80° is off: the length of a degree of longitude changes by
    /// tan(80°) · 2000 m / 6357 km = 0.18 % on the way.
    static func error(at distance: Double) -> Double { distance * 0.002 + 0.01 }
}

/// Metres on a plane.
struct PlaneVector: Hashable, Sendable {
    var east: Double
    var north: Double

    var length: Double { (east * east + north * north).squareRoot() }

    /// Degrees clockwise from north.
    var bearing: Double { (atan2(east, north) * 180 / .pi).asCompassDegrees }

    static func - (a: PlaneVector, b: PlaneVector) -> PlaneVector {
        PlaneVector(east: a.east - b.east, north: a.north - b.north)
    }

    /// The point a share of the way from this one to another.
    func point(_ share: Double, to b: PlaneVector) -> PlaneVector {
        PlaneVector(east: east + (b.east - east) * share, north: north + (b.north - north) * share)
    }

    /// The share of the way from this point to another, 0 to 1, at which it is closest to the origin.
    func closestShare(to b: PlaneVector) -> Double {
        let way = b - self
        let square = way.east * way.east + way.north * way.north
        guard square > 0 else { return 1 }
        return min(max(-(east * way.east + north * way.north) / square, 0), 1)
    }

    /// The shares of the way to another point between which it is within `radius` of the origin; nil where it never is.
    func sharesWithin(_ radius: Double, to b: PlaneVector) -> ClosedRange<Double>? {
        let way = b - self
        let square = way.east * way.east + way.north * way.north
        guard square > 0 else { return length <= radius ? 0...1 : nil }
        let middle = -(east * way.east + north * way.north) / square
        let nearest = PlaneVector(east: east + way.east * middle, north: north + way.north * middle)
        let rest = radius * radius - nearest.east * nearest.east - nearest.north * nearest.north
        guard rest >= 0 else { return nil }
        let half = (rest / square).squareRoot()
        let (first, last) = (max(middle - half, 0), min(middle + half, 1))
        return first <= last ? first...last : nil
    }
}

/// The distance of a point from a circle's centre, measured exactly only where a rough measure leaves doubt.
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

    /// Metres along the geodesic.
    var distance: Double { mutating get { geodesic.distance } }

    /// East and north of the centre in an azimuthal equidistant projection about it, which keeps distances and bearings.
    var vector: PlaneVector {
        mutating get {
            let radians = geodesic.bearing * .pi / 180
            return PlaneVector(east: geodesic.distance * sin(radians), north: geodesic.distance * cos(radians))
        }
    }
}
