internal import Glibc
public import WayreelCore
internal import WayreelDrawing
public import WayreelImage
public import WayreelStory

/// Images pinned to places, seen by a camera: which are seen, where, and how large.
///
///     let scene = GogglesScene(pins: pins, pose: pose)
///     for sight in scene.sights { … }
public struct GogglesScene: Sendable {
    public struct Pin: Hashable, Sendable, Codable {
        /// The path of the image.
        public var image: String
        /// The image's own size in pixels.
        public var imageSize: PixelSize
        public var position: GeoPoint
        /// The width of the image in the world, in metres.
        public var metres: Double
        /// What it shows; nil for none.
        public var name: String?

        public init(image: String, imageSize: PixelSize, position: GeoPoint, metres: Double, name: String? = nil) {
            self.image = image
            self.imageSize = imageSize
            self.position = position
            self.metres = metres
            self.name = name
        }
    }

    /// Why a pin is not seen.
    public enum Culling: String, Hashable, Sendable, Codable {
        case behind = "behind the camera"
        case beyond = "beyond the maximum distance"
        case outside = "outside of the image"
        case tooLarge = "so near that it would be more than four times as large as the image"
        case tooSmall = "smaller than a pixel"
    }

    /// A pin as the camera sees it. Pixels are those of the output.
    public struct Sight: Hashable, Sendable, Codable {
        /// In the author's order, from 0.
        public var pin: Int
        public var name: String?
        /// Metres along the ellipsoid.
        public var distance: Double
        /// Degrees clockwise from true north.
        public var bearing: Double
        /// The image's centre; nil behind the camera.
        public var x: Double?
        public var y: Double?
        /// Metres along the camera's axis, negative behind it.
        public var depth: Double?
        /// The image's width and height.
        public var width: Double?
        public var height: Double?
        /// Degrees clockwise by which the image is turned, since it is upright in the world.
        public var rotation: Double?
        /// nil where it is seen.
        public var culled: Culling?
        /// nil where every place was taken.
        public var label: Label?
    }

    /// A text beside a pin and the box behind it, in pixels of the output.
    public struct Label: Hashable, Sendable, Codable {
        public var text: String
        public var x: Double
        public var y: Double
        public var width: Double
        public var height: Double
    }

    public var pins: [Pin]
    public var pose: CameraPose
    public var scaling: PinScaling
    /// Metres beyond which pins are not seen; nil: no limit.
    public var maxDistance: Double?
    /// How the camera's image is cropped and scaled.
    public var framing: Framing

    public init(
        pins: [Pin], pose: CameraPose, scaling: PinScaling = .natural, maxDistance: Double? = nil,
        framing: Framing = Framing()
    ) {
        self.pins = pins
        self.pose = pose
        self.scaling = scaling
        self.maxDistance = maxDistance
        self.framing = framing
    }

    /// The size of the output.
    public var outputSize: PixelSize { framing.layout(for: pose.imageSize).canvas }

    /// All pins, those that are farther away first.
    public var sights: [Sight] {
        let view = FramedView(of: pose.imageSize, framing)
        return pins.indices.map { sight(of: $0, in: view) }
            .sorted { ($0.depth ?? -.infinity, $1.pin) > ($1.depth ?? -.infinity, $0.pin) }
    }

    private func sight(of index: Int, in view: FramedView) -> Sight {
        let pin = pins[index]
        let path = pose.position.geodesic(to: pin.position)
        var sight = Sight(pin: index, name: pin.name, distance: path.distance, bearing: path.bearing)
        guard let seen = pose.projection(of: pin.position) else {
            sight.culled = .behind
            return sight
        }
        let (x, y) = view.output(x: seen.x, y: seen.y)
        let width = scaling.pixels(of: pin.metres, depth: seen.depth, focalLength: pose.focalLength) * view.scale
        let height = width * Double(pin.imageSize.height) / Double(pin.imageSize.width)
        (sight.x, sight.y, sight.depth) = (x, y, seen.depth)
        (sight.width, sight.height, sight.rotation) = (width, height, seen.lean)
        let bounds = sight.bounds
        let image = view.size
        if let maxDistance, path.distance > maxDistance {
            sight.culled = .beyond
        } else if bounds.maxX <= 0 || bounds.maxY <= 0 || bounds.x >= Double(image.width)
            || bounds.y >= Double(image.height)
        {
            sight.culled = .outside
        } else if width * height > 4 * Double(max(image.pixels, 1 << 20)) {
            sight.culled = .tooLarge
        } else if width < 1 {
            sight.culled = .tooSmall
        }
        return sight
    }
}

/// How pixels of an upright image become pixels of the output.
struct FramedView {
    let size: PixelSize
    let scale: Double
    private let originX: Double
    private let originY: Double

    init(of image: PixelSize, _ framing: Framing) {
        let layout = framing.layout(for: image)
        size = layout.canvas
        scale = Double(layout.image.width) / layout.region.width
        // A padded image lies where ``Image/onCanvas(_:gravity:background:)`` puts it.
        let left = (Double(layout.canvas.width - layout.image.width) * framing.gravity.x).rounded(.down)
        let top = (Double(layout.canvas.height - layout.image.height) * framing.gravity.y).rounded(.down)
        originX = left - layout.region.x * scale
        originY = top - layout.region.y * scale
    }

    func output(x: Double, y: Double) -> (x: Double, y: Double) { (originX + x * scale, originY + y * scale) }
}
