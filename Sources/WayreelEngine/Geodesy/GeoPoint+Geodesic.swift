internal import CGeodesic
public import WayreelStory

/// The shortest path on the WGS 84 ellipsoid from one point to another.
public struct Geodesic: Hashable, Sendable, Codable {
    /// The length of the path in metres.
    public var distance: Double
    /// The direction in which the path starts: degrees clockwise from true north, 0 ..< 360.
    public var bearing: Double

    public init(distance: Double, bearing: Double) {
        self.distance = distance
        self.bearing = bearing
    }
}

/// A displacement from an observer: metres east, north and up.
public struct LocalVector: Hashable, Sendable, Codable {
    public var east: Double
    public var north: Double
    public var up: Double

    public init(east: Double, north: Double, up: Double) {
        self.east = east
        self.north = north
        self.up = up
    }
}

extension GeoPoint {
    /// Returns the shortest path to `other`, by GeographicLib's geodesic routines (Karney 2013), accurate to
    /// nanometres. Altitudes are ignored.
    public func geodesic(to other: GeoPoint) -> Geodesic {
        let path = wr_geodesic_inverse(latitude, longitude, other.latitude, other.longitude)
        return Geodesic(distance: path.distance, bearing: path.start_azimuth.asCompassDegrees)
    }

    /// Returns the point `distance` metres away in the direction `bearing`, in degrees clockwise from true north, at
    /// the same altitude.
    public func moved(by distance: Double, bearing: Double) -> GeoPoint {
        var point = self
        wr_geodesic_direct(latitude, longitude, bearing, distance, &point.latitude, &point.longitude)
        return point
    }

    /// Returns `other` in the east-north-up coordinates of an observer at this point. A missing altitude is replaced
    /// by that of the other point, or 0.
    public func localVector(to other: GeoPoint) -> LocalVector {
        let height = altitude ?? other.altitude ?? 0
        var vector = (0.0, 0.0, 0.0)
        withUnsafeMutableBytes(of: &vector) { bytes in
            wr_geodesic_enu(
                latitude, longitude, height, other.latitude, other.longitude, other.altitude ?? height,
                bytes.assumingMemoryBound(to: Double.self).baseAddress!)
        }
        return LocalVector(east: vector.0, north: vector.1, up: vector.2)
    }
}

extension Double {
    /// The angle in degrees, normalized to 0 ..< 360.
    public var asCompassDegrees: Double {
        let rest = truncatingRemainder(dividingBy: 360)
        let turned = rest < 0 ? rest + 360 : rest
        // A tiny negative number rounds up to 360.
        return turned == 360 ? 0 : turned
    }

    /// The angle in degrees, normalized to -180 ..< 180; positive is clockwise.
    public var asTurn: Double { (self + 180).asCompassDegrees - 180 }
}

/// The ellipsoid of the World Geodetic System 1984 (NGA.STND.0036).
package enum WGS84 {
    /// The equatorial radius in metres.
    static let equatorialRadius = 6_378_137.0
    static let flattening = 1 / 298.257_223_563
    /// The square of the first eccentricity.
    package static let eccentricitySquared = flattening * (2 - flattening)

    /// The radius of curvature in the prime vertical, in metres, at a latitude whose sine is given.
    package static func primeVerticalRadius(sineOfLatitude sine: Double) -> Double {
        equatorialRadius / (1 - eccentricitySquared * sine * sine).squareRoot()
    }
}
