import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct ImageEncodersTests {
    private static let exif = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    private static let xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)

    /// Returns the smooth test image in 8 bits, or noise; with straight alpha if it has four components.
    private static func smooth(components: Int) throws -> (image: Image, values: [Int]) {
        let values = try Fixture.imageBytes(components == 4 ? "base.rgba" : "base.rgb").map(Int.init)
        let size = PixelSize(width: 33, height: 25)
        return (try Image(size: size, components: components, values: values, full: 255), values)
    }

    private static func noise(_ size: PixelSize, components: Int, full: Int) throws -> (image: Image, values: [Int]) {
        var random = SeededRandom(seed: 7)
        let values = (0..<size.pixels * components).map { i in
            // Alpha is high enough that 8 bits of straight colour survive premultiplication.
            i % components == 3
                ? Int.random(in: full / 2...full, using: &random) : Int.random(in: 0...full, using: &random)
        }
        return (try Image(size: size, components: components, values: values, full: Double(full)), values)
    }

    private static let sizes = [(1, 1), (1, 37), (53, 1), (33, 25)].map(PixelSize.init)

    @Test(arguments: sizes, [3, 4])
    func pngKeepsEveryBit(size: PixelSize, components: Int) throws {
        for bits in [8, 16] {
            let (image, values) = try Self.noise(size, components: components, full: 1 << bits - 1)
            let decoded = try DecodedImage(image.encoded(Encoding(.png, bits: bits)))
            #expect(decoded.header.size == size)
            #expect(decoded.header.rowBits == bits)
            #expect(decoded.distance(to: values) == 0)
        }
    }

    @Test(arguments: [Encoding.Format.webp, .avif], [3, 4])
    func losslessKeepsEveryBit(format: Encoding.Format, components: Int) throws {
        for size in Self.sizes {
            let (image, values) = try Self.noise(size, components: components, full: 255)
            let decoded = try DecodedImage(image.encoded(Encoding(format, lossless: true)))
            #expect(decoded.header.size == size)
            #expect(decoded.distance(to: values) == 0)
        }
    }

    @Test(arguments: [Encoding.Format.webp, .avif], [3, 4])
    func lossyIsNear(format: Encoding.Format, components: Int) throws {
        let (image, values) = try Self.smooth(components: components)
        let decoded = try DecodedImage(image.encoded(Encoding(format, quality: 90)))
        #expect(decoded.header.layout == (components == 4 ? .rgba : .rgb))
        let visible = values.indices.filter { components == 3 || values[$0 - $0 % 4 + 3] > 200 }
        let error = visible.map { abs(decoded.values[$0] - values[$0]) }.reduce(0, +)
        #expect(Double(error) / Double(visible.count) < 6)
    }

    @Test(arguments: [Encoding.Format.webp, .avif])
    func quality(format: Encoding.Format) throws {
        let (image, _) = try Self.noise(PixelSize(width: 64, height: 64), components: 3, full: 255)
        let counts = try [10, 50, 90].map { try image.encoded(Encoding(format, quality: $0)).count }
        #expect(counts[0] < counts[1] && counts[1] < counts[2])
    }

    private static let encodings = [
        Encoding(.png), Encoding(.png, bits: 16), Encoding(.webp), Encoding(.webp, lossless: true), Encoding(.avif),
        Encoding(.avif, lossless: true),
    ]

    @Test(arguments: encodings)
    func sameBytesTwice(encoding: Encoding) throws {
        let (image, _) = try Self.noise(PixelSize(width: 161, height: 93), components: 4, full: 255)
        #expect(try image.encoded(encoding) == image.encoded(encoding))
    }

    @Test(arguments: encodings)
    func carriesMetadataOnlyWhenGiven(encoding: Encoding) throws {
        let (image, _) = try Self.smooth(components: 3)
        let bare = try DecodedImage(image.encoded(encoding)).header
        #expect(bare.exif == nil && bare.xmp == nil)
        let given = OutputMetadata(exif: Self.exif, xmp: Self.xmp)
        let carried = try DecodedImage(image.encoded(encoding, given)).header
        #expect(carried.exif == Self.exif)
        #expect(carried.xmp == Self.xmp)
    }

    @Test func outputsAreTaggedAsSRGB() throws {
        let (image, _) = try Self.smooth(components: 3)
        let png = try image.encoded(Encoding(.png))
        let chunk = try #require(png.firstRange(of: Array("sRGB".utf8)))
        #expect(png[chunk.upperBound] == 0)
        #expect(png.contains(Array("gAMA".utf8)) && png.contains(Array("cHRM".utf8)))
        #expect(!png.contains(Array("tIME".utf8)))
        #expect(try DecodedImage(image.encoded(Encoding(.webp))).header.profile ?? [] == SRGBProfile.bytes)
        for isLossless in [false, true] {
            let avif = try DecodedImage(image.encoded(Encoding(.avif, lossless: isLossless))).header
            let matrix = isLossless ? 0 : 6
            #expect(
                avif.codePoints == ColorCodePoints(primaries: 1, transfer: 13, matrix: matrix, isFullRange: true))
        }
    }

    @Test func valuesOutsideTheRangeAreClamped() throws {
        var image = try Image(size: PixelSize(width: 4, height: 1))
        image.set { x, _, _ in [-1, 2, .nan, 0.5][x] }
        let decoded = try DecodedImage(image.encoded(Encoding(.png)))
        #expect((0..<4).map { decoded.value($0, 0, 0) } == [0, 255, 0, 128])
    }

    @Test func webPSidesAreLimited() throws {
        let image = try Image(size: PixelSize(width: 1, height: 16384))
        let error = #expect(throws: MediaError.self) { try image.encoded(Encoding(.webp)) }
        #expect(error?.kind == .limit && error?.reason.contains("16383") == true)
    }

    @Test func cancelledWorkStops() throws {
        let (image, _) = try Self.smooth(components: 3)
        let cancellation = Cancellation()
        cancellation.cancel()
        for encoding in Self.encodings {
            let error = #expect(throws: MediaError.self) {
                try image.encoded(encoding, task: TaskContext(cancellation: cancellation))
            }
            #expect(error?.kind == .cancelled)
        }
    }

    @Test func maxBytes() throws {
        let (image, _) = try Self.noise(PixelSize(width: 64, height: 64), components: 3, full: 255)
        let fits = try image.encoded(Encoding(.webp, maxBytes: 4000))
        #expect(fits.count <= 4000)
        #expect(try image.encoded(Encoding(.webp, maxBytes: 4000)) == fits)
        let png = try image.encoded(Encoding(.png))
        #expect(try image.encoded(Encoding(.png, maxBytes: png.count)) == png)
        for encoding in [Encoding(.png, maxBytes: png.count - 1), Encoding(.webp, maxBytes: 100)] {
            let error = #expect(throws: MediaError.self) { try image.encoded(encoding) }
            #expect(error?.kind == .encoding && error?.reason.contains("\(encoding.maxBytes!)") == true)
        }
    }
}

@Suite struct QualitySearchTests {
    /// All limits of a codec whose files have 10 bytes per step of quality.
    @Test(arguments: [10, 15, 500, 505, 990, 999, 1000, 5000])
    func findsTheHighestThatFits(maxBytes: Int) throws {
        var count = 0
        let found = try QualitySearch.encode(maxBytes: maxBytes, task: TaskContext()) { quality in
            count += 1
            return [UInt8](repeating: 0, count: quality * 10)
        }
        #expect(found.quality == min(100, maxBytes / 10))
        #expect(found.bytes.count == found.quality * 10)
        #expect(count <= 7)
    }

    @Test func reportsTheSmallestSize() {
        let error = #expect(throws: MediaError.self) {
            try QualitySearch.encode(maxBytes: 9, task: TaskContext()) { [UInt8](repeating: 0, count: $0 * 10) }
        }
        #expect(error?.reason.contains("10 bytes") == true)
    }
}
