import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct WebPReaderTests {
    /// Compared with the dumps of another program, except for the invisible colour of transparent pixels.
    @Test(arguments: [
        ("lossy.webp", "lossy.webp.rgb", 2), ("lossless.webp", "base.rgb", 0),
        ("lossy-alpha.webp", "lossy-alpha.webp.rgba", 2), ("lossless-alpha.webp", "base.rgba", 0),
        ("animated.webp", "animated.webp.rgba", 0),
    ])
    func decodes(name: String, dump: String, tolerance: Int) throws {
        let image = try DecodedImage(fixture: name)
        #expect(image.header.format == .webp)
        #expect(image.header.size == PixelSize(width: 33, height: 25))
        #expect(image.damage == nil)
        #expect(image.visibleDistance(to: try Fixture.imageBytes(dump)) <= tolerance)
    }

    @Test func tellsFrames() throws {
        #expect(try DecodedImage(fixture: "animated.webp").header.frames == 3)
    }

    @Test func readsProfileEXIFAndXMP() throws {
        let header = try DecodedImage(fixture: "metadata.webp").header
        #expect(header.profile?.count == 588)
        #expect(header.exif.map { Array($0.prefix(4)) } == Array("II*\0".utf8))
        #expect(header.xmp == Array("<x:xmpmeta/>".utf8))
    }
}
