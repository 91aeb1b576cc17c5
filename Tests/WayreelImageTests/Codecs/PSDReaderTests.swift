import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Photoshop documents written by the tests.
@Suite struct PSDReaderTests {
    private static let profile = [UInt8](0..<77)

    /// Ink is stored inverted.
    @Test(arguments: [8, 16], [false, true]) func readsInksAndTheirProfile(depth: Int, isPacked: Bool) throws {
        let full = 1 << depth - 1
        let inks = (0..<4).map { c in (0..<6).map { ($0 * 31 + c * 59) % 256 * full / 255 } }
        let stored = inks.map { $0.map { full - $0 } }
        let psd = PSDBytes(
            width: 3, height: 2, channels: stored, depth: depth, mode: 4, profile: Self.profile, isPacked: isPacked)
        let image = try DecodedImage(psd.file)
        #expect(image.header.layout == .cmyk && image.header.model == .cmyk && image.header.depth == depth)
        #expect(image.header.profile == Self.profile)
        #expect(image.values == (0..<6).flatMap { i in inks.map { $0[i] } })
    }

    @Test(arguments: [1, 8]) func readsGreys(mode: Int) throws {
        let psd = PSDBytes(width: 2, height: 1, channels: [[3, 250]], mode: mode, profile: Self.profile)
        let image = try DecodedImage(psd.file)
        #expect(image.header.model == .grey && image.header.profile == Self.profile)
        #expect(image.values == [3, 3, 3, 250, 250, 250])
    }

    /// The merged image is composited on white if a negative number of layers declares transparency: 255 · 0.2
    /// + 204 = 255, 100 = c · 0.6 + 102 → 0, 151 = c · 0.6 + 102 → 82. With a positive number the channel is a
    /// selection.
    @Test func takesAlphaFromMergedImages() throws {
        let channels = [[255, 100], [204, 151], [204, 204], [51, 153]]
        let plain = PSDBytes(width: 2, height: 1, channels: channels, mode: 3)
        #expect(try DecodedImage(plain.file).values == [255, 204, 204, 51, 100, 151, 204, 153])
        var layered = plain
        layered.layerCount = -1
        #expect(try DecodedImage(layered.file).values == [255, 0, 0, 51, 0, 82, 170, 153])
        // A colour too dark to be composited on white is kept as stored.
        layered.channels[0][1] = 3
        #expect(try DecodedImage(layered.file).values == [255, 204, 204, 51, 3, 151, 204, 153])
        layered.channels[0][1] = 100
        layered.layerCount = 1
        #expect(try DecodedImage(layered.file).values == [255, 204, 204, 100, 151, 204])
    }

    /// At 16 bits the number of layers is in a block of further information.
    @Test func takesAlphaFromMergedImagesOf16Bits() throws {
        var psd = PSDBytes(width: 1, height: 1, channels: [255, 128, 128, 127].map { [$0 * 257] }, depth: 16, mode: 3)
        psd.layerCount = -1
        let image = try DecodedImage(psd.file)
        // 128 = c · 127/255 + 128 → 0.
        #expect(image.header.layout == .rgba && image.values == [65535, 0, 0, 127 * 257])
        psd.layerCount = 1
        #expect(try DecodedImage(psd.file).values == [65535, 128 * 257, 128 * 257])
    }

    /// The transparency of inks is not used, which a warning says.
    @Test(arguments: [(-1, true), (1, false)]) func ignoresTheAlphaOfInks(layerCount: Int, isAlpha: Bool) throws {
        var psd = PSDBytes(width: 1, height: 1, channels: [[1], [2], [3], [4], [5]], mode: 4)
        psd.layerCount = layerCount
        #expect(try DecodedImage(psd.file).header.ignoresAlpha == isAlpha)
    }

    @Test func countsRowsThatLackAChannel() throws {
        let channels = (0..<3).map { c in (0..<8).map { $0 * 3 + c } }
        let psd = PSDBytes(width: 2, height: 4, channels: channels, mode: 3).file
        let image = try DecodedImage(psd.dropLast(3))
        #expect(image.damage?.missingShare == 0.5)
        #expect(image.values.suffix(12).allSatisfy { $0 == 0x80 } && image.values[0..<3] == [0, 1, 2])
        #expect(throws: MediaError.self) { try DecodedImage(psd.dropLast(9)) }
    }

    @Test(arguments: [(9, "Lab"), (7, "multichannel")]) func rejectsOtherModes(mode: Int, name: String) {
        let psd = PSDBytes(width: 1, height: 1, channels: [[1], [2], [3]], mode: mode)
        let error = #expect(throws: MediaError.self) { try DecodedImage(psd.file) }
        #expect(error?.kind == .unsupported && error?.reason.contains(name) == true && error?.advice != nil)
    }
}
