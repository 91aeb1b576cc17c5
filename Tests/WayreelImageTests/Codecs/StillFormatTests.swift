import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// The parts of a file that are read before its decoder, or in addition to it.
@Suite struct StillFormatTests {
    // MARK: PNG

    /// libpng ignores transparency before its palette.
    @Test func appliesTransparencyInFrontOfThePalette() throws {
        let bytes = try Fixture.imageBytes("palette-4-trns.png")
        let intact = try DecodedImage(bytes)
        #expect(intact.header.layout == .rgba && intact.damage == nil)
        func chunk(_ type: String) throws -> Range<Int> {
            let start = try #require(bytes.firstRange(of: Array(type.utf8))).lowerBound - 4
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            return start..<start + 12 + length
        }
        let (palette, transparency) = try (chunk("PLTE"), chunk("tRNS"))
        let swapped =
            bytes[..<palette.lowerBound] + bytes[transparency] + bytes[palette.lowerBound..<transparency.lowerBound]
            + bytes[transparency.upperBound...]
        let image = try DecodedImage(swapped)
        #expect(image.values == intact.values && image.header.layout == .rgba)
        #expect(image.damage?.missingShare == 0)
    }

    /// RGB images may have a palette too, as a suggestion.
    @Test(arguments: [true, false]) func appliesTheKeyColorInFrontOfASuggestedPalette(isSwapped: Bool) throws {
        let bytes = try Fixture.imageBytes("rgb-8.png")
        let pixel = try DecodedImage(bytes).values.prefix(3)
        let key = PNGFile.chunk("tRNS", pixel.flatMap { [0, UInt8($0)] })
        let palette = PNGFile.chunk("PLTE", [1, 2, 3])
        let start = try #require(bytes.firstRange(of: Array("IDAT".utf8))).lowerBound - 4
        let inserted = isSwapped ? key + palette : palette + key
        let image = try DecodedImage(Array(bytes[..<start]) + inserted + Array(bytes[start...]))
        #expect(image.header.layout == .rgba && image.values[3] == 0)
    }

    // MARK: GIF

