import Testing
import WayreelCore
import WayreelImage

@Suite struct FramingTests {
    /// Sizes worked out by hand.
    @Test(arguments: [
        ("3264x2448", "960x640", Fit.cover, false, "960x640"),
        // The screen turns with the capture.
        ("2448x3264", "960x640", .cover, false, "640x960"),
        ("3264x2448", "640x960", .cover, false, "960x640"),
        ("3264x2448", "960x640", .contain, false, "853x640"),
        ("3264x2448", "960x640", .width, false, "960x720"),
        ("300x3000", "640x960", .contain, false, "96x960"),
        // Never larger, but of the screen's shape.
        ("800x600", "960x640", .cover, false, "800x533"),
        ("800x600", "960x640", .contain, false, "800x600"),
        ("800x600", "960x640", .width, false, "800x600"),
        ("800x600", "960x640", .cover, true, "960x640"),
        ("800x600", "960x640", .contain, true, "853x640"),
        ("800x600", "1600x1", .width, true, "1600x1200"),
        // A square one leaves the screen as it is.
        ("1000x1000", "640x960", .cover, false, "640x960"),
        ("1x1", "960x640", .cover, false, "1x1"), ("1x20000", "640x960", .contain, false, "1x960"),
        ("20000x1", "640x960", .cover, false, "2x1"),
    ])
    func sizes(source: String, screen: String, fit: Fit, enlarges: Bool, output: String) throws {
        let framing = Framing(screen: PixelSize(screen), fit: fit, enlarges: enlarges)
        let plan = framing.plan(for: try #require(PixelSize(source)), orientation: .upright)
        #expect(plan.output == PixelSize(output))
    }

    @Test func screenStaysWhenToldTo() throws {
        let framing = Framing(screen: PixelSize(width: 640, height: 960), turnsScreen: false)
        #expect(
            framing.plan(for: PixelSize(width: 3000, height: 2000), orientation: .upright).output
                == PixelSize(width: 640, height: 960))
    }

    @Test(arguments: Gravity.allCases)
    func gravityKeepsItsSide(gravity: Gravity) {
        let framing = Framing(screen: PixelSize(width: 100, height: 100), gravity: gravity)
        let wide = framing.plan(for: PixelSize(width: 400, height: 200), orientation: .upright).region
        #expect(wide == ResamplingPlan.Region(x: 200 * gravity.x, y: 0, width: 200, height: 200))
        let high = framing.plan(for: PixelSize(width: 200, height: 400), orientation: .upright).region
        #expect(high == ResamplingPlan.Region(x: 0, y: 200 * gravity.y, width: 200, height: 200))
    }

    /// Where EXIF 2.32 says the pixel of an upright picture's column `x` and row `y` is stored, in a stored picture of
    /// `size`: by the sides of the picture that row 0 and column 0 stand for.
    static func stored(_ x: Double, _ y: Double, _ orientation: Orientation, _ size: PixelSize) -> (Double, Double) {
        let (w, h) = (Double(size.width), Double(size.height))
        return switch orientation {
        case .upright: (x, y)  // row 0 top, column 0 left
        case .mirrored: (w - x, y)  // top, right
        case .halfTurn: (w - x, h - y)  // bottom, right
        case .flipped: (x, h - y)  // bottom, left
        case .transposed: (y, x)  // left, top
        case .quarterTurnClockwise: (y, h - x)  // right, top
        case .transversed: (w - y, h - x)  // right, bottom
        case .quarterTurnCounterclockwise: (w - y, x)  // left, bottom
        }
    }

    @Test(arguments: Orientation.allCases, [Gravity.northWest, .east, .southEast, .center])
    func cropIsFoundInTheStoredPicture(orientation: Orientation, gravity: Gravity) {
        let stored = PixelSize(width: 400, height: 300)
        let framing = Framing(screen: PixelSize(width: 50, height: 90), gravity: gravity, turnsScreen: false)
        let upright = framing.plan(for: orientation.upright(stored), orientation: .upright)
        let plan = framing.plan(for: stored, orientation: orientation)
        #expect(orientation.upright(plan.output) == upright.output)
        let a = Self.stored(upright.region.x, upright.region.y, orientation, stored)
        let b = Self.stored(
            upright.region.x + upright.region.width, upright.region.y + upright.region.height, orientation, stored)
        #expect(abs(plan.region.x - min(a.0, b.0)) < 1e-9 && abs(plan.region.y - min(a.1, b.1)) < 1e-9)
        #expect(abs(plan.region.width - abs(a.0 - b.0)) < 1e-9 && abs(plan.region.height - abs(a.1 - b.1)) < 1e-9)
    }
}
