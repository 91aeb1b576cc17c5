import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Compared with the formulas that Fixtures/README.md gives for the samples of each file.
@Suite struct PNGReaderTests {
    /// Returns stored sample `c` of the pixel at (`x`, `y`).
    private static func sample(_ x: Int, _ y: Int, _ c: Int, depth: Int) -> Int {
        depth == 16
            ? (x * 3701 + y * 5903 + c * 10103 + x * y * 701) % 65536
            : (x * 37 + y * 59 + c * 101 + x * y * 7) % (1 << depth)
    }

    private static func palette(_ i: Int) -> [Int] { [i * 7 % 256, i * 13 % 256, 255 - i] }

    /// Returns the expected components for a pixel of colour type `type`.
    private static func expected(_ type: String, _ x: Int, _ y: Int, depth: Int) -> [Int] {
        let s = { (c: Int) in sample(x, y, c, depth: depth) }
        let grey = depth < 8 ? s(0) * 255 / (1 << depth - 1) : s(0)
        switch type {
        case "grey": return [grey, grey, grey]
        case "grey-alpha": return [grey, grey, grey, s(1)]
        case "palette": return palette(s(0))
        default: return (0..<(type == "rgba" ? 4 : 3)).map(s)
        }
    }

    private static let kinds: [(type: String, depth: Int)] = [
        ("grey", 1), ("grey", 2), ("grey", 4), ("grey", 8), ("grey", 16), ("rgb", 8), ("rgb", 16), ("palette", 1),
        ("palette", 2), ("palette", 4), ("palette", 8), ("grey-alpha", 8), ("grey-alpha", 16), ("rgba", 8),
        ("rgba", 16),
    ]

    @Test(arguments: kinds, ["", "-adam7"])
    func decodesEveryKind(kind: (type: String, depth: Int), interlace: String) throws {
        let image = try DecodedImage(fixture: "\(kind.type)-\(kind.depth)\(interlace).png")
        #expect(image.header.size == PixelSize(width: 13, height: 11))
        #expect(image.header.depth == kind.depth)
        #expect(image.header.rowBits == (kind.depth == 16 ? 16 : 8))
        #expect(image.header.isProgressive == !interlace.isEmpty)
        #expect(image.damage == nil)
        let pixels = (0..<11).flatMap { y in
            (0..<13).flatMap { x in Self.expected(kind.type, x, y, depth: kind.depth) }
        }
        #expect(image.values == pixels)
    }

    @Test func paletteTransparency() throws {
        let image = try DecodedImage(fixture: "palette-4-trns.png")
        for y in 0..<11 {
            for x in 0..<13 {
                let index = Self.sample(x, y, 0, depth: 4)
                #expect((0..<4).map { image.value(x, y, $0) } == Self.palette(index) + [(255 - index * 17) % 256])
            }
        }
    }

    @Test(arguments: [("grey-8-trns.png", 8), ("rgb-16-trns.png", 16)])
    func colourKeyTransparency(name: String, depth: Int) throws {
        let image = try DecodedImage(fixture: name)
        let channels = depth == 16 ? 3 : 1
        let key = (0..<channels).map { Self.sample(3, 2, $0, depth: depth) }
        for y in 0..<11 {
            for x in 0..<13 {
                let isKey = (0..<channels).map { Self.sample(x, y, $0, depth: depth) } == key
                #expect(image.value(x, y, 3) == (isKey ? 0 : 1 << depth - 1))
            }
        }
    }

    @Test(arguments: [("one-pixel.png", 1), ("one-wide.png", 20000)])
    func awkwardSizes(name: String, height: Int) throws {
        let image = try DecodedImage(fixture: name)
        #expect(image.header.size == PixelSize(width: 1, height: height))
        let last = (0..<3).map { Self.sample(0, height - 1, $0, depth: 8) }
        #expect(Array(image.values.suffix(3)) == last)
    }

    @Test(arguments: ["rgb-8.png", "rgb-8-adam7.png"])
    func skipsRows(name: String) throws {
        let reader = try ImageDecoder.open(Fixture.file(Fixture.image(name)), limits: .standard, task: TaskContext())
        try reader.skipRows(7)
        #expect(try reader.row().prefix(3).map(Int.init) == (0..<3).map { Self.sample(0, 7, $0, depth: 8) })
    }

    @Test func readsProfileEXIFAndXMP() throws {
        let header = try DecodedImage(fixture: "blocks.png").header
        #expect(header.profile?.count == 588)
        #expect(header.profile.map { Array($0[36..<40]) } == Array("acsp".utf8))
        #expect(
            header.exif == Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0])
        #expect(header.xmp == Array(#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- fixture --></x:xmpmeta>"#.utf8))
    }

    @Test func readsGammaAndPrimaries() throws {
        let header = try DecodedImage(fixture: "gamma.png").header
        #expect(header.gamma == 1)
        let p3 = Chromaticities(
            white: [0.3127, 0.3290], red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06])
        #expect(header.chromaticities?.isNear(p3, tolerance: 1e-5) == true)
        let tagged = try DecodedImage(fixture: "srgb.png").header
        #expect(tagged.gamma == nil && tagged.chromaticities == nil && tagged.profile == nil)
    }

    @Test func readsCodePointsAndFrames() throws {
        let points = ColorCodePoints(primaries: 12, transfer: 13, matrix: 0, isFullRange: true)
        #expect(try DecodedImage(fixture: "cicp.png").header.codePoints == points)
        #expect(try DecodedImage(fixture: "apng.png").header.frames == 7)
        #expect(throws: MediaError.self) { try DecodedImage(fixture: "apng.png", limits: Limits(frames: 6)) }
    }
}
