public import WayreelCore

/// How a capture is framed for a screen: which part of it is kept and how large it becomes.
public struct Framing: Hashable, Sendable, Codable {
    /// The screen in pixels; nil keeps the capture's own size.
    public var screen: PixelSize?
    public var fit: Fit
    /// The part that a crop keeps.
    public var gravity: Gravity
    /// Turns the screen to the capture's orientation, so that a portrait capture fills a portrait screen.
    public var turnsScreen: Bool
    /// Makes a capture larger than it is where the screen is larger.
    public var enlarges: Bool
    /// Resamples in linear light.
    public var inLinearLight: Bool

    public init(
        screen: PixelSize? = nil, fit: Fit = .cover, gravity: Gravity = .center, turnsScreen: Bool = true,
        enlarges: Bool = false, inLinearLight: Bool = false
    ) {
        self.screen = screen
        self.fit = fit
        self.gravity = gravity
        self.turnsScreen = turnsScreen
        self.enlarges = enlarges
        self.inLinearLight = inLinearLight
    }

    /// Throws a `parameter` error for a screen that is none.
    package func check() throws(MediaError) {
        guard let screen else { return }
        let sides = 1...1_000_000
        guard sides.contains(screen.width), sides.contains(screen.height) else {
            throw MediaError(
                .parameter, step: "screen", reason: "a screen of \(screen) pixels is out of range",
                advice: "use 1 to 1000000 on each side")
        }
    }

    /// The plan for a picture stored at `size` that is shown upright after `orientation`.
    package func plan(for size: PixelSize, orientation: Orientation) -> ResamplingPlan {
        let upright = orientation.upright(size)
        let (region, output) = frame(upright)
        return ResamplingPlan(
            source: size, region: orientation.stored(region, in: size), output: orientation.upright(output),
            inLinearLight: inLinearLight)
    }

    /// The part of an upright picture of `size` that is kept, and the size it becomes.
    private func frame(_ size: PixelSize) -> (region: ResamplingPlan.Region, output: PixelSize) {
        let whole = ResamplingPlan.Region(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        guard var screen else { return (whole, size) }
        if turnsScreen, size.isLandscape && screen.isPortrait || size.isPortrait && screen.isLandscape {
            screen = screen.turned
        }
        let across = Double(screen.width) / whole.width
        let down = Double(screen.height) / whole.height
        switch fit {
        case .contain: return (whole, size.scaled(by: allowed(min(across, down))))
        case .width: return (whole, size.scaled(by: allowed(across)))
        case .cover:
            let scale = max(across, down)
            let kept = (width: Double(screen.width) / scale, height: Double(screen.height) / scale)
            let region = ResamplingPlan.Region(
                x: (whole.width - kept.width) * gravity.x, y: (whole.height - kept.height) * gravity.y,
                width: kept.width, height: kept.height)
            return (region, allowed(scale) == scale ? screen : screen.scaled(by: 1 / scale))
        }
    }

    private func allowed(_ scale: Double) -> Double { enlarges ? scale : min(scale, 1) }
}

extension PixelSize {
    /// Rounded to whole pixels, at least one.
    fileprivate func scaled(by factor: Double) -> PixelSize {
        PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded())))
    }
}

extension Orientation {
    /// Where a region of the upright picture lies in the picture as stored, which is of `size`.
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
