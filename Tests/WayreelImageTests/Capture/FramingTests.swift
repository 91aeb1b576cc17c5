import FoundationEssentials
import Testing
import WayreelCore
import WayreelImage

@Suite struct FramingTests {
    /// Sizes computed by hand.
    @Test(arguments: [
        ("3264x2448", "960x640", Fit.cover, false, "960x640"),
        // The screen turns with the capture.
        ("2448x3264", "960x640", .cover, false, "640x960"),
        ("3264x2448", "640x960", .cover, false, "960x640"),
        ("3264x2448", "960x640", .contain, false, "853x640"),
        ("3264x2448", "960x640", .width, false, "960x720"),
        ("300x3000", "640x960", .contain, false, "96x960"),
        // The image is never enlarged, but has the screen's shape.
        ("800x600", "960x640", .cover, false, "800x533"),
        ("800x600", "960x640", .contain, false, "800x600"),
        ("800x600", "960x640", .width, false, "800x600"),
        ("800x600", "960x640", .cover, true, "960x640"),
        ("800x600", "960x640", .contain, true, "853x640"),
        ("800x600", "1600x1", .width, true, "1600x1200"),
        // A square capture does not turn the screen.
        ("1000x1000", "640x960", .cover, false, "640x960"),
        ("1x1", "960x640", .cover, false, "1x1"), ("1x20000", "640x960", .contain, false, "1x960"),
        ("20000x1", "640x960", .cover, false, "2x1"),
        ("3264x2448", "960x640", .height, false, "853x640"),
        ("2448x3264", "960x640", .height, false, "720x960"),
        ("3264x2448", "960x640", .fill, false, "960x640"),
        ("2448x3264", "960x640", .fill, false, "640x960"),
        // Each side is scaled independently.
        ("800x400", "960x300", .fill, false, "800x300"), ("800x400", "960x300", .fill, true, "960x300"),
        ("3264x2448", "960x640", .pad, false, "853x640"), ("100x50", "960x640", .pad, false, "100x50"),
    ])
    func sizes(source: String, screen: String, fit: Fit, enlarges: Bool, output: String) throws {
        let framing = Framing(screen: PixelSize(screen), fit: fit, enlarges: enlarges)
        let plan = framing.plan(for: try #require(PixelSize(source)), orientation: .upright)
        #expect(plan.output == PixelSize(output))
    }

    @Test(arguments: [
        (640, 0, 1.0, "3264x2448", "640x480"), (0, 480, 1, "3264x2448", "640x480"), (0, 480, 1, "2448x3264", "360x480"),
        (320, 0, 2, "3264x2448", "640x480"), (5000, 0, 1, "3264x2448", "3264x2448"),
        (480, 320, 2, "3264x2448", "960x640"),
    ])
    func oneSideAndRatio(width: Int, height: Int, scale: Double, source: String, output: String) throws {
        let framing = Framing(screen: PixelSize(width: width, height: height), scale: scale)
        try framing.check()
        #expect(framing.layout(for: try #require(PixelSize(source))).canvas == PixelSize(output))
    }

    @Test(arguments: [(0.5, false, "400x301"), (2, false, "800x601"), (2, true, "1600x1202")])
    func shareOfItsOwnSize(scale: Double, enlarges: Bool, output: String) throws {
        let layout = Framing(scale: scale, enlarges: enlarges).layout(for: PixelSize(width: 800, height: 601))
        #expect(layout.canvas == PixelSize(output) && layout.image == layout.canvas)
        #expect(layout.isSmall == (scale > 1 && !enlarges))
    }

    @Test func padsToACanvas() {
        let framing = Framing(screen: PixelSize(width: 960, height: 640), fit: .pad)
        #expect(framing.layout(for: PixelSize(width: 3264, height: 2448)).canvas == PixelSize(width: 960, height: 640))
        #expect(framing.layout(for: PixelSize(width: 2448, height: 3264)).canvas == PixelSize(width: 640, height: 960))
        #expect(framing.layout(for: PixelSize(width: 10, height: 5)).isSmall)
    }

    /// The scale is that of a crop by gravity; the longer side is kept completely.
    @Test func attentionSeesEverything() {
        let framing = Framing(screen: PixelSize(width: 100, height: 100), cropsToAttention: true)
        let layout = framing.layout(for: PixelSize(width: 1001, height: 500))
        #expect(layout.canvas == PixelSize(width: 100, height: 100))
        #expect(layout.image == PixelSize(width: 200, height: 100))
        #expect(layout.region == ResamplingPlan.Region(x: 0.5, y: 0, width: 1000, height: 500))
    }

    @Test func olderJSONHasDefaults() throws {
        let json = """
            {"screen": {"width": 960, "height": 640}, "fit": "contain", "gravity": "north", "turnsScreen": false,
            "enlarges": true, "inLinearLight": true, "decodesFully": true}
            """
        #expect(
            try JSONDecoder().decode(Framing.self, from: Data(json.utf8))
                == Framing(
                    screen: PixelSize(width: 960, height: 640), fit: .contain, gravity: .north, turnsScreen: false,
                    enlarges: true, inLinearLight: true, decodesFully: true))
        #expect(try JSONDecoder().decode(CaptureOptions.self, from: Data("{}".utf8)) == CaptureOptions())
    }

    @Test(arguments: [
        Framing(screen: PixelSize(width: 640, height: 0), fit: .pad),
        Framing(screen: PixelSize(width: 0, height: 640), fit: .fill), Framing(scale: 0), Framing(scale: .nan),
        Framing(fit: .contain, cropsToAttention: true), Framing(trim: -1), Framing(trim: 256),
        Framing(screen: PixelSize(width: 20_000, height: 20_000), scale: 100),
    ])
    func rejectsContradictions(framing: Framing) {
        let error = #expect(throws: MediaError.self) { try framing.check() }
        #expect(error?.kind == .parameter)
    }

    @Test func keepsTheScreenOrientationOnRequest() throws {
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

    /// Returns the position in a stored image of `size` at which EXIF 2.32 places column `x` and row `y` of the upright
    /// image, given the sides of the stored image at which row 0 and column 0 are.
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
    func cropIsFoundInTheStoredImage(orientation: Orientation, gravity: Gravity) {
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
