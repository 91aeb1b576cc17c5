internal import Glibc
package import WayreelStory

/// A range of latitudes and longitudes in degrees that does not cross the antimeridian.
package struct GeoBox: Hashable, Sendable {
    package var south: Double
    package var north: Double
    package var west: Double
    package var east: Double

    /// Returns a box slightly larger than a circle on the ellipsoid, or two boxes if the circle crosses the
    /// antimeridian.
    package static func around(_ center: GeoPoint, radius: Double) -> (GeoBox, GeoBox?) {
        // A degree of latitude is at least 110.57 km long, and a degree of longitude is at least as long as on a
        // sphere with such degrees.
        let reach = radius / 110_500 * 1.001 + 1e-7
        let (south, north) = (center.latitude - reach, center.latitude + reach)
        guard south > -89.9, north < 89.9 else {
            return (GeoBox(south: south, north: north, west: -180, east: 180), nil)
        }
        let width = reach / cos(max(abs(south), abs(north)) * .pi / 180)
        guard width < 180 else { return (GeoBox(south: south, north: north, west: -180, east: 180), nil) }
        let (west, east) = (center.longitude - width, center.longitude + width)
        if west < -180 {
            return (
                GeoBox(south: south, north: north, west: -180, east: east),
                GeoBox(south: south, north: north, west: west + 360, east: 180)
            )
        }
        if east > 180 {
            return (
                GeoBox(south: south, north: north, west: west, east: 180),
                GeoBox(south: south, north: north, west: -180, east: east - 360)
            )
        }
        return (GeoBox(south: south, north: north, west: west, east: east), nil)
    }

    func overlaps(_ other: GeoBox) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    mutating func extend(over other: GeoBox) {
        south = min(south, other.south)
        north = max(north, other.north)
        west = min(west, other.west)
        east = max(east, other.east)
    }
}
