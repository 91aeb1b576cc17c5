internal import Glibc
public import WayreelCore
internal import WayreelDrawing

/// The size and appearance of a map.
public struct MapImage: Hashable, Sendable {
    public enum Theme: String, Hashable, Sendable, CaseIterable {
        case light, dark
    }

    public enum FileType: String, Hashable, Sendable, CaseIterable {
        case svg, png
    }

    /// The style of the walk.
    public enum WalkStyle: String, Hashable, Sendable, CaseIterable {
        /// From pale to strong as time passes.
        case time
        case plain
    }

    /// The size in pixels, each side 200 to 16384.
    public var size: PixelSize
    public var theme: Theme
    public var walkStyle: WalkStyle
    /// Whether the scale bar also has feet.
    public var showsFeet: Bool

    public init(
        size: PixelSize = PixelSize(width: 1200, height: 900), theme: Theme = .light, walkStyle: WalkStyle = .time,
        showsFeet: Bool = false
    ) {
        self.size = size
        self.theme = theme
        self.walkStyle = walkStyle
        self.showsFeet = showsFeet
    }

    func check() throws(MediaError) {
        guard size.shorterSide >= 200, size.longerSide <= 16_384, size.pixels <= 64_000_000 else {
            throw MediaError(
                .parameter, step: .map,
                reason: "a map's sides are 200 to 16384 pixels, together 64 million, not \(size)")
        }
    }

    /// The font size in pixels: 13 for 600 × 450, 19 for 1600 × 1200.
    var em: Double {
        min(max(12 * pow(Double(size.width) * Double(size.height) / 180_000, 0.2), 10), 48).rounded()
    }

    var colors: ChartTheme { theme == .dark ? .dark : .light }

    /// The background colour of the map area.
    var ground: RGBColor { colors.background.mixed(with: colors.grid, share: theme == .dark ? 0.45 : 0.4) }
}

extension MapScene {
    /// Draws the map. Equal maps give equal bytes.
    ///
    /// Throws a `parameter` error for a size out of range and for an empty map.
    public func draw(_ image: MapImage, as type: MapImage.FileType) throws(MediaError) -> [UInt8] {
        try image.check()
        let frame = try MapFrame(self, image)
        let sink = MemorySink()
        switch type {
        case .svg:
            var preamble = SVGPreamble()
            (preamble.title, preamble.summary) = (title, summary)
            let canvas = try SVGCanvas(size: image.size, preamble: preamble, sink: sink)
            try MapPainter(self, image, frame, canvas).paint()
            try canvas.finish()
        case .png:
            let surface = try PixelSurface(size: image.size, format: .rgb24)
            let canvas = Canvas(on: surface)
            try MapPainter(self, image, frame, canvas).paint()
            try canvas.finish()
            try surface.writePNG(to: sink)
        }
        return sink.bytes
    }
}

extension MediaError.Step {
    public static let map = MediaError.Step(rawValue: "map")
}
