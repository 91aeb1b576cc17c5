internal import Glibc

/// A picture of a floor, with pins that say where two or three of its points are on the Earth.
public struct FloorPlan: Hashable, Sendable, Codable {
    /// A point of the picture whose place on the Earth is known: a ground control point.
    public struct Pin: Hashable, Sendable, Codable {
        /// Pixels from the left edge of the picture as it is shown; of an SVG, units of its `viewBox` from its left.
        public var x: Double
        /// Pixels or units from the upper edge.
        public var y: Double
        /// Degrees north, -90 to 90.
        public var latitude: Double
        /// Degrees east, -180 to 180.
        public var longitude: Double

        public init(x: Double, y: Double, latitude: Double, longitude: Double) {
            (self.x, self.y) = (x, y)
            (self.latitude, self.longitude) = (latitude, longitude)
        }

        /// The place on the Earth.
        public var position: GeoPoint { GeoPoint(latitude: latitude, longitude: longitude) }
    }

    /// How many pins a plan has: two give turn, scale and place, a third one also another scale of the other axis, and skew.
    public static let pinCounts = 2...3

    /// The id, unique in the story: chapters and anchors name their floor by it.
    public var id: String
    /// The floor as OpenStreetMap counts it: 0 at the street, 1 above it, -1 below; 0.5 is a mezzanine.
    public var level: Double
    /// The name in the list of floors.
    public var name: String
    /// The picture; also an SVG drawing.
    public var image: Asset
    public var pins: [Pin]

    public init(id: String, level: Double, name: String, image: Asset, pins: [Pin]) {
        self.id = id
        self.level = level
        self.name = name
        self.image = image
        self.pins = pins
    }
}

/// Where something stands on a floor.
public struct Anchor: Hashable, Sendable, Codable {
    /// The id of the floor's plan.
    public var floor: String
    /// Pixels from the left edge of the plan, as ``FloorPlan/Pin/x``; nil for the place of the position.
    public var x: Double?
    /// Pixels from the upper edge; nil together with ``x``.
    public var y: Double?

    public init(floor: String, x: Double? = nil, y: Double? = nil) {
        self.floor = floor
        (self.x, self.y) = (x, y)
    }
}

/// The affine transform from points of a picture to degrees, as GDAL writes it: longitude = `east[0]` + `east[1]` · x +
/// `east[2]` · y, and latitude in the same way with `north`.
///
/// Within a building the ground is flat: at 48° north, 100 m from the first pin, that is off by 2 mm.
public struct Georeference: Hashable, Sendable {
    public let east: [Double]
    public let north: [Double]

    /// The metres on the ground for a pixel to the right and for one downwards, each as metres east and north.
    private let right: (east: Double, north: Double)
    private let down: (east: Double, north: Double)

    /// The metres that a pixel is wide, and high.
    package var pixelWidth: Double { hypot(right.east, right.north) }
    package var pixelHeight: Double { hypot(down.east, down.north) }

    /// Fits the transform to pins: a similarity to two, an affine transform to three. Nil if they do not determine one,
    /// because some are equal or all are on a line, or if it is not of finite numbers.
    public init?(_ pins: [FloorPlan.Pin]) {
        guard FloorPlan.pinCounts.contains(pins.count) else { return nil }
        let origin = pins[0]
        let points = pins.map { ($0.x - origin.x, $0.y - origin.y) }
        let ground = pins.map { $0.metres(from: origin) }
        let ((x1, y1), (e1, n1)) = (points[1], ground[1])
        if pins.count == 2 {
            // With y downwards, (x, -y) is turned and scaled by (a, b) to (east, north).
            let square = x1 * x1 + y1 * y1
            let (a, b) = ((e1 * x1 - n1 * y1) / square, (n1 * x1 + e1 * y1) / square)
            right = (a, b)
            down = (b, -a)
        } else {
            let ((x2, y2), (e2, n2)) = (points[2], ground[2])
            let determinant = x1 * y2 - x2 * y1
            right = ((e1 * y2 - e2 * y1) / determinant, (n1 * y2 - n2 * y1) / determinant)
            down = ((e2 * x1 - e1 * x2) / determinant, (n2 * x1 - n1 * x2) / determinant)
        }
        let (perLatitude, perLongitude) = origin.metresPerDegree
        let (lonX, lonY) = (right.east / perLongitude, down.east / perLongitude)
        let (latX, latY) = (right.north / perLatitude, down.north / perLatitude)
        east = [origin.longitude - lonX * origin.x - lonY * origin.y, lonX, lonY]
        north = [origin.latitude - latX * origin.x - latY * origin.y, latX, latY]
        let area = right.east * down.north - right.north * down.east
        guard (east + north).allSatisfy(\.isFinite), area.isFinite, area != 0 else { return nil }
    }

