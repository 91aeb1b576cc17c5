internal import Glibc
public import WayreelCore
internal import WayreelDrawing
public import WayreelImage
public import WayreelStory

/// Images pinned to geographic positions, seen by a camera: which are visible, at which position, and at which size.
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
        /// The name of the depicted object; nil for none.
        public var name: String?

        public init(image: String, imageSize: PixelSize, position: GeoPoint, metres: Double, name: String? = nil) {
            self.image = image
            self.imageSize = imageSize
            self.position = position
            self.metres = metres
            self.name = name
        }
    }

    /// The reason why a pin is not visible.
    public enum Culling: String, Hashable, Sendable, Codable {
        case behind = "behind the camera"
        case beyond = "beyond the maximum distance"
        case outside = "outside of the image"
        case tooLarge = "so near that it would be more than four times as large as the image"
        case tooSmall = "smaller than a pixel"
    }

    /// A pin as seen by the camera. Pixel values refer to the output.
    public struct Sight: Hashable, Sendable, Codable {
        /// The index of the pin in the author's order.
        public var pin: Int
        public var name: String?
        /// The distance along the ellipsoid in metres.
        public var distance: Double
        /// The direction in degrees clockwise from true north.
        public var bearing: Double
        /// The image's centre; nil if the pin is behind the camera.
        public var x: Double?
        public var y: Double?
        /// The distance along the camera's axis in metres, negative behind the camera.
        public var depth: Double?
        /// The width of the displayed image; its height is ``height``.
        public var width: Double?
        public var height: Double?
        /// The clockwise rotation of the displayed image in degrees, because it is upright in the world.
        public var rotation: Double?
        /// The reason why the pin is not visible; nil if it is visible.
        public var culled: Culling?
        /// The label of the pin; nil if no free position was left.
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
    /// The distance in metres beyond which pins are not visible; nil for no limit.
    public var maxDistance: Double?
    /// The cropping and scaling of the camera's image.
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

    /// The size of the output in pixels.
    public var outputSize: PixelSize { framing.layout(for: pose.imageSize).canvas }

    /// All pins, the farthest first.
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

/// The mapping from pixels of the upright image to pixels of the output.
struct FramedView {
    let size: PixelSize
    let scale: Double
    private let originX: Double
    private let originY: Double

    init(of image: PixelSize, _ framing: Framing) {
        let layout = framing.layout(for: image)
        size = layout.canvas
        scale = Double(layout.image.width) / layout.region.width
        // A padded image is positioned as in ``Image/onCanvas(_:gravity:background:)``.
        let left = (Double(layout.canvas.width - layout.image.width) * framing.gravity.x).rounded(.down)
        let top = (Double(layout.canvas.height - layout.image.height) * framing.gravity.y).rounded(.down)
        originX = left - layout.region.x * scale
        originY = top - layout.region.y * scale
    }

    func output(x: Double, y: Double) -> (x: Double, y: Double) { (originX + x * scale, originY + y * scale) }
}
