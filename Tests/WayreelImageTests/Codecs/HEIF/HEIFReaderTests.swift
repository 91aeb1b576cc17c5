import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct HEIFReaderTests {
    /// Compared with the dumps of another AVIF library, or with the encoder's input.
    @Test(arguments: [
        ("lossless.avif", "lossless.avif.rgb", 2), ("yuv.avif", "yuv.avif.rgb", 24), ("lossless.heic", "base.rgb", 3),
        ("lossless-alpha.avif", "lossless-alpha.avif.rgba", 2),
    ])
    func decodes(name: String, dump: String, tolerance: Int) throws {
        let image = try DecodedImage(fixture: name)
        #expect(image.header.format == (name.hasSuffix("avif") ? .avif : .heif))
        #expect(image.header.size == PixelSize(width: 33, height: 25))
        #expect(image.visibleDistance(to: try Fixture.imageBytes(dump)) <= tolerance)
    }

    @Test(arguments: [10, 12])
    func decodesDeepImages(depth: Int) throws {
        let image = try DecodedImage(fixture: "deep-\(depth).avif")
        #expect(image.header.depth == depth)
        #expect(image.header.rowBits == 16)
        let expected = try Fixture.imageBytes("base16.rgb48").shorts
        // The file contains the same image in fewer bits.
        #expect(image.distance(to: expected) <= 65535 / (1 << depth - 1) + 1)
        #expect(image.values.max() == 65535 && image.values.min() == 0)
        let points = ColorCodePoints(primaries: 12, transfer: 13, matrix: 0, isFullRange: true)
        #expect(image.header.codePoints == points)
    }

    /// The file is stored sideways with a transform that turns it upright, which the header reports.
    @Test func readsRotatedImages() throws {
        let image = try DecodedImage(fixture: "turned.avif")
        #expect(image.header.size == PixelSize(width: 33, height: 25))
        #expect(image.header.uprightOrientation == .quarterTurnClockwise)
        #expect(!image.header.obeysEXIFOrientation)
        #expect(image.distance(to: try Fixture.imageBytes("turned.avif.rgb").map(Int.init)) <= 2)
        #expect(image.header.profile?.count == 588)
        #expect(image.header.xmp == Array("<x:xmpmeta/>".utf8))
    }

    /// Two tiles of 64 × 64, of which the grid shows 120 columns; red is 2x, green 4y, blue 255 - x.
    @Test func joinsTheTilesOfAGrid() throws {
        let image = try DecodedImage(fixture: "grid.avif")
        #expect(image.header.size == PixelSize(width: 120, height: 64))
        #expect(image.header.frames == 1)
        let expected = (0..<64).flatMap { y in (0..<120).flatMap { x in [2 * x, 4 * y, 255 - x] } }
        #expect(image.distance(to: expected) <= 3)
    }

    /// Block means of a real capture, from heif-convert's PNG of it: 240 rows by 360 columns each.
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
        let image = try DecodedImage(Fixture.file(Fixture.media("captures/still-photo.heic")))
        #expect(image.header.size == PixelSize(width: 1080, height: 1920))
        #expect(image.header.exif.map { Array($0.prefix(2)) } == Array("MM".utf8))
        #expect(image.header.codePoints?.matrix == 6)
        for row in 0..<8 {
            for column in 0..<3 {
                for c in 0..<3 {
                    var sum = 0
                    for y in row * 240..<row * 240 + 240 {
                        for x in column * 360..<column * 360 + 360 { sum += image.value(x, y, c) }
                    }
                    #expect(abs(Double(sum) / 86400 - Double(means[row][column][c])) <= 1)
                }
            }
        }
    }

    /// For a single coded image, the rows before the cut are kept, as decoded by libheif from the whole file, and the
    /// rest is missing.
    @Test(arguments: [5, 10, 15])
    func keepsRowsBeforeATruncation(part: Int) throws {
        let bytes = try Fixture.bytes(Fixture.media("captures/still-photo.heic"))
        let whole = try DecodedImage(bytes)
        let cut = try DecodedImage(bytes.prefix(bytes.count * part / 20))
        let missing = try #require(cut.damage).missingShare
        #expect(missing > 0.1 && missing < 1)
        // Blocks are lost in raster order; a decoder notices within three rows of them, and filters extend over their
        // edges.
        let kept = (Int(Double(1920) * (1 - missing)) - 4 * 64) * 1080 * 3
        #expect(kept > 0 && cut.values.prefix(kept) == whole.values.prefix(kept))
        #expect(cut.values.last == 128)
    }

    /// A decoder that continues beyond the end of the data does not make the rest present.
    @Test(arguments: [0.3, 0.6, 0.9])
    func countsTheMissingBytesOfASingleImage(part: Double) throws {
        let folder = TemporaryFolder()
        // Opaque and without metadata: the boxes are followed by nothing but the coded image.
        try SampleVideo.make(
            ["-f", "lavfi", "-i", "testsrc2=s=640x480", "-frames:v", "1", "in.png"], in: folder.path)
        try SampleVideo.run("heif-enc", ["-q", "60", "-o", "out.heic", "in.png"], in: folder.path)
        let bytes = try Fixture.bytes("\(folder.path)/out.heic")
        let cut = try DecodedImage(Array(bytes.prefix(Int(Double(bytes.count) * part))))
        #expect(try #require(cut.damage).missingShare > 1 - part - 0.02)
    }

    /// Loop filters are left out from a reduction to a quarter on. Even before it, the PSNR is above 45 dB.
    @Test func leavesOutLoopFiltersOfReducedImages() throws {
        let bytes = try Fixture.file(Fixture.media("captures/still-photo.heic"))
        let whole = try DecodedImage(bytes)
        #expect(try DecodedImage(bytes, reduction: 3.99).values == whole.values)
        let reduced = try DecodedImage(bytes, reduction: 4)
        let squares = zip(reduced.values, whole.values).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
        let ratio = 10 * log10(255 * 255 * Double(whole.values.count) / squares)
        #expect(ratio > 45 && ratio < .infinity)
    }

    /// Phones' captures at the size of a screen, decoded by libheif and by Wayreel: above 45 dB.
    @Test(arguments: [
        "captures/still-photo", "story/captures/library-iphone11pro-12mp", "story/captures/sign-iphone11pro-12mp",
    ])
    func decodesLikeLibheif(name: String) throws {
        let path = Fixture.media("\(name).heic")
        let folder = TemporaryFolder()
        let reference = "\(folder.path)/reference.png"
        let outcome = try Command("/usr/bin/heif-convert", [path, reference]).run()
        try #require(outcome.ending == .exited(0), "\(outcome.errors)")
        let pipeline = try CapturePipeline(
            CaptureOptions(
                framing: Framing(screen: PixelSize(width: 960, height: 640)), encoding: Encoding(.png, metadata: .none))
        )
        let images = try [path, reference].map { path in
            try Image(DecodedImage(pipeline.prepare(Fixture.file(path)).bytes))
        }
        #expect(images[0].size == images[1].size)
        let differences = zip(images[0].values, images[1].values).map { Double($0 - $1) }
        #expect(-10 * log10(differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)) >= 45)
    }
}
