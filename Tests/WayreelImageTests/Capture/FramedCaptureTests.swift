import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Framed captures of plain colours, compared pixel by pixel.
@Suite struct FramedCaptureTests {
    private typealias Pixel = [Int]

    private static let (red, green, blue): (Pixel, Pixel, Pixel) = ([255, 0, 0], [0, 255, 0], [0, 0, 255])

    /// Makes a PNG whose pixel at `x`, `y` is `color(x, y)`.
    private func source(_ width: Int, _ height: Int, _ color: (Int, Int) -> Pixel) throws -> [UInt8] {
        let pixels = (0..<width * height).map { color($0 % width, $0 / width) }
        let image = try Image(
            size: PixelSize(width: width, height: height), components: pixels[0].count, values: pixels.flatMap(\.self),
            full: 255)
        return try image.encoded(Encoding(.png))
    }

    private func prepare(
        _ bytes: [UInt8], _ framing: Framing, background: RGBColor? = nil, format: Encoding.Format = .png,
        filters: [Filter] = []
    ) throws -> (image: DecodedImage, capture: PreparedCapture) {
        let options = CaptureOptions(
            framing: framing, background: background, filters: filters, encoding: Encoding(format, quality: 100))
        let capture = try CapturePipeline(options).prepare(MediaBytes(bytes))
        return (try DecodedImage(capture.bytes), capture)
    }

    private func pixel(_ image: DecodedImage, _ x: Int, _ y: Int) -> Pixel {
        (0..<image.header.layout.components).map { image.value(x, y, $0) }
    }

    @Test(arguments: [(Gravity.center, 10), (.west, 0), (.east, 20)])
    func padsBesideTheImage(gravity: Gravity, left: Int) throws {
        let bytes = try source(40, 40) { _, _ in Self.red }
        let framing = Framing(screen: PixelSize(width: 40, height: 20), fit: .pad, gravity: gravity)
        let image = try prepare(bytes, framing, background: RGBColor("#0000ff")).image
        #expect(image.header.size == PixelSize(width: 40, height: 20))
        for x in 0..<40 {
            let expected = (left..<left + 20).contains(x) ? Self.red : Self.blue
            #expect(pixel(image, x, 0) == expected && pixel(image, x, 19) == expected)
        }
    }

    /// The padding has the background's colour, whatever the filters do to the image.
    @Test func filtersLeavePaddingAlone() throws {
        let bytes = try source(20, 20) { _, _ in Self.green }
        let framing = Framing(screen: PixelSize(width: 40, height: 20), fit: .pad)
        let image = try prepare(bytes, framing, background: .white, filters: [Filter("invert")]).image
        #expect(pixel(image, 0, 0) == [255, 255, 255])
        #expect(pixel(image, 20, 10) == [255, 0, 255])
    }

    @Test func paddingMayBeTransparent() throws {
        let bytes = try source(20, 20) { _, _ in Self.green }
        let framing = Framing(screen: PixelSize(width: 40, height: 20), fit: .pad)
        let image = try prepare(bytes, framing, background: .clear).image
        #expect(pixel(image, 0, 0)[3] == 0)
        #expect(pixel(image, 20, 10) == [0, 255, 0, 255])
    }

    /// Source over (CSS Compositing, section 5): half a red over white.
    @Test func drawsTheBackgroundBehindTransparency() throws {
        let bytes = try source(8, 8) { x, _ in x < 4 ? [255, 0, 0, 128] : [0, 0, 0, 0] }
        let white = try prepare(bytes, Framing(), background: .white).image
        #expect(white.header.layout == .rgb)
        #expect(pixel(white, 0, 0) == [255, 127, 127] && pixel(white, 7, 7) == [255, 255, 255])
        let kept = try prepare(bytes, Framing()).image
        #expect(pixel(kept, 0, 0) == [255, 0, 0, 128])
        let jpeg = try prepare(bytes, Framing(), background: .white, format: .jpeg).image
        #expect(pixel(jpeg, 7, 7).allSatisfy { $0 >= 253 })
    }

    @Test func jpegHasNoTransparentBackground() {
        let options = CaptureOptions(background: .clear)
        let error = #expect(throws: MediaError.self) { try CapturePipeline(options) }
        #expect(error?.kind == .parameter && error?.step == .background)
    }

