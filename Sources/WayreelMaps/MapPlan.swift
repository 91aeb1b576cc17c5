public import WayreelCore
internal import WayreelDrawing
internal import WayreelImage
public import WayreelStory

/// The plan of a floor below a map's marks, where its pins say.
public struct MapPlan: Hashable, Sendable {
    /// The id of the plan, and the name of its floor.
    public var id: String
    public var name: String
    /// The picture as PNG.
    let picture: [UInt8]
    private let georeference: Georeference
    private let width: Double
    private let height: Double

    /// The longest side of a picture as it is drawn.
    private static let longest = 2048

    /// Reads the picture of a plan, an image or an SVG drawing. `width` and `height` are those in which the pins are
    /// given, nil for those of the picture itself: a picture in a bundle has other pixels than that of the author.
    ///
    /// Throws a `parameter` error if the pins determine no place, and the errors of reading the picture.
    public init(
        _ plan: FloorPlan, picture path: String, width: Double? = nil, height: Double? = nil, limits: Limits = .standard
    ) throws(MediaError) {
        guard let georeference = Georeference(plan.pins) else {
            throw MediaError(
                .parameter, step: .map, subject: path, reason: "the pins of the plan '\(plan.id)' determine no place",
                advice: "check the story")
        }
        let size: (width: Double, height: Double)
        do throws(MediaError) {
            if SVGDocument.isSVG(path: path) {
                let document = try SVGDocument(path: path)
                size = (document.width, document.height)
                let (wide, high) = document.width >= document.height ? (Self.longest, 0) : (0, Self.longest)
                picture = try document.png(size: document.pixels(width: wide, orHeight: high, longest: Self.longest))
            } else {
                let found = try ImageProbe.probe(path: path, limits: limits).size
                size = (Double(found.width), Double(found.height))
                var framing = Framing(turnsScreen: false)
                if found.longerSide > Self.longest {
                    framing.screen = PixelSize(width: Self.longest, height: Self.longest)
                    framing.fit = .contain
                }
                let task = TaskContext(seconds: limits.seconds)
                picture = try ImageEncoders.encode(
                    Image.load(path: path, framing: framing, limits: limits), as: Encoding(.png),
                    metadata: OutputMetadata(), task: task
                ).bytes
            }
        } catch { throw error.naming(path) }
        (id, name, self.georeference) = (plan.id, plan.name, georeference)
        (self.width, self.height) = (width ?? size.width, height ?? size.height)
    }

    /// The upper left, upper right, lower left and lower right corner of the picture on the Earth.
    var corners: [GeoPoint] {
        [(0, 0), (width, 0), (0, height), (width, height)].map { georeference.position(x: $0.0, y: $0.1) }
    }
}
