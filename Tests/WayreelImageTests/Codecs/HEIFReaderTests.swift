import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct HEIFReaderTests {
    /// Against the dumps of another AVIF library, or what went into the encoder.
    @Test(arguments: [
        ("lossless.avif", "lossless.avif.rgb", 2), ("yuv.avif", "yuv.avif.rgb", 24), ("lossless.heic", "base.rgb", 3),
        ("lossless-alpha.avif", "lossless-alpha.avif.rgba", 2),
    ])
    func decodes(name: String, dump: String, tolerance: Int) throws {
        let picture = try DecodedPicture(fixture: name)
        #expect(picture.header.format == (name.hasSuffix("avif") ? .avif : .heif))
        #expect(picture.header.size == PixelSize(width: 33, height: 25))
        #expect(picture.visibleDistance(to: try Fixture.imageBytes(dump)) <= tolerance)
    }

    @Test(arguments: [10, 12])
    func decodesDeepPictures(depth: Int) throws {
        let picture = try DecodedPicture(fixture: "deep-\(depth).avif")
        #expect(picture.header.depth == depth)
        #expect(picture.header.rowBits == 16)
        let dump = try Fixture.imageBytes("base16.rgb48")
        let expected = stride(from: 0, to: dump.count, by: 2).map { Int(dump[$0]) | Int(dump[$0 + 1]) << 8 }
        // The file holds the same picture in fewer bits.
        #expect(picture.distance(to: expected) <= 65535 / (1 << depth - 1) + 1)
        #expect(picture.values.max() == 65535 && picture.values.min() == 0)
        let points = ColorCodePoints(primaries: 12, transfer: 13, matrix: 0, isFullRange: true)
        #expect(picture.header.codePoints == points)
    }

    /// The file is stored lying and carries a transform that stands it up.
    @Test func turnsOnce() throws {
        let picture = try DecodedPicture(fixture: "turned.avif")
        #expect(picture.header.size == PixelSize(width: 25, height: 33))
        #expect(picture.header.orientation == .upright)
        #expect(!picture.header.obeysEXIFOrientation)
        let stored = try Fixture.imageBytes("turned.avif.rgb")
        let upright = (0..<33).flatMap { y in
            (0..<25).flatMap { x in (0..<3).map { Int(stored[((24 - x) * 33 + y) * 3 + $0]) } }
        }
        #expect(picture.distance(to: upright) <= 2)
        #expect(picture.header.profile?.count == 588)
        #expect(picture.header.xmp == Array("<x:xmpmeta/>".utf8))
    }

    /// Two tiles of 64 × 64, of which the grid shows 120 columns; red is 2x, green 4y, blue 255 - x.
    @Test func joinsTheTilesOfAGrid() throws {
        let picture = try DecodedPicture(fixture: "grid.avif")
        #expect(picture.header.size == PixelSize(width: 120, height: 64))
        #expect(picture.header.frames == 1)
        let expected = (0..<64).flatMap { y in (0..<120).flatMap { x in [2 * x, 4 * y, 255 - x] } }
        #expect(picture.distance(to: expected) <= 3)
    }

    /// Block means of a real capture, taken from heif-convert's PNG of it: 240 rows by 360 columns each.
    @Test func decodesACapture() throws {
        let means: [[[Int]]] = [
            [[176, 180, 189], [197, 191, 189], [212, 189, 165]],
            [[174, 169, 168], [196, 192, 190], [218, 202, 185]],
            [[179, 175, 171], [192, 191, 189], [220, 204, 187]],
            [[183, 181, 176], [201, 196, 189], [214, 202, 191]],
            [[187, 185, 180], [211, 204, 198], [200, 192, 186]],
            [[187, 183, 178], [190, 186, 181], [191, 186, 181]],
            [[182, 178, 173], [185, 182, 177], [189, 186, 180]],
            [[178, 172, 167], [180, 177, 172], [181, 177, 172]],
        ]
        let picture = try DecodedPicture(Fixture.file(Fixture.media("captures/still-photo.heic")))
        #expect(picture.header.size == PixelSize(width: 1080, height: 1920))
        #expect(picture.header.exif.map { Array($0.prefix(2)) } == Array("MM".utf8))
        #expect(picture.header.codePoints?.matrix == 6)
        for row in 0..<8 {
            for column in 0..<3 {
                for c in 0..<3 {
                    var sum = 0
                    for y in row * 240..<row * 240 + 240 {
                        for x in column * 360..<column * 360 + 360 { sum += picture.value(x, y, c) }
                    }
                    #expect(abs(Double(sum) / 86400 - Double(means[row][column][c])) <= 1)
                }
            }
        }
    }
}
