import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct StillReaderTests {
    /// Compared with the input of other programs' encoders, or the output of their decoders.
    @Test(arguments: [
        ("rgb.bmp", "bmp", "base.rgb", 0), ("rgb.tif", "tiff", "base.rgb", 0), ("rgb.ppm", "ppm", "base.rgb", 0),
        ("rgb.tga", "targa", "base.rgb", 0), ("rgb.pcx", "pcx", "base.rgb", 0), ("rgb.sgi", "sgi", "base.rgb", 0),
        ("rgb.qoi", "qoi", "base.rgb", 0), ("rgb.jls", "jpegls", "base.rgb", 0), ("rgb.jp2", "jpeg2000", "base.rgb", 0),
        ("rgb.jxl", "jxl", "base.rgb", 0), ("rgba.tif", "tiff", "base.rgba", 0), ("rgba.tga", "targa", "base.rgba", 0),
        ("palette.gif", "gif", "palette.gif.rgb", 0), ("palette.bmp", "bmp", "palette.gif.rgb", 0),
        ("transparent.gif", "gif", "transparent.gif.rgba", 0), ("grey.pgm", "pgm", "grey.pgm.rgb", 0),
    ])
    func decodes(name: String, format: String, dump: String, tolerance: Int) throws {
        let image = try DecodedImage(fixture: name)
        #expect(image.header.format.name == format)
        #expect(image.header.size == PixelSize(width: 33, height: 25))
        #expect(image.header.rowBits == 8)
        #expect(image.damage == nil)
        #expect(image.visibleDistance(to: try Fixture.imageBytes(dump)) <= tolerance)
    }

    @Test(arguments: ["rgb16.tif", "psd.psd", "rgb16.dpx"])
    func decodesSixteenBits(name: String) throws {
        let image = try DecodedImage(fixture: name)
        #expect(image.header.rowBits == 16)
        let expected = try Fixture.imageBytes("base16.rgb48").shorts
        #expect(image.distance(to: expected) <= 1)
    }

    /// The file contains the linear light of base.rgb in floats (IEC 61966-2-1, section 5.2).
    @Test func decodesLinearFloats() throws {
        let image = try DecodedImage(fixture: "rgb.exr")
        #expect(image.header.rowBits == 16)
        #expect(image.header.codePoints?.transfer == 8)
        let expected = try Fixture.imageBytes("base.rgb").map { byte in
            Int(((Double(byte) / 255).linear * 65535).rounded())
        }
        #expect(image.distance(to: expected) <= 2)
    }

    /// Floats of green, blue, red and premultiplied alpha: a pixel of half alpha, an opaque and a transparent one.
    @Test func straightensTheAlphaOfEXR() throws {
        let folder = TemporaryFolder()
        let planes: [[Float]] = [[0.25, 1, 0], [0, 0.5, 0], [0.5, 0, 0], [0.5, 1, 0]]
        let raw = planes.flatMap(\.self).flatMap { FileBytes.little(Int($0.bitPattern), 4) }
        try OutputFile.write(raw, to: "\(folder.path)/raw")
        let input = ["-f", "rawvideo", "-pix_fmt", "gbrapf32le", "-s", "3x1", "-i", "\(folder.path)/raw"]
        let output = ["-c:v", "exr", "-format", "float", "\(folder.path)/alpha.exr"]
        try SampleVideo.make(input + output)
        let image = try DecodedImage(Fixture.bytes("\(folder.path)/alpha.exr"))
        #expect(image.header.layout == .rgba)
        #expect(image.values == [65535, 32768, 0, 32768, 0, 65535, 32768, 65535, 0, 0, 0, 0])
    }

    @Test func readsOrientationAndProfile() throws {
        #expect(try DecodedImage(fixture: "turned.tif").header.orientation == .quarterTurnClockwise)
        #expect(try DecodedImage(fixture: "profile.tif").header.profile?.count == 588)
    }

    /// A profile of the inks is only useful if they are decoded as they are in the file.
    @Test(arguments: [8, 16], [true, false])
    func readsCMYK(bits: Int, isLittle: Bool) throws {
        let values = (0..<24).map { ($0 * 7 + 3) * (bits == 16 ? 257 : 1) }
        let tiff = SmallTIFF(width: 3, height: 2, bits: bits, isLittle: isLittle, values: values)
        let image = try DecodedImage(tiff.bytes)
        #expect(image.header.layout == .cmyk && image.header.model == .cmyk && image.header.rowBits == bits)
        #expect(image.values == values)
    }

    @Test func dividesByAssociatedAlpha() throws {
        var tiff = SmallTIFF(width: 3, height: 1, bits: 8, isLittle: true, values: [])
        tiff.values = [100, 50, 0, 128, 200, 100, 7, 255, 0, 0, 0, 0]
        tiff.more = [262: 2, 338: 1]
        // 100 / 128 · 255 = 199.2, 50 / 128 · 255 = 99.6
        #expect(try DecodedImage(tiff.bytes).values == [199, 100, 0, 128, 200, 100, 7, 255, 0, 0, 0, 0])
        tiff.more[338] = 2
        #expect(try DecodedImage(tiff.bytes).values == tiff.values)
    }

    @Test func takesTheLargestImageOfAnIcon() throws {
        let png = try DecodedImage(fixture: "png.ico")
        #expect(png.header.size == PixelSize(width: 32, height: 32))
        #expect(png.visibleDistance(to: try Fixture.imageBytes("png.ico.rgba")) == 0)
        #expect(try DecodedImage(fixture: "bitmap.ico").header.size == PixelSize(width: 16, height: 16))
    }

    @Test(arguments: ["rgb.tif", "turned.tif"])
    func rejectsCameraRaw(name: String) throws {
        var bytes = try Fixture.imageBytes(name)
        let directory = Int(bytes[4]) | Int(bytes[5]) << 8 | Int(bytes[6]) << 16
        // The last entry becomes a DNGVersion.
        let last = directory + 2 + (Int(bytes[directory]) - 1) * 12
        (bytes[last], bytes[last + 1]) = (0x12, 0xC6)
        let error = #expect(throws: MediaError.self) { try DecodedImage(bytes) }
        #expect(error?.kind == .unsupported)
        #expect(error?.reason.contains("raw") == true)
    }
}

