internal import Glibc
public import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine
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

extension GogglesScene {
    /// The overlays of a capture: the pins from the farthest to the nearest, then their labels.
    public struct Drawing: Sendable {
        /// The overlays to pass to ``CaptureOptions/overlays``.
        public var overlays: [Overlay]
        /// All pins, including those that are not visible.
        public var sights: [Sight]
    }

    /// Throws a `parameter` error for an invalid pose or framing.
    public func drawing(labels isLabelled: Bool = true) throws(MediaError) -> Drawing {
        try pose.check()
        try check(framing)
        let size = outputSize
        var sights = sights
        var overlays: [Overlay] = []
        for sight in sights where sight.culled == nil { overlays.append(.image(overlay(of: sight, on: size))) }
        var labels = PinLabels(on: size, around: sights.filter { $0.culled == nil }.map(\.bounds))
        guard isLabelled else { return Drawing(overlays: overlays, sights: sights) }
        // The labels of the nearest pins are placed first.
        for index in sights.indices.reversed() where sights[index].culled == nil {
            let label = try labels.place(
                name: sights[index].name, distance: sights[index].distance, at: sights[index].bounds)
            sights[index].label = label?.label
            if let label { overlays.append(.text(label.overlay)) }
        }
        return Drawing(overlays: overlays, sights: sights)
    }

    private func overlay(of sight: Sight, on size: PixelSize) -> ImageOverlay {
        let pin = pins[sight.pin]
        return ImageOverlay(
            path: pin.image, gravity: .center, x: .pixels((sight.x ?? 0) - Double(size.width) / 2),
            y: .pixels((sight.y ?? 0) - Double(size.height) / 2),
            scale: .factor((sight.width ?? 0) / Double(pin.imageSize.width)), rotation: sight.rotation ?? 0)
    }

    private func check(_ framing: Framing) throws(MediaError) {
        try framing.check()
        let fault: String? =
            if framing.cropsToAttention {
                "a crop to the salient region is not known before the photo is decoded"
            } else if framing.trim != nil {
                "a border's width is not known before the photo is decoded"
            } else if framing.crop != nil || framing.flip != nil || framing.rotation != nil {
                "the pose is that of the whole photo, not of a part or a mirror image"
            } else if framing.fit == .fill { "fit fill stretches the photo, and with it the angles" } else { nil }
        if let fault {
            throw MediaError(
                .parameter, step: .goggles, reason: "\(fault), so that pins would be in wrong places",
                advice: "use fit cover, contain or pad with a gravity such as center")
        }
    }
}

extension GogglesScene.Sight {
    /// The smallest upright rectangle around the image; empty if the pin is behind the camera.
    var bounds: Rectangle {
        guard let x, let y, let width, let height else { return Rectangle(x: 0, y: 0, width: 0, height: 0) }
        return Rectangle(x: x - width / 2, y: y - height / 2, width: width, height: height)
            .bounds(turnedBy: (rotation ?? 0) * .pi / 180, aboutX: x, y: y)
    }
}
