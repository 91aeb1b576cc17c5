import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// TIFF files of other programs with various layouts, all of the same image, whose values follow a formula.
@Suite struct TIFFReaderTests {
    private static let size = PixelSize(width: 37, height: 29)

    enum Content: Sendable {
        case rgb, rgba
        case greyAlpha
        /// 3x + 5y modulo 2^bits.
        case grey(bits: Int, isInverted: Bool = false)
        case palette(bits: Int)
        case paletteAlpha
        case ycbcr

        /// Returns components from 0 to 255.
        func pixel(_ x: Int, _ y: Int) -> [Double] {
            let (ramp, alpha) = (3 * x + 5 * y, (3 * x + 9 * y) % 256)
            let values: [Int]
            switch self {
            case .rgb: values = [7 * x % 256, 11 * y % 256, (5 * x + 3 * y) % 256]
            case .rgba: values = [7 * x % 256, 11 * y % 256, (5 * x + 3 * y) % 256, alpha]
            case .greyAlpha: values = [7 * x % 256, 7 * x % 256, 7 * x % 256, alpha]
            case .palette(let bits): values = Self.entry(ramp % (1 << bits))
            case .paletteAlpha: values = Self.entry(ramp % 256) + [alpha]
            case .grey(let bits, let isInverted):
                let value = Double(ramp % (1 << bits)) * 255 / Double(1 << bits - 1)
                return Array(repeating: isInverted ? 255 - value : value, count: 3)
            case .ycbcr:
                // BT.601 at full range; Cb is 118 and Cr 140 everywhere.
                let luma = Double(20 + ramp % 200)
                return [luma + 1.402 * 12, luma + 0.344136 * 10 - 0.714136 * 12, luma - 1.772 * 10].map {
                    min(255, max(0, $0))
                }
            }
            return values.map(Double.init)
        }

        private static func entry(_ index: Int) -> [Int] { [7 * index % 256, 13 * index % 256, 255 - index] }
    }

    /// Each within half an 8-bit code, except for rounding by another program.
    @Test(
        arguments: [
            ("rgb", Content.rgb, 0.0), ("rgb-be", .rgb, 0), ("big", .rgb, 0), ("tiles", .rgb, 0), ("separate", .rgb, 0),
            ("separate-tiles", .rgb, 0), ("float16", .rgb, 0.6), ("float32", .rgb, 0.01), ("float64", .rgb, 0.01),
            ("uint32", .rgb, 0), ("unspecified", .rgb, 0), ("jpeg-tiles", .rgb, 2), ("lzw", .rgb, 0), ("zstd", .rgb, 0),
            ("packbits", .rgb, 0), ("packbits-strip", .rgb, 0), ("lzma", .rgb, 0), ("lzw-separate-tiles", .rgb, 0),
            ("old-lzw", .rgb, 0), ("pages", .rgb, 0), ("rgba", .rgba, 0), ("rgba-separate", .rgba, 0),
            ("grey-alpha", .greyAlpha, 0), ("grey1", .grey(bits: 1), 0), ("grey2", .grey(bits: 2), 0),
            ("grey4", .grey(bits: 4), 0), ("grey12", .grey(bits: 12), 0.01),
            ("white1-reversed", .grey(bits: 1, isInverted: true), 0),
            ("white2-reversed", .grey(bits: 2, isInverted: true), 0),
            ("white4-reversed", .grey(bits: 4, isInverted: true), 0),
            ("palette2", .palette(bits: 2), 0), ("palette4", .palette(bits: 4), 0), ("palette8", .palette(bits: 8), 0),
            ("palette-alpha", .paletteAlpha, 0), ("ycbcr", .ycbcr, 1),
        ] as [(String, Content, Double)])
    func decodes(name: String, content: Content, tolerance: Double) throws {
        let image = try DecodedImage(fixture: "TIFF/\(name).tif")
        #expect(image.header.format == .tiff && image.header.size == Self.size && image.damage == nil)
        #expect(image.header.layout.components == content.pixel(0, 0).count)
        #expect(image.distance(full: 255, to: content.pixel) <= tolerance)
    }

