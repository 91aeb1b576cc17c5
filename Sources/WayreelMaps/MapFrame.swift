internal import Glibc
internal import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine
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
    /// The same where a floor plan shows the surroundings.
    private static let minSpanOfFloors = 10.0

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
        let marks = scene.plans.flatMap(\.corners) + scene.places.compactMap(\.anchor)
        for point in scene.sections.compactMap(\.start) + marks + walk {
            bounds.add(plane.position(of: point), radius: 0)
        }
        guard bounds.isSound else {
            throw MediaError(
                .parameter, step: .map, reason: "there are no events and no walk to draw",
                advice: "choose a chapter with events")
        }
        self.plane = plane
        middle = bounds.middle
        let inner = (
            width: max(1, area.width - 2 * min(4.5 * em, area.width / 8)),
            height: max(1, area.height - 2 * min(3.2 * em, area.height / 8))
        )
        let least = scene.plans.isEmpty ? Self.minSpan : Self.minSpanOfFloors
        scale = min(inner.width / max(bounds.width, least), inner.height / max(bounds.height, least))
    }

    /// The position in the middle of the map, on a sphere: within 0.5 % of its distance from the plane's centre.
    var center: GeoPoint {
        let metresPerDegree = 6_371_008.8 * Double.pi / 180
        let across = metresPerDegree * max(0.01, cos(plane.center.latitude * .pi / 180))
        return GeoPoint(
            latitude: plane.center.latitude + middle.north / metresPerDegree,
            longitude: plane.center.longitude + middle.east / across)
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

/// Rectangles and points of a map by the square cells that they lie in, so that only neighbours are compared.
struct MapGrid {
    private struct Cell: Hashable {
        var column: Int
        var row: Int
    }

    private let cell: Double
    private var boxes: [Cell: [Rectangle]] = [:]
    private var points: [Cell: [(x: Double, y: Double)]] = [:]

    /// `cell`: the side of a cell in pixels.
    init(cell: Double) { self.cell = cell }

    mutating func insert(_ box: Rectangle) { for cell in cells(of: box) { boxes[cell, default: []].append(box) } }

    mutating func insert(x: Double, y: Double) {
        points[Cell(column: number(x), row: number(y)), default: []].append((x, y))
    }

    /// Whether a rectangle covers a part of another one.
    func overlaps(_ box: Rectangle) -> Bool {
        cells(of: box).contains { boxes[$0]?.contains { !$0.intersection(box).isEmpty } ?? false }
    }

    /// Returns the number of points within a rectangle.
    func countPoints(in box: Rectangle) -> Int {
        cells(of: box).reduce(0) { count, cell in
            count + (points[cell]?.count { $0.x > box.x && $0.x < box.maxX && $0.y > box.y && $0.y < box.maxY } ?? 0)
        }
    }

    /// Whether a point is nearer than `distance` to one of the points.
    func isNear(x: Double, y: Double, distance: Double) -> Bool {
        cells(of: Rectangle(x: x, y: y, width: 0, height: 0).grown(by: distance)).contains { cell in
            points[cell]?.contains { hypot($0.x - x, $0.y - y) < distance } ?? false
        }
    }

    private func number(_ value: Double) -> Int { Int((min(max(value, -1e6), 1e6) / cell).rounded(.down)) }

    private func cells(of box: Rectangle) -> [Cell] {
        let (columns, rows) = (number(box.x)...number(box.maxX), number(box.y)...number(box.maxY))
        return columns.flatMap { column in rows.map { Cell(column: column, row: $0) } }
    }
}

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

/// A bar of a round length: 1, 2 or 5 times a power of ten.
struct ScaleBar: Hashable {
    /// The length in the bar's unit: 200 for 200 m as well as for 200 ft.
    let amount: Double
    let unit: Unit
    /// The length of the bar in pixels.
    let pixels: Double

    enum Unit {
        case metres, feet

        /// The metres per unit; the international foot is 0.3048 m.
        var metres: Double { self == .metres ? 1 : 0.3048 }
    }

    /// Creates the longest bar that is at most `width` pixels wide at `scale` pixels per metre.
    init(_ unit: Unit, scale: Double, width: Double) {
        let most = width / scale / unit.metres
        let power = pow(10, log10(most).rounded(.down))
        let factor = [5.0, 2, 1].first { $0 * power <= most * (1 + 1e-9) } ?? 1
        self.unit = unit
        amount = factor * power
        pixels = amount * unit.metres * scale
    }

    /// The label: `200 m`, `5 km`, `500 ft`.
    var label: String {
        guard unit == .metres else { return "\(Self.number(amount)) ft" }
        return amount < 1000 ? "\(Self.number(amount)) m" : "\(Self.number(amount / 1000)) km"
    }

    private static func number(_ value: Double) -> String { ((value * 1e6).rounded() / 1e6).shortDescription }
}
