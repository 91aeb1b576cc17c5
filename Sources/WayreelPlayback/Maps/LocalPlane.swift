internal import Glibc
internal import WayreelStory

/// A plane that touches the ellipsoid at a point: the azimuthal equidistant projection about it.
///
/// Distances and directions from the centre are exact, at every latitude and across the antimeridian. At 100 km,
/// lengths perpendicular to them are 0.004 % too long.
struct LocalPlane {
    let center: GeoPoint

    /// Creates a plane about the mean of `points`, the sum of their directions from the Earth's centre.
    init(about points: [GeoPoint]) {
        let radians = Double.pi / 180
        var (x, y, z) = (0.0, 0.0, 0.0)
        for point in points {
            x += cos(point.latitude * radians) * cos(point.longitude * radians)
            y += cos(point.latitude * radians) * sin(point.longitude * radians)
            z += sin(point.latitude * radians)
        }
        guard hypot(hypot(x, y), z) > 1e-6 * Double(points.count), let first = points.first else {
            center = points.first ?? GeoPoint(latitude: 0, longitude: 0)
            return
        }
        // At a pole, any longitude is valid; use that of the first point.
        let longitude = hypot(x, y) > 1e-12 ? atan2(y, x) / radians : first.longitude
        center = GeoPoint(latitude: atan2(z, hypot(x, y)) / radians, longitude: longitude)
    }

    init(center: GeoPoint) { self.center = center }

    /// Returns the metres east and north of the centre.
    func position(of point: GeoPoint) -> (east: Double, north: Double) {
        let path = center.geodesic(to: point)
        let bearing = path.bearing * .pi / 180
        return (path.distance * sin(bearing), path.distance * cos(bearing))
    }
}
