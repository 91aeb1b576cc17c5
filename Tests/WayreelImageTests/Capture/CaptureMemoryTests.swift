import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// What is estimated from a header is at least what the pixels of the output take, 12 bytes each.
@Suite struct CaptureMemoryTests {
    /// 640×480 pixels.
    private static let photo = Fixture.media("captures/town-coolpix-gps.jpg")

    private static func estimate(_ framing: Framing) throws -> Int? {
        try CaptureMemory.estimate(Fixture.file(photo), CaptureOptions(framing: framing), task: TaskContext())
    }

    private static func screen(_ width: Int, _ height: Int, _ change: (inout Framing) -> Void = { _ in }) -> Framing {
        var framing = Framing(screen: PixelSize(width: width, height: height), turnsScreen: false, enlarges: true)
        change(&framing)
        return framing
    }

    /// Ten columns of 480 pixels are enlarged to 1000 columns of 48 000.
    @Test(arguments: [false, true])
    func countsThePartThatIsCropped(isTurned: Bool) throws {
        let framing = Self.screen(isTurned ? 0 : 1000, isTurned ? 1000 : 0) {
            $0.crop = Framing.Crop(x: .pixels(0), y: .pixels(0), width: .pixels(10), height: .share(1))
            if isTurned { $0.rotation = .quarter }
        }
        #expect(try Self.estimate(framing)! >= 12 * 48_000_000)
    }

    /// A turned image is in memory as it is stored and as it is shown.
    @Test func countsBothCopiesOfATurnedImage() throws {
        let framing = Self.screen(2000, 2000) { $0.fit = .fill }
        var turned = framing
        turned.rotation = .half
        #expect(try Self.estimate(turned)! >= Self.estimate(framing)! + 12 * 4_000_000)
    }

    /// Planes of a JPEG at a reduced size take less than those of the whole.
    @Test func knowsWhatADecoderKeeps() throws {
        let photo = Fixture.media("captures/wisteria-iphone6-8mp.jpg")
        func estimate(_ decodesFully: Bool) throws -> Int {
            let framing = Framing(screen: PixelSize(width: 960, height: 640), decodesFully: decodesFully)
            return try CaptureMemory.estimate(
                Fixture.file(photo), CaptureOptions(framing: framing), task: TaskContext())!
        }
        // 4:2:0: 3/2 bytes for a pixel as a whole, three at half the size.
        let difference = 3264 * 2448 * (1.5 - 0.75)
        #expect(try abs(Double(estimate(true) - estimate(false)) - difference) < difference / 50)
    }

    /// What is left after trimming has any shape. Where it is enlarged to one side of a screen, only the pixels tell.
    @Test func knowsWhatATrimmedImageTakesOnlyWhereTheScreenBoundsIt() throws {
        for fit in [Fit.contain, .cover, .pad, .fill] {
            #expect(try Self.estimate(Self.screen(1000, 800) { ($0.trim, $0.fit) = (10, fit) })! >= 12 * 800_000)
        }
        #expect(try Self.estimate(Self.screen(1000, 0) { $0.trim = 10 }) == nil)
        #expect(try Self.estimate(Self.screen(1000, 800) { ($0.trim, $0.fit) = (10, .width) }) == nil)
        #expect(try Self.estimate(Self.screen(1000, 800) { ($0.trim, $0.cropsToAttention) = (10, true) }) == nil)
        #expect(try Self.estimate(Self.screen(1000, 0) { ($0.trim, $0.enlarges) = (10, false) }) != nil)
        #expect(try Self.estimate(Framing(trim: 10)) != nil)
        let huge = Self.screen(1_000_000_000, 1_000_000_000) { ($0.trim, $0.enlarges) = (10, false) }
        #expect(try Self.estimate(huge) != nil)
    }
}