    @Test(arguments: [1, 2, 30]) func countsFramesOfGIF(frames: Int) throws {
        let one = try Fixture.imageBytes("palette.gif")
        let start = 13 + (one[10] & 0x80 == 0 ? 0 : 3 << (Int(one[10] & 7) + 1))
        let comment: [UInt8] = [0x21, 0xFE, 3, 0x2C, 0x2C, 0x3B, 0]
        let blocks = repeatElement(Array(one[start..<one.count - 1]) + comment, count: frames).joined()
        let bytes = one[..<start] + Array(blocks) + [0x3B]
        #expect(try DecodedImage(bytes).header.frames == frames)
        let error = #expect(throws: MediaError.self) {
            try DecodedImage(Array(bytes), limits: Limits(frames: frames - 1))
        }
        #expect(error?.kind == .limit)
    }

    // MARK: DDS

    private static func texture(_ code: String, format: Int = 0) -> [UInt8] {
        let l = FileBytes.little
        var bytes = Array("DDS ".utf8) + l(124, 4) + l(0x1007, 4) + l(4, 4) + l(4, 4) + l(8, 4) + l(0, 4) + l(1, 4)
        bytes += l(0, 44) + l(32, 4) + l(4, 4) + Array(code.utf8) + l(0, 20) + l(0x1000, 4) + l(0, 16)
        if code == "DX10" { bytes += l(format, 4) + l(3, 4) + l(0, 4) + l(1, 4) + l(0, 4) }
        // A block of BC1: red, black, sixteen times the first.
        return bytes + l(0xF800, 2) + l(0, 6) + l(0, 8)
    }

    @Test(arguments: [("DXT1", 0), ("DX10", 71)]) func readsBC1(code: String, format: Int) throws {
        let image = try DecodedImage(Self.texture(code, format: format))
        #expect(image.header.size == PixelSize(width: 4, height: 4))
        #expect(image.values == (0..<16).flatMap { _ in [255, 0, 0] })
    }

    @Test(arguments: [
        ("ATI2", 0, "BC5"), ("BC5U", 0, "BC5"), ("DX10", 83, "BC5"), ("DX10", 95, "BC6H"), ("DX10", 98, "BC7"),
        ("UYVY", 0, "UYVY"),
    ]) func rejectsOtherTextures(code: String, format: Int, name: String) {
        let error = #expect(throws: MediaError.self) { try DecodedImage(Self.texture(code, format: format)) }
        #expect(error?.kind == .unsupported && error?.reason.contains(name) == true && error?.advice != nil)
    }

    // MARK: OpenEXR

    /// Returns the fixture of 33 × 25, in uncompressed lines of three floats, with its windows moved.
    private static func exr(data: (x: Int, y: Int), display: [Int]) throws -> [UInt8] {
        var bytes = try Fixture.imageBytes("rgb.exr")
        func put(_ values: [Int], behind name: String) throws {
            let start = try #require(bytes.firstRange(of: Array("\(name)\0box2i\0".utf8))).upperBound + 4
            bytes.replaceSubrange(start..<start + 16, with: values.flatMap { FileBytes.little($0, 4) })
        }
        try put([data.x, data.y, data.x + 32, data.y + 24], behind: "dataWindow")
        try put(display, behind: "displayWindow")
        let lineBytes = 8 + 33 * 12
        for y in 0..<25 {
            let start = bytes.count - (25 - y) * lineBytes
            bytes.replaceSubrange(start..<start + 4, with: FileBytes.little(data.y + y, 4))
        }
        return bytes
    }

    @Test(arguments: [
        ((10, 5), [10, 5, 42, 29]), ((10, 5), [0, 0, 59, 44]), ((-5, -4), [0, 0, 19, 9]),
        ((-5, -4), [-10, -9, 49, 30]),
        ((0, 0), [20, 20, 40, 40]), ((0, 0), [100, 100, 103, 102]),
    ])
    func showsTheDisplayWindow(data: (Int, Int), display: [Int]) throws {
        let whole = try DecodedImage(fixture: "rgb.exr")
        let image = try DecodedImage(Self.exr(data: (data.0, data.1), display: display))
        let size = PixelSize(width: display[2] - display[0] + 1, height: display[3] - display[1] + 1)
        #expect(image.header.size == size && image.damage == nil)
        let expected = (0..<size.height).flatMap { y in
            (0..<size.width).flatMap { x in
                let (sourceX, sourceY) = (x + display[0] - data.0, y + display[1] - data.1)
                let isInside = (0..<33).contains(sourceX) && (0..<25).contains(sourceY)
                return (0..<3).map { isInside ? whole.value(sourceX, sourceY, $0) : 0 }
            }
        }
        #expect(image.values == expected)
    }

    /// Windows of 2³² × 2³² pixels in tiles of one pixel: their number does not fit into 64 bits.
    @Test func refusesTilesOfEXRWithoutMeasure() {
        func little(_ values: Int32...) -> [UInt8] { values.flatMap { FileBytes.little(Int($0), 4) } }
        func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
            Array(name.utf8) + [0] + Array(type.utf8) + [0] + little(Int32(value.count)) + value
        }
        let window = little(.min, .min, .max, .max)
        let bytes =
            little(20_000_630, 0x202) + attribute("dataWindow", "box2i", window)
            + attribute("displayWindow", "box2i", window) + attribute("compression", "compression", [0])
            + attribute("tiles", "tiledesc", little(1, 1) + [0]) + [0] + little(0, 0, 0, 0)
        let error = #expect(throws: MediaError.self) { try DecodedImage(bytes) }
        #expect(error?.kind == .limit)
    }

    @Test func countsMissingChunksOfEXR() throws {
        let bytes = try Fixture.imageBytes("rgb.exr")
        let cut = try DecodedImage(bytes.dropLast(10 * (8 + 33 * 12) - 1))
        #expect(abs((cut.damage?.missingShare ?? 0) - 10.0 / 25) < 1e-9)
    }

    // MARK: Messages

    @Test(arguments: ["rgb.pcx", "rgb.sgi", "rgb.jls", "rgb.jp2", "rgb16.dpx", "rgb.exr", "palette.gif"])
    func messagesAreForUsers(name: String) throws {
        let whole = try Fixture.imageBytes(name)
        var random = SeededRandom(seed: 7)
        for _ in 0..<60 {
            let bytes = whole.changed(3, in: 4..<min(whole.count, 200), using: &random)
            let text: String
            do {
                text = try DecodedImage(bytes, limits: Limits(pixels: 1_000_000)).damage?.description ?? ""
            } catch let error as MediaError {
                text = error.description
            }
            #expect(!text.contains("\\n") && !text.contains("\n"))
            #expect(!text.lowercased().contains("patches welcome") && !text.contains("decode anyway"))
        }
    }
}