    /// Premultiplied files become straight, within the precision of 8 bits.
    @Test func dividesByAssociatedAlpha() throws {
        let image = try DecodedImage(fixture: "TIFF/premultiplied.tif")
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                let pixel = Content.rgba.pixel(x, y)
                guard pixel[3] > 0 else { continue }
                for c in 0..<3 {
                    #expect(abs(Double(image.value(x, y, c)) - pixel[c]) <= 0.5 * 255 / pixel[3] + 0.5)
                }
            }
        }
    }

    /// The alpha of inks is not used, which a warning says.
    @Test(arguments: [("cmyk", false), ("cmyk-alpha", true)])
    func readsInks(name: String, hasAlpha: Bool) throws {
        let bytes = try Fixture.imageBytes("TIFF/\(name).tif")
        let image = try DecodedImage(bytes)
        let warnings = try CapturePipeline(CaptureOptions()).prepare(MediaBytes(bytes)).warnings
        #expect(warnings.contains { $0.message == "the transparency of a CMYK image is not used" } == hasAlpha)
        #expect(image.header.layout == .cmyk)
        #expect(
            image.values == (0..<29).flatMap { y in (0..<37).flatMap { Content.rgba.pixel($0, y).map { Int($0) } } })
    }

    /// White, mid grey, red, green and blue; coordinates are rounded to two decimals.
    @Test(arguments: ["lab16", "icclab16", "labfloat32"])
    func convertsLab(name: String) throws {
        let image = try DecodedImage(fixture: "TIFF/\(name)-primaries.tif")
        let expected = [[255, 255, 255], [128, 128, 128], [255, 0, 0], [0, 255, 0], [0, 0, 255]].flatMap(\.self)
        for (value, wanted) in zip(image.values, expected) { #expect(abs(Double(value) / 257 - Double(wanted)) < 1.5) }
    }

    /// The second page is the first's negative; the third has red and blue swapped.
    @Test func choosesAPage() throws {
        let bytes = try Fixture.file(Fixture.image("TIFF/pages.tif"))
        let first = Content.rgb.pixel(20, 10).map { Int($0) }
        for (page, expected) in [(1, first), (2, first.map { 255 - $0 }), (3, first.reversed())] {
            let reader = try ImageDecoder.open(bytes, page: page, limits: .standard, task: TaskContext())
            #expect(reader.header.frames == 3)
            try reader.skipRows(10)
            #expect(try reader.row()[60..<63].map(Int.init) == expected)
        }
        for page in [0, 4] {
            let error = #expect(throws: MediaError.self) {
                try ImageDecoder.open(bytes, page: page, limits: .standard, task: TaskContext())
            }
            #expect(error?.kind == .parameter && error?.reason.contains("the file has 3") == true)
        }
    }

    /// Without a photometric interpretation, libtiff's `tiff2rgba` takes 0 as black.
    @Test func assumesThatZeroIsBlack() throws {
        let image = try DecodedImage(TIFFBytes(width: 2, height: 1, pixels: [40, 200]).file)
        #expect(image.values == [40, 40, 40, 200, 200, 200])
    }

    /// Fields that overlap declare far more bytes than the file has; they are not copied.
    @Test(arguments: [true, false]) func doesNotCopyOverlappingFields(inCapture: Bool) throws {
        let fields = [[Int]](repeating: [inCapture ? 0x9286 : 270, 7, 60_000, TIFFBytes.dataOffset], count: 4000)
        var tiff = TIFFBytes(width: 1, height: 1, pixels: [7], data: [UInt8](repeating: 65, count: 60_000))
        if inCapture { tiff.capture = fields } else { tiff.fields = fields }
        let image = try DecodedImage(tiff.file)
        #expect(image.values == [7, 7, 7] && image.header.exif == nil)
    }

    /// A tile of 268 megapixels for an image of one.
    @Test func refusesATileFarLargerThanTheImage() {
        let fields = [[322, 3, 1, 16384], [323, 3, 1, 16384], [324, 4, 1, 8], [325, 4, 1, 1]]
        let error = #expect(throws: MediaError.self) {
            try DecodedImage(TIFFBytes(width: 1, height: 1, pixels: [7], fields: fields).file)
        }
        #expect(error?.kind == .limit)
    }

    @Test func readsMetadata() throws {
        let header = try DecodedImage(fixture: "TIFF/metadata.tif").header
        let exif = try #require(header.exif.flatMap { EXIFBlock($0) })
        #expect(exif.artist == "Ann" && exif.copyright == "(c) Ann" && exif.make == "Maker")
        #expect(exif.date == "2020:01:02 03:04:05" && exif.hasLocation)
        #expect(header.xmp.map { String(decoding: $0, as: UTF8.self) }?.contains("(c) Ann") == true)
        #expect(try DecodedImage(fixture: "TIFF/turned.tif").header.uprightOrientation == .quarterTurnClockwise)
    }

    /// Strips after a cut are missing; those before it are unchanged.
    @Test(arguments: ["rgb", "tiles"])
    func countsWhatIsMissing(name: String) throws {
        let bytes = try Fixture.imageBytes("TIFF/\(name).tif")
        let whole = try DecodedImage(bytes)
        let cut = try DecodedImage(bytes.dropLast(bytes.count / 3))
        let share = try #require(cut.damage).missingShare
        #expect(share > 0.2 && share < 0.6)
        #expect(cut.values.prefix(37 * 3 * 10) == whole.values.prefix(37 * 3 * 10))
    }

    /// A strip larger than the image may be is refused before memory is allocated for it.
    @Test func rejectsAHugeTile() throws {
        var bytes = try Fixture.imageBytes("TIFF/tiles.tif")
        let directory = Int(bytes[4]) | Int(bytes[5]) << 8
        for index in 0..<Int(bytes[directory]) {
            let entry = directory + 2 + index * 12
            let tag = Int(bytes[entry]) | Int(bytes[entry + 1]) << 8
            guard tag == 322 || tag == 323 else { continue }
            bytes[entry + 2] = 4
            bytes.replaceSubrange(entry + 8..<entry + 12, with: [0, 0, 1, 0])
        }
        #expect(throws: MediaError.self) { try DecodedImage(bytes, limits: Limits(pixels: 1_000_000)) }
    }

    /// A white image with one strip of 20 MB, compressed with PackBits (TIFF 6.0, section 9). The strip must fit into
    /// the memory that the limits allow.
    @Test(arguments: [100_000_000, Int.max / 16, .max / 2, .max]) func limitsMayBeOfAnySize(_ pixels: Int) throws {
        let (width, height) = (5000, 4000)
        // 39 runs of 128 pixels and one of 8.
        let row: [UInt8] = (0..<39).flatMap { _ in [0x81, 0xFF] } + [0xF9, 0xFF]
        let data = (0..<height).flatMap { _ in row }
        let l = FileBytes.little
        let entries = [
            (256, width), (257, height), (258, 8), (259, 32_773), (262, 1), (273, 8 + 2 + 9 * 12 + 4), (277, 1),
            (278, height), (279, data.count),
        ]
        let directory = entries.flatMap { l($0.0, 2) + l(4, 2) + l(1, 4) + l($0.1, 4) }
        let bytes = Array("II*\0".utf8) + l(8, 4) + l(entries.count, 2) + directory + l(0, 4) + data
        let reader = try ImageDecoder.open(MediaBytes(bytes), limits: Limits(pixels: pixels), task: TaskContext())
        #expect(reader.header.size == PixelSize(width: width, height: height))
        #expect(try reader.row()[0] == 255 && reader.damage == nil)
    }
}
