import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Files made by cjxl of images that follow a formula.
@Suite struct JXLReaderTests {
    private static let size = PixelSize(width: 72, height: 56)

    /// Returns red, green, blue and alpha, 0 to 255.
    private static func pixel(_ x: Int, _ y: Int) -> [Int] {
        [3 * x + 20, 4 * y + 10, max(0, 255 - 2 * x - y), max(0, 255 - 3 * x)]
    }

    private static func values(_ components: Int, _ value: ([Int]) -> [Int]) -> [Int] {
        (0..<size.height).flatMap { y in
            (0..<size.width).flatMap { x in value(pixel(x, y)).prefix(components).map { min(255, $0) } }
        }
    }

    @Test func decodesWithoutLoss() throws {
        let alpha = try DecodedImage(fixture: "JXL/alpha.jxl")
        #expect(alpha.header.format == .jxl && alpha.header.layout == .rgba && alpha.damage == nil)
        #expect(alpha.values == Self.values(4) { $0 })
        let grey = try DecodedImage(fixture: "JXL/grey.jxl")
        #expect(grey.header.model == .grey && grey.values == Self.values(3) { [$0[0], $0[0], $0[0]] })
        let deep = try DecodedImage(fixture: "JXL/deep.jxl")
        #expect(deep.header.rowBits == 16 && deep.header.depth == 16)
        #expect(deep.values == Self.values(3) { $0 }.map { $0 * 257 })
    }

    @Test func decodesLikeDjxl() throws {
        let image = try DecodedImage(fixture: "JXL/lossy.jxl")
        #expect(image.visibleDistance(to: try Fixture.imageBytes("JXL/lossy.jxl.rgb")) <= 1)
        #expect(image.header.codePoints?.primaries == 1 && image.header.codePoints?.transfer == 13)
    }

    /// Red stays pure red in the colour space of the file, which the header reports.
    @Test(arguments: [("p3-red", 12, 13), ("pq", 9, 16), ("hlg", 9, 18)])
    func keepsItsColors(name: String, primaries: Int, transfer: Int) throws {
        let image = try DecodedImage(fixture: "JXL/\(name).jxl")
        let points = try #require(image.header.codePoints)
        #expect(points.primaries == primaries && points.transfer == transfer)
        guard name == "p3-red" else { return }
        #expect(image.value(8, 8, 0) >= 250 && image.value(8, 8, 1) <= 10 && image.value(8, 8, 2) <= 20)
    }

    @Test func countsFrames() throws {
        let image = try DecodedImage(fixture: "JXL/animated.jxl")
        #expect(image.header.frames == 4)
        #expect(image.values == Self.values(3) { $0 })
        #expect(throws: MediaError.self) {
            try DecodedImage(fixture: "JXL/animated.jxl", limits: Limits(frames: 3))
        }
        let unlimited = Limits(pixels: .max, inputBytes: .max, frames: .max)
        #expect(try DecodedImage(fixture: "JXL/animated.jxl", limits: unlimited).header.frames == 4)
    }

    /// Boxes compressed by Brotli; the orientation counts once.
    @Test func readsMetadata() throws {
        let header = try DecodedImage(fixture: "JXL/metadata.jxl").header
        #expect(header.exif.flatMap { EXIFBlock($0) }?.artist == "Ann")
        #expect(header.xmp.map { String(decoding: $0, as: UTF8.self) }?.contains("(c) Ann") == true)
        #expect(header.size == Self.size && header.uprightOrientation == .quarterTurnClockwise)
    }

    /// The part before the cut is shown and the rest counts as missing, once the first groups are complete; nothing
    /// hangs.
    @Test(arguments: 1..<20)
    func endsEarly(part: Int) throws {
        let bytes = try Fixture.imageBytes("JXL/groups.jxl")
        let whole = try DecodedImage(bytes)
        do {
            let cut = try DecodedImage(bytes.prefix(bytes.count * part / 20))
            let damage = try #require(cut.damage)
            #expect(damage.description == "the file ends early")
            // A preview of a missing block may equal it in flat areas.
            let different = zip(cut.values, whole.values).count { abs($0 - $1) > 8 }
            let share = Double(different) / Double(whole.values.count)
            #expect(damage.missingShare >= share - 0.02 && damage.missingShare <= 1, "\(damage.missingShare) \(share)")
        } catch let error as MediaError {
            #expect(error.kind == .decoding && part < 8, "\(error)")
        }
    }

    @Test func limitsComeFirst() throws {
        let error = #expect(throws: MediaError.self) {
            try DecodedImage(fixture: "JXL/groups.jxl", limits: Limits(pixels: 600 * 600 - 1))
        }
        #expect(error?.kind == .limit)
    }
}
