import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct EXIFBlockTests {
    /// Returns the metadata of a JPEG of the Media folder.
    static func capture(_ name: String) throws -> JPEGSegments {
        try Fixture.bytes(Fixture.media("captures/\(name).jpg")).withUnsafeBytes { JPEGSegments($0) }
    }

    @Test(arguments: [true, false])
    func readsBothByteOrders(isLittleEndian: Bool) throws {
        let exif = try #require(EXIFBlock(EXIFSample(isLittleEndian: isLittleEndian).bytes))
        #expect(exif.orientation == .quarterTurnClockwise)
        #expect(exif.make == "Camera" && exif.model == nil)
        #expect(exif.artist == "A. Adams" && exif.copyright == "CC0")
        #expect(exif.date == "2020:02:29 23:59:59")
        #expect(exif.hasLocation && exif.hasDevice && exif.hasThumbnail)
    }

    /// Expected values are exiftool's.
    @Test(arguments: [
        ("wisteria-iphone6-8mp", 1, "Apple", "iPhone 6", "2015:04:10 20:12:23", true),
        ("streetlamp-canon-rotated", 6, "Canon", "Canon PowerShot SX60 HS", "2015:02:09 22:47:44", false),
        ("town-coolpix-gps", 1, "NIKON", "COOLPIX P6000", "2008:10:22 16:28:39", true),
        ("rooftop-pixel8-gainmap", 1, "Google", "Pixel 8", "2024:01:11 09:35:33", true),
    ])
    func readsRealCaptures(
        name: String, orientation: Int, make: String, model: String, date: String, hasLocation: Bool
    ) throws {
        let block = try #require(Self.capture(name).exif)
        let exif = try #require(EXIFBlock(block))
        #expect(exif.orientation?.rawValue == orientation)
        #expect(exif.make == make && exif.model == model && exif.date == date)
        #expect(exif.hasLocation == hasLocation && exif.hasDevice && exif.hasThumbnail)
        #expect(exif.artist == nil && exif.copyright == nil)
    }

    /// Reads and rebuilds everything. The result must be readable, and no larger than the input (plus the two fields
    /// that are always written).
    private static func exercise(_ bytes: [UInt8]) {
        guard let exif = EXIFBlock(bytes) else { return }
        _ = (exif.orientation, exif.make, exif.model, exif.artist, exif.copyright, exif.date)
        _ = (exif.hasLocation, exif.hasDevice, exif.hasThumbnail)
        if let rebuilt = exif.upright(size: PixelSize(width: 3, height: 2)) {
            #expect(EXIFBlock(rebuilt) != nil)
            #expect(rebuilt.count <= bytes.count * 2 + 200)
        }
    }

    @Test(arguments: [true, false])
    func everyTruncationIsHarmless(isLittleEndian: Bool) {
        let bytes = EXIFSample(isLittleEndian: isLittleEndian).bytes
        for length in 0...bytes.count { Self.exercise(Array(bytes.prefix(length))) }
    }

    @Test(arguments: ["wisteria-iphone6-8mp", "streetlamp-canon-rotated", "town-coolpix-gps"])
    func realBlocksMayBeCutAnywhere(name: String) throws {
        let bytes = try #require(Self.capture(name).exif)
        for length in stride(from: 0, to: bytes.count, by: 61) { Self.exercise(Array(bytes.prefix(length))) }
    }

    @Test(arguments: ["wisteria-iphone6-8mp", "streetlamp-canon-rotated", "town-coolpix-gps"])
    func flippedBytesAreHarmless(name: String) throws {
        let original = try #require(Self.capture(name).exif)
        var random = SeededRandom(seed: 11)
        for _ in 0..<2000 {
            Self.exercise(original.changed(.random(in: 1...8, using: &random), in: 0..<2000, using: &random))
        }
    }

    @Test(arguments: [8, 200, 300, 400, 0, 7, 709, 710, 0xFFFF_FFFF, 0x8000_0000])
    func directoriesMayPointAnywhere(offset: Int) throws {
        for isLittleEndian in [true, false] {
            var sample = EXIFSample(isLittleEndian: isLittleEndian)
            // The fields that point to the directories of the capture and the location, and to the next one.
            for pointer in [8 + 2 + 5 * 12 + 8, 8 + 2 + 6 * 12 + 8, 8 + 2 + 7 * 12, 4] {
                sample.put(offset, size: 4, at: pointer)
                Self.exercise(sample.bytes)
            }
        }
    }

    @Test(arguments: [0, 8, 0xFFFF])
    func boundsDeclaredFieldCounts(count: Int) {
        var sample = EXIFSample(isLittleEndian: true)
        for offset in [EXIFSample.image, EXIFSample.capture, EXIFSample.location, EXIFSample.thumbnail] {
            sample.put(count, size: 2, at: offset)
            Self.exercise(sample.bytes)
        }
    }

    @Test(arguments: [0, 5, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func fieldsMayClaimAnyCount(count: Int) {
        for field in 0..<7 {
            var sample = EXIFSample(isLittleEndian: false)
            sample.put(count, size: 4, at: 8 + 2 + field * 12 + 4)
            Self.exercise(sample.bytes)
        }
    }

    @Test func fieldsThatShareTheirValueAreNotMultiplied() {
        // 5000 fields, each declaring the same 64 KB.
        var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0x88, 0x13]
        for tag in 0..<5000 {
            let high = UInt8(0x20 + tag >> 8)
            bytes += [UInt8(truncatingIfNeeded: tag), high, 7, 0, 0, 0xE0, 0, 0, 8, 0, 0, 0]
        }
        bytes += [UInt8](repeating: 0, count: 4)
        let exif = EXIFBlock(bytes)
        #expect(exif != nil && exif?.upright(size: nil) == nil)
    }

    @Test(arguments: [
        [], [0x49], Array("Exif\0\0".utf8), [0x49, 0x49, 43, 0, 8, 0, 0, 0], [0x49, 0x4D, 42, 0, 8, 0, 0, 0],
    ])
    func rejectsInvalidData(bytes: [UInt8]) {
        #expect(EXIFBlock(bytes) == nil)
    }

    @Test(arguments: [0, 9, 0xFFFF])
    func invalidOrientationsAreIgnored(value: Int) {
        var sample = EXIFSample(isLittleEndian: true)
        sample.put(value, size: 2, at: 8 + 2 + 2 * 12 + 8)
        #expect(EXIFBlock(sample.bytes)?.orientation == nil)
    }
}
