import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// No file may cause a crash, a hang or exhausted memory: it decodes, decodes with damage, or throws.
@Suite struct DamagedImageTests {
    private static let files = [
        "rgb-8.png", "rgba-16-adam7.png", "palette-4.png", "blocks.png", "lossy.webp", "lossless-alpha.webp",
        "animated.webp", "metadata.webp", "lossless.heic", "lossless-alpha.avif", "turned.avif", "deep-10.avif",
        "grid.avif",
        "rgb.tif", "TIFF/tiles.tif", "TIFF/separate.tif", "TIFF/lzw-separate-tiles.tif", "TIFF/jpeg-tiles.tif",
        "TIFF/ycbcr.tif", "TIFF/old-lzw.tif", "TIFF/palette-alpha.tif", "TIFF/metadata.tif", "TIFF/big.tif",
        "rgb16.tif", "turned.tif", "rgb.bmp", "palette.bmp", "palette.gif", "transparent.gif", "rgb.jp2", "rgb.ppm",
        "rgb.tga", "rgba.tga", "rgb.pcx", "rgb.sgi", "rgb.qoi", "rgb.jls", "psd.psd", "rgb16.dpx", "rgb.exr", "rgb.jxl",
        "png.ico", "bitmap.ico",
    ]

    /// Low enough that no damaged header makes a test slow.
    private static let limits = Limits(pixels: 1_000_000, inputBytes: 1 << 20, seconds: 10, frames: 100)

    /// Decodes the bytes; errors must be Wayreel's.
    private static func outcome(_ bytes: [UInt8]) -> Result<Damage?, MediaError> {
        do {
            return .success(try DecodedImage(bytes, limits: limits).damage)
        } catch let error as MediaError {
            return .failure(error)
        } catch {
            Issue.record("\(error)")
            return .success(nil)
        }
    }

    @Test(arguments: files)
    func truncated(name: String) throws {
        let whole = try Fixture.imageBytes(name)
        for part in 0..<20 {
            switch Self.outcome(Array(whole.prefix(whole.count * part / 20))) {
            case .success(let damage): #expect((damage?.missingShare ?? 0) < 1)
            case .failure(let error): #expect(!error.reason.isEmpty)
            }
        }
    }

    @Test(arguments: files)
    func flipped(name: String) throws {
        let whole = try Fixture.imageBytes(name)
        var random = SeededRandom(seed: 20)
        for _ in 0..<200 {
            _ = Self.outcome(whole.changed(.random(in: 1...4, using: &random), using: &random))
        }
    }

    /// A truncated file keeps the rows before the cut exactly and reports the missing share.
    @Test(arguments: ["png", "webp"])
    func truncatedRowsAreCounted(format: String) throws {
        var whole = try Fixture.bytes(Fixture.media("captures/frame-1080p.png"))
        if format == "webp" { whole = try Image(DecodedImage(whole)).encoded(Encoding(.webp, quality: 60)) }
        let intact = try DecodedImage(whole)
        let cut = try DecodedImage(whole.prefix(whole.count / 2))
        let share = try #require(cut.damage?.missingShare)
        #expect(share > 0.2 && share < 0.8)
        let height = intact.header.size.height
        let rowCount = intact.values.count / height
        let kept = Int((Double(height) * (1 - share)).rounded()) * rowCount
        // The last kept rows of a lossy image may lack the filter across the next block edge.
        let sure = format == "webp" ? kept - 32 * rowCount : kept
        #expect(cut.values.prefix(sure) == intact.values.prefix(sure))
        #expect(cut.values.dropFirst(kept).allSatisfy { $0 == (intact.header.layout == .rgba ? 0 : 0x80) })
    }

    @Test func checksumsOfPixelsCount() throws {
        var bytes = try Fixture.imageBytes("rgb-8.png")
        // The checksum of the only IDAT, before the twelve bytes of IEND.
        bytes[bytes.count - 14] ^= 0xFF
        #expect(try DecodedImage(bytes).damage != nil)
    }

