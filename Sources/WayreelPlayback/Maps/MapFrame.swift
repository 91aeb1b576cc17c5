internal import Glibc
internal import WayreelCore
internal import WayreelDrawing
internal import WayreelStory

/// The area of the map on the image, and the conversion from positions to pixels.
struct MapFrame {
    /// The area of the map, without title and legend.
    let area: Rectangle
    /// Pixels per metre.
    let scale: Double
    private let plane: LocalPlane
    private let middle: (east: Double, north: Double)

    /// The minimum extent of a map in metres, so that a single event is shown with its surroundings.
    private static let minSpan = 60.0

    /// Throws a `parameter` error if there is nothing to show.
    init(_ scene: MapScene, _ image: MapImage) throws(MediaError) {
        let em = image.em
        let (width, height) = (Double(image.size.width), Double(image.size.height))
        let legendRows = MapLegend.rowCount(scene, image)
        let top = (em * 4.4).rounded()
        area = Rectangle(
            x: em, y: top, width: width - 2 * em,
            height: height - top - (em * (0.9 + 1.75 * Double(legendRows))).rounded())

        let walk = (scene.walk?.points ?? []).map(\.position)
        let fixed = scene.places.map(\.position) + scene.sections.compactMap(\.start)
        // The centre is computed from the events if there are any: a walk has many points where the player stood
        // still.
        let plane = LocalPlane(about: fixed.isEmpty ? walk : fixed)
        var bounds = Bounds()
        for place in scene.places { bounds.add(plane.position(of: place.position), radius: place.radius) }
        for point in scene.sections.compactMap(\.start) + walk { bounds.add(plane.position(of: point), radius: 0) }
        guard bounds.isSound else {
            throw MediaError(
                .parameter, step: "map", reason: "there are no events and no walk to draw",
                advice: "choose a chapter with events")
        }
        self.plane = plane
        middle = bounds.middle
        let inner = (
            width: max(1, area.width - 2 * min(4.5 * em, area.width / 8)),
            height: max(1, area.height - 2 * min(3.2 * em, area.height / 8))
        )
        scale = min(inner.width / max(bounds.width, Self.minSpan), inner.height / max(bounds.height, Self.minSpan))
    }

    /// Returns the pixel position of a point.
    func pixel(_ point: GeoPoint) -> (x: Double, y: Double) {
        let (east, north) = plane.position(of: point)
        return (area.midX + (east - middle.east) * scale, area.midY - (north - middle.north) * scale)
    }

    /// Returns the pixel position of the point at the given metres east and north of the map's middle.
    func pixel(east: Double, north: Double) -> (x: Double, y: Double) {
        (area.midX + east * scale, area.midY - north * scale)
    }

    private struct Bounds {
        var (west, east) = (Double.infinity, -Double.infinity)
        var (south, north) = (Double.infinity, -Double.infinity)

        var isSound: Bool { west <= east && width.isFinite && height.isFinite }
        var width: Double { east - west }
        var height: Double { north - south }
        var middle: (east: Double, north: Double) { ((west + east) / 2, (south + north) / 2) }

        mutating func add(_ point: (east: Double, north: Double), radius: Double) {
            (west, east) = (min(west, point.east - radius), max(east, point.east + radius))
            (south, north) = (min(south, point.north - radius), max(north, point.north + radius))
        }
    }
}
