import Testing
import WayreelCore

@Suite struct PixelSizeTests {
    @Test(arguments: [("960x640", 960, 640), ("1x20000", 1, 20000)])
    func parses(text: String, width: Int, height: Int) {
        #expect(PixelSize(text) == PixelSize(width: width, height: height))
    }

    @Test(arguments: ["", "960", "960x", "x640", "0x5", "-1x5", "960x640x3", "1e3x5", "99999999999999999999x1"])
    func rejects(text: String) {
        #expect(PixelSize(text) == nil)
    }

    @Test func areaNeverOverflows() {
        #expect(PixelSize(width: .max, height: 3).pixels == .max)
    }
}
