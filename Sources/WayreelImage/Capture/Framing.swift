public import WayreelCore

/// How a capture is framed for a screen: which part of it is kept and how large it becomes.
public struct Framing: Hashable, Sendable {
    /// The screen in pixels; nil keeps the capture's own size. A side of 0 follows from the other by the capture's shape.
    public var screen: PixelSize?
    /// Multiplies the screen, as a display's pixel ratio does; without a screen, the capture's own size.
    public var scale: Double
    public var fit: Fit
    /// The part that a crop keeps, and where a padded capture lies on its canvas.
    public var gravity: Gravity
    /// Crops to the part that draws the eye, instead of by `gravity`: edges, saturated colours and skin.
    public var cropsToAttention: Bool
    /// Cuts off a border of one colour first: by how much a component may differ from the top left pixel's, 0 to 255. Nil
    /// keeps borders.
    public var trim: Double?
    /// Turns the screen to the capture's orientation, so that a portrait capture fills a portrait screen.
    public var turnsScreen: Bool
    /// Makes a capture larger than it is where the screen is larger.
    public var enlarges: Bool
    /// Resamples in linear light.
    public var inLinearLight: Bool

    public init(
        screen: PixelSize? = nil, scale: Double = 1, fit: Fit = .cover, gravity: Gravity = .center,
        cropsToAttention: Bool = false, trim: Double? = nil, turnsScreen: Bool = true, enlarges: Bool = false,
        inLinearLight: Bool = false
    ) {
        self.screen = screen
        self.scale = scale
        self.fit = fit
        self.gravity = gravity
        self.cropsToAttention = cropsToAttention
        self.trim = trim
        self.turnsScreen = turnsScreen
        self.enlarges = enlarges
        self.inLinearLight = inLinearLight
    }

    /// How far from a border's colour a pixel of it may be by default: as far as in libvips.
    public static let trimTolerance = 10.0

    /// Throws a `parameter` error for a screen that is none, and for settings that contradict each other.
    package func check() throws(MediaError) {
        func refuse(_ reason: String, _ advice: String) -> MediaError {
            MediaError(.parameter, step: "screen", reason: reason, advice: advice)
        }
        guard (0.001...100).contains(scale) else {
            throw refuse("a scale of \(scale.shortDescription) is out of range", "use 0.001 to 100")
        }
        if let screen {
            let isOneSided = screen.width == 0 || screen.height == 0
            let largest = Double(screen.longerSide) * scale
            guard screen.shorterSide >= 0, screen.longerSide >= 1, largest <= 1_000_000 else {
                throw refuse(
                    "a screen of \(screen)\(scale == 1 ? "" : " × \(scale.shortDescription)") pixels is out of range",
                    "use 1 to 1000000 on each side")
            }
            if isOneSided, fit == .pad || fit == .fill {
                throw refuse("fit \(fit.rawValue) needs both sides of a screen", "give WIDTHxHEIGHT")
            }
        }
        if cropsToAttention, fit != .cover {
            throw refuse("fit \(fit.rawValue) crops nothing, so gravity attention has no meaning", "use fit cover")
        }
        if let trim, !(0...255).contains(trim) {
            throw refuse("a trim tolerance of \(trim.shortDescription) is out of range", "use 0 to 255")
        }
    }

    /// The plan for an image stored at `size` that is shown upright after `orientation`.
    package func plan(for size: PixelSize, orientation: Orientation) -> ResamplingPlan {
        plan(layout(for: orientation.upright(size)), for: size, orientation: orientation)
    }

    /// The plan for the same that makes the image of `layout`.
    package func plan(_ layout: FrameLayout, for size: PixelSize, orientation: Orientation) -> ResamplingPlan {
        ResamplingPlan(
            source: size, region: orientation.stored(layout.region, in: size),
            output: orientation.upright(layout.image),
            inLinearLight: inLinearLight)
    }

    /// Where an upright image of `size` lies on the output.
    package func layout(for size: PixelSize) -> FrameLayout {
        guard var screen else { return self.layout(size, scaledBy: scale) }
        let isOneSided = screen.width == 0 || screen.height == 0
        if turnsScreen, !isOneSided, size.isLandscape && screen.isPortrait || size.isPortrait && screen.isLandscape {
            screen = screen.turned
        }
        if scale != 1 { screen = screen.scaled(by: scale, least: isOneSided ? 0 : 1) }
        let across = Double(screen.width) / Double(size.width)
        let down = Double(screen.height) / Double(size.height)
        switch screen.height == 0 ? .width : screen.width == 0 ? .height : fit {
        case .contain: return layout(size, scaledBy: min(across, down))
        case .width: return layout(size, scaledBy: across)
        case .height: return layout(size, scaledBy: down)
        case .pad:
            var layout = layout(size, scaledBy: min(across, down))
            layout.canvas = screen
            return layout
        case .fill:
            let image = PixelSize(
                width: size.scaled(by: allowed(across)).width, height: size.scaled(by: allowed(down)).height)
            return FrameLayout(whole: size, becomes: image, isSmall: max(across, down) > 1 && !enlarges)
        case .cover: return cover(screen, with: size, scale: max(across, down))
        }
    }