/// A TIFF file of four components, inks unless `more` declares otherwise, in one strip (TIFF 6.0, section 2).
private struct SmallTIFF {
    let width: Int, height: Int, bits: Int, isLittle: Bool
    var values: [Int]
    /// Further tags, all SHORT, or other values for existing ones.
    var more: [Int: Int] = [:]

    var bytes: [UInt8] {
        let shorts = [256: width, 257: height, 259: 1, 262: 5, 277: 4, 278: height].merging(more) { $1 }
        let count = shorts.count + 3
        let depths = 8 + 2 + count * 12 + 4
        var entries = shorts.mapValues { entry(type: 3, count: 1, value: number($0, 2) + [0, 0]) }
        entries[258] = entry(type: 3, count: 4, value: number(depths, 4))
        entries[273] = entry(type: 4, count: 1, value: number(depths + 8, 4))
        entries[279] = entry(type: 4, count: 1, value: number(values.count * bits / 8, 4))
        let directory = entries.sorted { $0.key < $1.key }.flatMap { number($0.key, 2) + $0.value }
        let header = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
        let pixels = values.flatMap { number($0, bits / 8) }
        return header + number(count, 2) + directory + number(0, 4) + (0..<4).flatMap { _ in number(bits, 2) } + pixels
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        isLittle ? FileBytes.little(value, count) : FileBytes.big(value, count)
    }

    private func entry(type: Int, count: Int, value: [UInt8]) -> [UInt8] { number(type, 2) + number(count, 4) + value }
}