    public static func == (one: Georeference, other: Georeference) -> Bool {
        (one.east, one.north) == (other.east, other.north)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(east)
        hasher.combine(north)
    }

    /// Returns the place on the Earth of a point of the picture.
    public func position(x: Double, y: Double) -> GeoPoint {
        GeoPoint(
            latitude: north[0] + north[1] * x + north[2] * y,
            longitude: remainder(east[0] + east[1] * x + east[2] * y, 360))
    }

    /// Returns the point of the picture at a place on the Earth; it may be outside of the picture.
    public func point(of position: GeoPoint) -> (x: Double, y: Double) {
        // By the shorter way around the Earth from the upper left corner.
        let (longitude, latitude) = (remainder(position.longitude - east[0], 360), position.latitude - north[0])
        let determinant = east[1] * north[2] - east[2] * north[1]
        return (
            (longitude * north[2] - latitude * east[2]) / determinant,
            (latitude * east[1] - longitude * north[1]) / determinant
        )
    }
}

extension FloorPlan.Pin {
    /// Returns the metres east and north of another pin, by the shorter way around the Earth.
    func metres(from origin: FloorPlan.Pin) -> (Double, Double) {
        let (north, east) = origin.metresPerDegree
        return (remainder(longitude - origin.longitude, 360) * east, (latitude - origin.latitude) * north)
    }

    /// The metres in a degree of latitude, and of longitude, on the ellipsoid of WGS 84: its radii of curvature in the
    /// meridian and in the prime vertical.
    fileprivate var metresPerDegree: (latitude: Double, longitude: Double) {
        let (axis, squaredEccentricity) = (6_378_137.0, 0.006_694_379_990_14)
        let radians = Double.pi / 180
        let (sine, cosine) = (sin(latitude * radians), cos(latitude * radians))
        let w = 1 - squaredEccentricity * sine * sine
        let meridian = axis * (1 - squaredEccentricity) / (w * w.squareRoot())
        return (meridian * radians, axis / w.squareRoot() * cosine * radians)
    }
}

extension Story {
    /// All floor plans: those of the story, then those of its chapters, in the order of the document.
    package var floorPlans: [FloorPlan] { plans + chapters.flatMap { $0.plans ?? [] } }

    /// The floors of a chapter: its own, else those of the story if the chapter or one of its events names a floor. The
    /// lowest is first.
    package func floors(of chapter: Chapter) -> [FloorPlan] {
        let named = [chapter.floor].compactMap(\.self) + chapter.events.compactMap { anchor(of: $0)?.floor }
        let own = chapter.plans ?? []
        guard !own.isEmpty || !named.isEmpty else { return [] }
        // A floor of the story that is named beside floors of the chapter is shown with them.
        let shared = own.isEmpty ? plans : plans.filter { named.contains($0.id) }
        return (shared + own).enumerated().sorted {
            ($0.element.level, $0.offset) < ($1.element.level, $1.offset)
        }.map(\.element)
    }

    /// Where an event stands on a floor: its own anchor, else that of the item that it shows.
    package func anchor(of event: Event) -> Anchor? {
        if let anchor = event.anchor { return anchor }
        guard case .exhibit(let exhibit) = event.content else { return nil }
        return sections.lazy.flatMap(\.items).first { $0.id == exhibit.item }?.anchor
    }
}
