import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct StillReaderTests {
    /// Against what went into the other programs' encoders, or came out of their decoders.
    @Test(arguments: [
        ("rgb.bmp", "bmp", "base.rgb", 0), ("rgb.tif", "tiff", "base.rgb", 0), ("rgb.ppm", "ppm", "base.rgb", 0),
        ("rgb.tga", "targa", "base.rgb", 0), ("rgb.pcx", "pcx", "base.rgb", 0), ("rgb.sgi", "sgi", "base.rgb", 0),
        ("rgb.qoi", "qoi", "base.rgb", 0), ("rgb.jls", "jpegls", "base.rgb", 0), ("rgb.jp2", "jpeg2000", "base.rgb", 0),
        ("rgb.jxl", "jxl", "base.rgb", 0), ("rgba.tif", "tiff", "base.rgba", 0), ("rgba.tga", "targa", "base.rgba", 0),
        ("palette.gif", "gif", "palette.gif.rgb", 0), ("palette.bmp", "bmp", "palette.gif.rgb", 0),
        ("transparent.gif", "gif", "transparent.gif.rgba", 0), ("grey.pgm", "pgm", "grey.pgm.rgb", 0),
    ])
    func decodes(name: String, format: String, dump: String, tolerance: Int) throws {
        let picture = try DecodedPicture(fixture: name)
        #expect(picture.header.format.name == format)
        #expect(picture.header.size == PixelSize(width: 33, height: 25))
        #expect(picture.header.rowBits == 8)
        #expect(picture.damage == nil)
        #expect(picture.visibleDistance(to: try Fixture.imageBytes(dump)) <= tolerance)
    }

    @Test(arguments: ["rgb16.tif", "psd.psd", "rgb16.dpx"])
    func decodesSixteenBits(name: String) throws {
        let picture = try DecodedPicture(fixture: name)
        #expect(picture.header.rowBits == 16)
        let dump = try Fixture.imageBytes("base16.rgb48")
        let expected = stride(from: 0, to: dump.count, by: 2).map { Int(dump[$0]) | Int(dump[$0 + 1]) << 8 }
        #expect(picture.distance(to: expected) <= 1)
    }

    /// The file holds the linear light of base.rgb in floats. FFmpeg makes it sRGB to 1e-7; its way to 16 bits costs
    /// the rest.
    @Test func decodesLinearFloats() throws {
        let picture = try DecodedPicture(fixture: "rgb.exr")
        #expect(picture.header.rowBits == 16)
        #expect(picture.distance(to: try Fixture.imageBytes("base.rgb").map { Int($0) * 257 }) <= 40)
    }

    @Test func handsOutOrientationAndProfile() throws {
        #expect(try DecodedPicture(fixture: "turned.tif").header.orientation == .quarterTurnClockwise)
        #expect(try DecodedPicture(fixture: "profile.tif").header.profile?.count == 588)
    }

    @Test func takesTheLargestPictureOfAnIcon() throws {
        let png = try DecodedPicture(fixture: "png.ico")
        #expect(png.header.size == PixelSize(width: 32, height: 32))
        #expect(png.visibleDistance(to: try Fixture.imageBytes("png.ico.rgba")) == 0)
        #expect(try DecodedPicture(fixture: "bitmap.ico").header.size == PixelSize(width: 16, height: 16))
    }

    @Test(arguments: ["rgb.tif", "turned.tif"])
    func refusesCameraRaw(name: String) throws {
        var bytes = try Fixture.imageBytes(name)
        let directory = Int(bytes[4]) | Int(bytes[5]) << 8 | Int(bytes[6]) << 16
        // The last entry becomes a DNGVersion.
        let last = directory + 2 + (Int(bytes[directory]) - 1) * 12
        (bytes[last], bytes[last + 1]) = (0x12, 0xC6)
        let error = #expect(throws: MediaError.self) { try DecodedPicture(bytes) }
        #expect(error?.kind == .unsupported)
        #expect(error?.reason.contains("raw") == true)
    }
}