    @Test func checksumsOfTheRestDoNot() throws {
        var bytes = try Fixture.imageBytes("srgb.png")
        bytes[41] ^= 1  // sRGB's intent
        #expect(try DecodedImage(bytes).damage == nil)
    }

    // MARK: Headers that declare too much

    private static func bombs() throws -> [(name: String, bytes: [UInt8])] {
        let (big, little) = (FileBytes.big(65000, 4), FileBytes.little(65000, 4))
        var png = try Fixture.imageBytes("rgb-8.png")
        png.replaceSubrange(16..<24, with: big + big)
        var bmp = try Fixture.imageBytes("rgb.bmp")
        bmp.replaceSubrange(18..<26, with: little + little)
        var tiff = try Fixture.imageBytes("rgb.tif")
        let directory = Int(tiff[4]) | Int(tiff[5]) << 8 | Int(tiff[6]) << 16
        for entry in stride(from: directory + 2, to: directory + 2 + Int(tiff[directory]) * 12, by: 12)
        where tiff[entry + 1] == 1 && tiff[entry] <= 1 {
            tiff.replaceSubrange(entry + 2..<entry + 12, with: [4, 0, 1, 0, 0, 0] + little)
        }
        var webp = try Fixture.imageBytes("lossless.webp")
        // VP8L's header: a byte of signature, then 14 bits of width - 1 and of height - 1.
        webp.replaceSubrange(21..<25, with: FileBytes.little(16382 | 16382 << 14, 4))
        let ppm = Array("P6 65000 65000 255\n".utf8)
        let qoi = Array("qoif".utf8) + big + big + [3, 0] + Array(repeating: 0, count: 64)
        return [("png", png), ("bmp", bmp), ("tiff", tiff), ("webp", webp), ("ppm", ppm), ("qoi", qoi)]
    }

    @Test(arguments: try bombs())
    func rejectsBombs(bomb: (name: String, bytes: [UInt8])) {
        let error = #expect(throws: MediaError.self) { try DecodedImage(bomb.bytes) }
        #expect(error?.kind == .limit, "\(bomb.name): \(error?.description ?? "")")
    }

    /// The file declares 4 × 4; the coded data are the capture, or a made-up sequence header of 32000 × 32000.
    @Test(arguments: ["still-photo.heic", "lossless-alpha.avif"])
    func codedSizesAreChecked(name: String) throws {
        let isCapture = name == "still-photo.heic"
        var bytes = try Fixture.bytes(isCapture ? Fixture.media("captures/\(name)") : Fixture.image(name))
        var start = 0
        while let found = bytes[start...].firstRange(of: Array("ispe".utf8)) {
            // Version and flags, width, height.
            start = found.upperBound + 12
            bytes.replaceSubrange(found.upperBound + 4..<start, with: FileBytes.big(4, 4) + FileBytes.big(4, 4))
        }
        if !isCapture {
            // An OBU of six bytes: profile 0, still, reduced (5 bits), level 0 (5), sides of 15 bits (4 + 4), 32000
            // less 1.
            let header = try #require(bytes.firstRange(of: [0x0A, 0x06, 0x18] as [UInt8]))
            let sides = FileBytes.big(0xEE << 30 | 31999 << 15 | 31999, 5)
            bytes.replaceSubrange(header.upperBound..<header.upperBound + 5, with: sides)
        }
        let error = #expect(throws: MediaError.self) { try DecodedImage(bytes, limits: Limits(pixels: 500_000)) }
        #expect(error?.kind == .limit)
    }

    /// A profile and an XMP packet that would each decompress to 20 MiB are ignored.
    @Test func chunkBombs() throws {
        let image = try DecodedImage(fixture: "bomb.png")
        #expect(image.header.xmp == nil)
        #expect(image.header.profile == nil && image.header.profileIsDamaged)
        #expect(image.damage == nil)
    }
}