    private func layout(_ size: PixelSize, scaledBy scale: Double) -> FrameLayout {
        FrameLayout(whole: size, becomes: size.scaled(by: allowed(scale)), isSmall: scale > allowed(scale))
    }

    private func cover(_ screen: PixelSize, with size: PixelSize, scale: Double) -> FrameLayout {
        let (width, height) = (Double(size.width), Double(size.height))
        let allowed = allowed(scale)
        let canvas = allowed == scale ? screen : screen.scaled(by: 1 / scale)
        var kept = (width: Double(screen.width) / scale, height: Double(screen.height) / scale)
        var image = canvas
        if cropsToAttention {
            // All of it, to whole pixels of the output; what is kept is chosen when it can be seen.
            image.width = max(canvas.width, Int(min(width * allowed, 1e15)))
            image.height = max(canvas.height, Int(min(height * allowed, 1e15)))
            if image.width > canvas.width { kept.width = min(width, Double(image.width) / allowed) }
            if image.height > canvas.height { kept.height = min(height, Double(image.height) / allowed) }
        }
        let share = cropsToAttention ? Gravity.center : gravity
        let region = ResamplingPlan.Region(
            x: (width - kept.width) * share.x, y: (height - kept.height) * share.y, width: kept.width,
            height: kept.height)
        return FrameLayout(region: region, image: image, canvas: canvas, isSmall: scale > allowed)
    }

    private func allowed(_ scale: Double) -> Double { enlarges ? scale : min(scale, 1) }
}

/// Where an image lies on the output; upright, in pixels.
package struct FrameLayout: Hashable, Sendable {
    /// The part of the source that is resampled.
    package var region: ResamplingPlan.Region
    /// What it becomes.
    package var image: PixelSize
    /// The output: larger than the image where that is padded, smaller where a part of it is still to be chosen.
    package var canvas: PixelSize
    /// Whether the image stays smaller than the screen asks for, because it may not be enlarged.
    package var isSmall: Bool
}

extension FrameLayout {
    /// All of an image of `size`, which becomes the whole output.
    fileprivate init(whole size: PixelSize, becomes image: PixelSize, isSmall: Bool) {
        let whole = ResamplingPlan.Region(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        self.init(region: whole, image: image, canvas: image, isSmall: isSmall)
    }
}

/// Settings that are not there have their defaults.
extension Framing: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        try container.read(.screen, into: &screen)
        try container.read(.scale, into: &scale)
        try container.read(.fit, into: &fit)
        try container.read(.gravity, into: &gravity)
        try container.read(.cropsToAttention, into: &cropsToAttention)
        try container.read(.trim, into: &trim)
        try container.read(.turnsScreen, into: &turnsScreen)
        try container.read(.enlarges, into: &enlarges)
        try container.read(.inLinearLight, into: &inLinearLight)
    }
}

extension PixelSize {
    /// Rounded to whole pixels, at least `least`.
    fileprivate func scaled(by factor: Double, least: Int = 1) -> PixelSize {
        guard factor != 1 else { return self }
        // A header may claim any size; limits refuse what is too large afterwards.
        func scaled(_ side: Int) -> Int { max(least, Int(min((Double(side) * factor).rounded(), 1e15))) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}

extension Orientation {
    /// Where a region of the upright image lies in the image as stored, which is of `size`.
    fileprivate func stored(_ upright: ResamplingPlan.Region, in size: PixelSize) -> ResamplingPlan.Region {
        let fromRight = { (start: Double, length: Double) in Double(size.width) - start - length }
        let fromBottom = { (start: Double, length: Double) in Double(size.height) - start - length }
        var region = swapsSides ? upright.transposed : upright
        switch self {
        case .upright, .transposed: break
        case .mirrored, .quarterTurnCounterclockwise: region.x = fromRight(region.x, region.width)
        case .flipped, .quarterTurnClockwise: region.y = fromBottom(region.y, region.height)
        case .halfTurn, .transversed:
            region.x = fromRight(region.x, region.width)
            region.y = fromBottom(region.y, region.height)
        }
        return region
    }
}

extension ResamplingPlan.Region {
    fileprivate var transposed: Self { Self(x: y, y: x, width: height, height: width) }
}
