import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// BMP, TGA, icons, QOI and PFM, compared with the layouts in their specifications.
@Suite struct RasterReaderTests {
    private static let little = FileBytes.little

    // MARK: BMP

    /// Blue, green, red, alpha in the file, the bottom row first.
    @Test(arguments: [108, 124], [1, -1]) func readsAlphaMasksOfBMP(headerBytes: Int, direction: Int) throws {
        var bmp = BMPBytes(
            width: 2, height: 2 * direction, bits: 32, headerBytes: headerBytes, compression: 3, pixels: [])
        bmp.masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
        let rows: [[UInt8]] = [[1, 2, 3, 4, 5, 6, 7, 255], [9, 10, 11, 0, 13, 14, 15, 128]]
        bmp.pixels = rows.flatMap(\.self)
        let image = try DecodedImage(bmp.file)
        #expect(image.header.layout == .rgba)
        let swapped = [[3, 2, 1, 4, 7, 6, 5, 255], [11, 10, 9, 0, 15, 14, 13, 128]]
        #expect(image.values == (direction < 0 ? swapped : swapped.reversed()).flatMap(\.self))
    }

    /// Without a mask, the fourth byte is padding; an alpha that is 0 everywhere is ignored.
    @Test(arguments: [(40, 0, 77), (40, 0, 0), (124, 3, 0), (124, 3, 255)])
    func dropsOpaqueAlpha(headerBytes: Int, compression: Int, fourth: Int) throws {
        var bmp = BMPBytes(
            width: 1, height: 1, bits: 32, headerBytes: headerBytes, compression: compression,
            pixels: [10, 20, 30, UInt8(fourth)])
        if compression == 3 { bmp.masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000] }
        let image = try DecodedImage(bmp.file)
        #expect(image.header.layout == .rgb && image.values == [30, 20, 10])
    }

    /// 5, 6 and 5 bits: 255 · value / 31 or 63, rounded.
    @Test func readsFieldsOfSixteenBits() throws {
        var bmp = BMPBytes(width: 2, height: 1, bits: 16, compression: 3, pixels: [])
        bmp.masks = [0xF800, 0x7E0, 0x1F]
        bmp.pixels = Self.little(31 << 11 | 1 << 5 | 16, 2) + Self.little(1 << 11 | 62 << 5, 2)
        #expect(try DecodedImage(bmp.file).values == [255, 4, 132, 8, 251, 0])
        (bmp.masks, bmp.compression) = ([], 0)
        bmp.pixels = Self.little(31 << 10 | 1 << 5 | 16, 2) + Self.little(1 << 10 | 30 << 5, 2)
        #expect(try DecodedImage(bmp.file).values == [255, 8, 132, 8, 247, 0])
    }

    /// 4-bit indices: runs, literals padded to two bytes, a jump, the end of a line and of the image.
    @Test func unpacksRunsOfBMP() throws {
        let palette = (0..<16).flatMap { i -> [UInt8] in [UInt8(i), 0, UInt8(16 * i), 0] }
        var bmp = BMPBytes(width: 6, height: 3, bits: 4, compression: 2, palette: palette, pixels: [])
        bmp.pixels = [4, 0x12, 0, 0, 0, 3, 0x45, 0x60, 0, 0, 0, 2, 1, 0, 5, 0x77, 0, 1]
        let image = try DecodedImage(bmp.file)
        let numbers = [[0, 7, 7, 7, 7, 7], [4, 5, 6, 0, 0, 0], [1, 2, 1, 2, 0, 0]]
        #expect(image.values == numbers.joined().flatMap { i -> [Int] in [16 * i, 0, i] })
        #expect(image.damage == nil)
        bmp.compression = 1
        bmp.bits = 8
        bmp.pixels = [6, 3, 0, 0, 2, 4, 0, 4, 5, 6, 7, 8]
        let cut = try DecodedImage(bmp.file)
        #expect(
            Array(cut.values.suffix(36)) == ([4, 4, 5, 6, 7, 8] + [3, 3, 3, 3, 3, 3]).flatMap { [16 * $0, 0, $0] })
        #expect(abs((cut.damage?.missingShare ?? 0) - 1.0 / 3) < 1e-9)
    }

    /// Encoders pad runs of odd lengths; runs beyond that have lost their row ends, and pixels are missing.
    @Test func runsThatReachBeyondTheirRowAreDamage() throws {
        var bmp = BMPBytes(
            width: 5, height: 2, bits: 8, compression: 1, palette: [UInt8](repeating: 9, count: 16), pixels: [])
        bmp.pixels = [6, 1, 0, 0, 6, 2, 0, 1]
        #expect(try DecodedImage(bmp.file).damage == nil)
        bmp.pixels = [40, 1, 0, 1]
        let damage = try #require(try DecodedImage(bmp.file).damage)
        #expect(abs(damage.missingShare - 0.5) < 1e-9 && damage.description.contains("broken"))
    }

    @Test func readsTheProfileOfBMP() throws {
        let profile = [UInt8](0..<40)
        var bmp = BMPBytes(width: 1, height: 1, bits: 24, headerBytes: 124, pixels: [1, 2, 3, 0], profile: profile)
        #expect(try DecodedImage(bmp.file).header.profile == profile)
        bmp.profile = []
        #expect(try DecodedImage(bmp.file).header.profile == nil)
    }

    @Test(arguments: [4, 5]) func refusesJPEGAndPNGInBMP(compression: Int) {
        let bmp = BMPBytes(width: 1, height: 1, bits: 24, compression: compression, pixels: [1, 2, 3, 0])
        let error = #expect(throws: MediaError.self) { try DecodedImage(bmp.file) }
        #expect(error?.kind == .unsupported && error?.advice != nil)
    }

    /// Some programs leave the padding of the last row out.
    @Test func readsALastRowWithoutPadding() throws {
        let pixels = (0..<24).map { UInt8($0) }
        let whole = BMPBytes(width: 3, height: 2, bits: 24, pixels: pixels).file
        let image = try DecodedImage(whole.dropLast(3))
        #expect(image.damage == nil)
        #expect(try image.values == DecodedImage(whole).values)
        #expect(try DecodedImage(whole.dropLast(4)).damage?.missingShare == 0.5)
    }

    /// 9999 × 9999 is below the limit of 100 megapixels, regardless of row padding; missing pixels are counted.
    @Test func checksTheExactSize() throws {
        let limits = Limits(pixels: 9_999 * 99)
        let row = [UInt8](repeating: 5, count: 1252)
        var bmp = BMPBytes(width: 9999, height: 99, bits: 1, palette: [0, 0, 0, 0, 255, 255, 255, 0], pixels: [])
        bmp.pixels = Array(repeatElement(row, count: 33).joined())
        let image = try DecodedImage(bmp.file, limits: limits)
        #expect(abs((image.damage?.missingShare ?? 0) - 2.0 / 3) < 1e-9)
        bmp.width += 1
        let error = #expect(throws: MediaError.self) { try DecodedImage(bmp.file, limits: limits) }
        #expect(error?.kind == .limit && error?.reason.contains("10000×99") == true)
    }

    // MARK: Icons

    private static func icon(_ images: [[UInt8]], sides: [Int]) -> [UInt8] {
        var start = 6 + 16 * images.count
        var bytes = little(0, 2) + little(1, 2) + little(images.count, 2)
        for (image, side) in zip(images, sides) {
            bytes += [UInt8(side), UInt8(side), 0, 0] + little(1, 2) + little(0, 2) + little(image.count, 4)
            bytes += little(start, 4)
            start += image.count
        }
        return bytes + images.flatMap(\.self)
    }

    /// A set bit of the mask, which begins with the bottom row like the colours, is transparent.
    @Test func readsTheMaskOfAnIcon() throws {
        let colors: [UInt8] = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]
        let mask: [UInt8] = [0x40, 0, 0, 0, 0x80, 0, 0, 0]
        let bitmap = BMPBytes(width: 2, height: 4, bits: 24, pixels: colors + mask).bitmap
        let image = try DecodedImage(Self.icon([bitmap], sides: [2]))
        #expect(image.header.size == PixelSize(width: 2, height: 2) && image.header.layout == .rgba)
        #expect(image.values == [9, 8, 7, 0, 12, 11, 10, 255, 3, 2, 1, 255, 6, 5, 4, 0])
    }

    /// The fourth byte is alpha unless it is 0 everywhere; in that case the mask is used.
    @Test(arguments: [true, false]) func prefersAlphaToTheMask(hasAlpha: Bool) throws {
        let colors: [UInt8] = [1, 2, 3, hasAlpha ? 90 : 0, 4, 5, 6, 0]
        let bitmap = BMPBytes(width: 2, height: 2, bits: 32, pixels: colors + [0x80, 0, 0, 0]).bitmap
        let image = try DecodedImage(Self.icon([bitmap], sides: [2]))
        #expect(image.values == [3, 2, 1, hasAlpha ? 90 : 0, 6, 5, 4, hasAlpha ? 0 : 255])
    }

    /// The directory may be wrong; entries beyond the end of the file are ignored.
    @Test func takesTheLargestImageOfAnIcon() throws {
        let small = BMPBytes(width: 1, height: 2, bits: 24, pixels: [1, 2, 3, 0, 0, 0, 0, 0]).bitmap
        let large = BMPBytes(width: 2, height: 2, bits: 24, pixels: [1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0]).bitmap
        var icon = Self.icon([small, large, small], sides: [16, 2, 255])
        icon.replaceSubrange(6 + 32 + 12..<6 + 32 + 16, with: Self.little(1 << 30, 4))
        #expect(try DecodedImage(icon).header.size == PixelSize(width: 2, height: 1))
    }

    /// Images are in the order of the directory, in which the largest image is the second.
    @Test func choosesAnImageOfAnIcon() throws {
        let images = [(1, 10), (2, 40), (1, 70)].map { width, first in
            let row = (0..<3 * width).map { UInt8(first + $0) } + [UInt8](repeating: 0, count: width)
            return BMPBytes(width: width, height: 2, bits: 24, pixels: row + [0, 0, 0, 0]).bitmap
        }
        let icon = MediaBytes(Self.icon(images, sides: [1, 2, 1]))
        #expect(try DecodedImage(icon).values == [42, 41, 40, 45, 44, 43])
        #expect(try DecodedImage(icon, page: 1).values == [12, 11, 10])
        #expect(try DecodedImage(icon, page: 2).values == [42, 41, 40, 45, 44, 43])
        let third = try DecodedImage(icon, page: 3)
        #expect(third.values == [72, 71, 70] && third.header.frames == 3)
        let error = #expect(throws: MediaError.self) { try DecodedImage(icon, page: 4) }
        #expect(error?.kind == .parameter)
    }

    // MARK: TGA

    @Test func readsGreyWithAlphaOfTGA() throws {
        let tga = TGABytes(type: 3, width: 2, height: 1, bits: 16, descriptor: 0x28, pixels: [10, 200, 20, 255])
        let image = try DecodedImage(tga.file)
        #expect(image.header.model == .grey && image.header.layout == .rgba)
        #expect(image.values == [10, 10, 10, 200, 20, 20, 20, 255])
    }

    /// Attributes type 0: no alpha, 3: alpha, 4: premultiplied alpha; 100 / 128 · 255 = 199.2.
    @Test(
        arguments: [
            (nil, [100, 50, 0, 128, 9, 9, 9, 0]), (3, [100, 50, 0, 128, 9, 9, 9, 0]),
            (4, [199, 100, 0, 128, 9, 9, 9, 0]),
            (0, [100, 50, 0, 9, 9, 9]),
        ] as [(UInt8?, [Int])])
    func obeysTheAttributesOfTGA(attributes: UInt8?, expected: [Int]) throws {
        let tga = TGABytes(
            type: 2, width: 2, height: 1, bits: 32, descriptor: 0x28, pixels: [0, 50, 100, 128, 9, 9, 9, 0],
            attributes: attributes)
        #expect(try DecodedImage(tga.file).values == expected)
    }

    /// A packet may cross the end of a row; rows run from the bottom, pixels from the right.
    @Test func unpacksRunsOfTGA() throws {
        let pixels: [UInt8] = [0x82, 7, 0x00, 8]
        let tga = TGABytes(type: 11, width: 2, height: 2, bits: 8, descriptor: 0x10, pixels: pixels)
        #expect(try DecodedImage(tga.file).values == [8, 8, 8, 7, 7, 7, 7, 7, 7, 7, 7, 7])
        let cut = try DecodedImage(tga.file.dropLast(2))
        #expect(cut.damage?.missingShare == 0.25)
    }

    // MARK: QOI, PFM

    @Test func countsMissingPixelsOfQOI() throws {
        let whole = try Fixture.imageBytes("rgb.qoi")
        let intact = try DecodedImage(whole)
        let cut = try DecodedImage(whole.prefix(whole.count / 2))
        let share = try #require(cut.damage?.missingShare)
        #expect(share > 0.2 && share < 0.8)
        let kept = Int((Double(33 * 25) * (1 - share)).rounded()) * 3
        #expect(cut.values.prefix(kept) == intact.values.prefix(kept))
        #expect(cut.values.dropFirst(kept).allSatisfy { $0 == 0x80 })
    }

    /// Linear light, from the bottom row, in either byte order; the magnitude of the scale has no effect.
    @Test(arguments: ["-1.0", "1.0", "-0.003921569"]) func readsLinearLightOfPFM(scale: String) throws {
        let values: [Float] = [0, 0.25, 0.5, 1, 2, -1, .nan, 0.125, 0.75, 0, 1, 0]
        let bits = values.map { Int($0.bitPattern) }
        let isLittle = scale.hasPrefix("-")
        let file =
            Array("PF\n2 2\n\(scale)\n".utf8)
            + bits.flatMap { isLittle ? FileBytes.little($0, 4) : FileBytes.big($0, 4) }
        let image = try DecodedImage(file)
        #expect(image.header.codePoints?.transfer == 8 && image.header.rowBits == 16)
        #expect(image.values == [0, 8192, 49151, 0, 65535, 0, 0, 16384, 32768, 65535, 65535, 0])
        #expect(try DecodedImage(file.dropLast(24)).damage?.missingShare == 0.5)
        #expect(throws: MediaError.self) { try DecodedImage(file.prefix(20)) }
    }

    /// The whole field is a number.
    @Test(arguments: ["1\0", "1\u{0}2", "0x1", "1x", "inf", "0"]) func refusesScalesThatAreNoNumbers(scale: String) {
        #expect(throws: MediaError.self) { try DecodedImage(Array("Pf\n1 1\n\(scale)\n....".utf8)) }
    }
}