    /// Trimmed parts do not affect the edges of the rest, even if it is scaled down.
    @Test(arguments: [1.0, 0.5, 0.3])
    func trimsABorderOfOneColour(scale: Double) throws {
        let bytes = try source(120, 90) { x, y in
            (20..<80).contains(x) && (10..<70).contains(y) ? Self.red : [250, 255, 252]
        }
        let image = try prepare(bytes, Framing(scale: scale, trim: 10)).image
        let side = Int((60 * scale).rounded())
        #expect(image.header.size == PixelSize(width: side, height: side))
        #expect(image.values == (0..<side * side).flatMap { _ in Self.red })
    }

    /// A border may vary by up to the tolerance.
    @Test(arguments: [(10.0, 99), (4.0, 119)])
    func trimsWithinTheTolerance(tolerance: Double, width: Int) throws {
        let bytes = try source(120, 20) { x, _ in x < 100 ? [0, 0, x == 0 ? 5 : 200] : [0, 0, x % 2 * 10] }
        #expect(try prepare(bytes, Framing(trim: tolerance)).image.header.size.width == width)
    }

    @Test func trimsTransparency() throws {
        let bytes = try source(30, 30) { x, y in
            (5..<12).contains(x) && (9..<30).contains(y) ? [9, 9, 9, 255] : [x * 8, y * 8, 0, 0]
        }
        #expect(try prepare(bytes, Framing(trim: 10)).image.header.size == PixelSize(width: 7, height: 21))
    }

    @Test func oneColourIsNotTrimmedAway() throws {
        let (image, capture) = try prepare(try source(30, 20) { _, _ in Self.blue }, Framing(trim: 10))
        #expect(image.header.size == PixelSize(width: 30, height: 20))
        #expect(capture.warnings.map(\.step) == [.trim])
    }

    /// A patch of fine detail on grey, at any position and in any orientation.
    @Test(arguments: [(20, 30), (290, 30), (150, 20)], Orientation.allCases)
    func attentionFindsSalientDetail(at position: (Int, Int), orientation: Orientation) throws {
        let bytes = try source(400, 100) { x, y in
            let isInside = (position.0..<position.0 + 60).contains(x) && (position.1..<position.1 + 50).contains(y)
            return isInside && (x / 3 + y / 3) % 2 == 0 ? [220, 40, 30] : [128, 128, 128]
        }
        let turned = try Image(DecodedImage(bytes)).turned(upright: orientation).encoded(Encoding(.png))
        let screen = PixelSize(width: 100, height: 100)
        let found = try prepare(turned, Framing(screen: screen, cropsToAttention: true)).image
        // 60 × 50 pixels, of which every other square of 3 × 3 is red.
        let red = (0..<100 * 100).count { found.value($0 % 100, $0 / 100, 1) < 60 }
        #expect((1400...1600).contains(red), "\(red)")
    }

    @Test func warnsAboutSmallSources() throws {
        let bytes = try source(30, 20) { _, _ in Self.blue }
        let screen = PixelSize(width: 300, height: 200)
        #expect(try prepare(bytes, Framing(screen: screen)).capture.warnings.map(\.step) == [.resample])
        #expect(try prepare(bytes, Framing(screen: screen, enlarges: true)).capture.warnings.isEmpty)
        #expect(try prepare(bytes, Framing(screen: PixelSize(width: 30, height: 20))).capture.warnings.isEmpty)
    }

    @Test func reportsTheChosenQuality() throws {
        let photo = try Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg"))
        var options = CaptureOptions(encoding: Encoding(.jpeg, maxBytes: 30_000))
        let found = try CapturePipeline(options).prepare(MediaBytes(photo))
        let quality = try #require(found.foundQuality)
        // Requesting the same quality makes the same file, and the next quality makes too large a file.
        options.encoding = Encoding(.jpeg, quality: quality)
        let same = try CapturePipeline(options).prepare(MediaBytes(photo))
        #expect(same.bytes == found.bytes && same.foundQuality == nil)
        options.encoding = Encoding(.jpeg, quality: quality + 1)
        #expect(try CapturePipeline(options).prepare(MediaBytes(photo)).bytes.count > 30_000)
    }
}
