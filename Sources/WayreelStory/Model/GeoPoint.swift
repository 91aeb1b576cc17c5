internal import Glibc

/// A point on the Earth, in WGS 84.
public struct GeoPoint: Hashable, Sendable, Codable {
    /// Degrees north, -90 to 90.
    public var latitude: Double
    /// Degrees east, -180 to 180.
    public var longitude: Double
    /// Metres above the ellipsoid.
    public var altitude: Double?

    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}

extension GeoPoint {
    /// The metres in a degree of latitude on a sphere of the Earth's mean radius.
    static let metresPerDegree = 6_371_008.8 * Double.pi / 180

    /// Returns the distance in metres to another point along a great circle, on a sphere of the Earth's mean radius
    /// (haversine formula). It is within 0.5 % of the distance on the ellipsoid.
    public func distance(to other: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let halfLatitude = sin((other.latitude - latitude) * radians / 2)
        let halfLongitude = sin((other.longitude - longitude) * radians / 2)
        let a =
            halfLatitude * halfLatitude
            + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
        return 2 * 6_371_008.8 * asin(min(1, a.squareRoot()))
    }

    /// The point on that sphere, in metres from the centre. Chords between such points are compared without
    /// trigonometry.
    var spherePoint: (x: Double, y: Double, z: Double) {
        let radians = Double.pi / 180
        let radius = Self.metresPerDegree / radians
        return (
            radius * cos(latitude * radians) * cos(longitude * radians),
            radius * cos(latitude * radians) * sin(longitude * radians), radius * sin(latitude * radians)
        )
    }
}
