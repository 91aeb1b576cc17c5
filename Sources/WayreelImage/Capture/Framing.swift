public import WayreelCore

/// Crop and scaling of a capture for a screen.
public struct Framing: Hashable, Sendable {
    /// The screen in pixels; nil keeps the capture's size. A side of 0 follows from the capture's aspect ratio.
    public var screen: PixelSize?
    /// Factor for the screen size, such as a device pixel ratio; without a screen, for the capture's size.
    public var scale: Double
    public var fit: Fit
    /// Alignment of a crop in the capture, or of a padded capture on its canvas.
    public var gravity: Gravity
    /// Crops to the salient part instead of by `gravity`: edges, saturated colours and skin.
    public var cropsToAttention: Bool
    /// Keeps only a part of the upright image, first of all.
    public var crop: Crop?
    /// Mirrors the upright image after the crop.
    public var flip: Flip?
    /// Rotates the image after ``flip``. All other settings see the result: screen, fit, gravity.
    public var rotation: Rotation?
    /// Trims a border of uniform colour first. The value is the max difference of a component from the top left
    /// pixel's, 0 to 255; nil keeps borders.
    public var trim: Double?
    /// Rotates the screen to the capture's orientation, so that a portrait capture fills a portrait screen.
    public var turnsScreen: Bool
    /// Upscales a capture that is smaller than the screen.
    public var enlarges: Bool
    /// Resamples in linear light.
    public var inLinearLight: Bool
    /// Decodes an image that is reduced at its full size and with all of its filters first. A JPEG is decoded at some eighths
    /// of its size otherwise, and a HEIC image that becomes much smaller without its loop filters.
    public var decodesFully: Bool

    public init(
        screen: PixelSize? = nil, scale: Double = 1, fit: Fit = .cover, gravity: Gravity = .center,
        cropsToAttention: Bool = false, trim: Double? = nil, turnsScreen: Bool = true, enlarges: Bool = false,
        inLinearLight: Bool = false, decodesFully: Bool = false, crop: Crop? = nil, flip: Flip? = nil,
        rotation: Rotation? = nil
    ) {
        (self.crop, self.flip, self.rotation) = (crop, flip, rotation)
        self.screen = screen
        self.scale = scale
        self.fit = fit
        self.gravity = gravity
        self.cropsToAttention = cropsToAttention
        self.trim = trim
        self.turnsScreen = turnsScreen
        self.enlarges = enlarges
        self.inLinearLight = inLinearLight
        self.decodesFully = decodesFully
    }

    /// The default trim tolerance, the same as in libvips.
    public static let trimTolerance = 10.0

    /// Throws a `parameter` error for a screen out of range or contradictory settings.
    package func check() throws(MediaError) {
        func refuse(_ reason: String, _ advice: MediaError.Advice) -> MediaError {
            MediaError(.parameter, step: .screen, reason: reason, advice: advice)
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
                throw refuse("fit \(fit.rawValue) needs both sides of a screen", "use WIDTHxHEIGHT")
            }
        }
        if cropsToAttention, fit != .cover {
            throw refuse("fit \(fit.rawValue) crops nothing, so gravity attention has no effect", "use fit cover")
        }
        guard crop == nil || trim == nil else {
            throw refuse("a crop says what is kept, so that trimming has no effect", "leave out one of them")
        }
        if let trim, !(0...255).contains(trim) {
            throw refuse("a trim tolerance of \(trim.shortDescription) is out of range", "use 0 to 255")
        }
    }

    /// Returns the plan for an image stored at `size` that is shown upright after `orientation`.
    package func plan(for size: PixelSize, orientation: Orientation) -> ResamplingPlan {
        plan(layout(for: orientation.upright(size)), for: size, orientation: orientation)
    }

    /// Returns the plan for a given layout.
    package func plan(_ layout: FrameLayout, for size: PixelSize, orientation: Orientation) -> ResamplingPlan {
        ResamplingPlan(
            source: size, region: orientation.stored(layout.region, in: size),
            output: orientation.upright(layout.image),
            inLinearLight: inLinearLight, decodesFully: decodesFully)
    }

    /// Returns the layout of an upright image of `size` on the output.
    package func layout(for size: PixelSize) -> FrameLayout {
        guard var screen else { return self.layout(size, scaledBy: scale) }
        let isOneSided = screen.width == 0 || screen.height == 0
        if turnsScreen, !isOneSided, size.isLandscape && screen.isPortrait || size.isPortrait && screen.isLandscape {
            screen = screen.turned
        }
        if scale != 1 { screen = screen.scaled(by: scale, minimum: isOneSided ? 0 : 1) }
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
            // Keeps the whole image, rounded to output pixels; the crop is chosen after decoding.
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

/// The position of an image on the output; upright, in pixels.
package struct FrameLayout: Hashable, Sendable {
    /// The part of the source that is resampled.
    package var region: ResamplingPlan.Region
    /// Size of the resampled region.
    package var image: PixelSize
    /// Output size: larger than the image if it is padded, smaller if the crop is still to be chosen.
    package var canvas: PixelSize
    /// Whether the image stays smaller than the screen because upscaling is off.
    package var isSmall: Bool
}

extension FrameLayout {
    /// The whole image of `size`, scaled to the whole output.
    fileprivate init(whole size: PixelSize, becomes image: PixelSize, isSmall: Bool) {
        let whole = ResamplingPlan.Region(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        self.init(region: whole, image: image, canvas: image, isSmall: isSmall)
    }
}

/// Missing keys keep their defaults.
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
        try container.read(.decodesFully, into: &decodesFully)
        try container.read(.crop, into: &crop)
        try container.read(.flip, into: &flip)
        try container.read(.rotation, into: &rotation)
    }
}

extension PixelSize {
    /// Scaled and rounded to whole pixels, at minimum `minimum`.
    fileprivate func scaled(by factor: Double, minimum: Int = 1) -> PixelSize {
        guard factor != 1 else { return self }
        // A header may declare any size; limits are checked afterwards.
        func scaled(_ side: Int) -> Int { max(minimum, Int(min((Double(side) * factor).rounded(), 1e15))) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}

extension Orientation {
    /// Maps a region of the upright image to the stored image of `size`.
    fileprivate func stored(_ upright: ResamplingPlan.Region, in size: PixelSize) -> ResamplingPlan.Region {
        var region = swapsSides ? upright.transposed : upright
        if startsAtRight { region.x = Double(size.width) - region.x - region.width }
        if startsAtBottom { region.y = Double(size.height) - region.y - region.height }
        return region
    }
}

extension ResamplingPlan.Region {
    fileprivate var transposed: Self { Self(x: y, y: x, width: height, height: width) }
}
