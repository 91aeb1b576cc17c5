import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct JPEGSegmentsTests {
    private static func read(_ bytes: [UInt8]) -> JPEGSegments { bytes.withUnsafeBytes { JPEGSegments($0) } }

    private static func fixture(_ name: String) throws -> JPEGSegments {
        try read(Fixture.imageBytes("JPEG/\(name).jpg"))
    }

    static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker] + FileBytes.big(data.count + 2, 2) + data
    }

    private static func file(_ segments: [UInt8]...) -> [UInt8] { [0xFF, 0xD8] + segments.joined() + [0xFF, 0xD9] }

    private static func chunk(_ number: UInt8, of count: UInt8, _ data: [UInt8]) -> [UInt8] {
        segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + data)
    }

    @Test(arguments: [
        ("420", JPEGSegments.Frame.Process.baseline, [22, 11, 11], false), ("444", .baseline, [11, 11, 11], false),
        ("422", .baseline, [21, 11, 11], false), ("411", .baseline, [41, 11, 11], false),
        ("grey", .baseline, [11], false),
        ("progressive", .progressive, [22, 11, 11], false), ("arithmetic", .extended, [22, 11, 11], true),
        ("cmyk-adobe", .baseline, [11, 11, 11, 11], false),
    ])
    func readsTheFrame(name: String, process: JPEGSegments.Frame.Process, sampling: [Int], isArithmetic: Bool) throws {
        let frame = try #require(try Self.fixture(name).frame)
        #expect(frame.process == process && frame.isArithmetic == isArithmetic && !frame.isDifferential)
        #expect(frame.size == PixelSize(width: 52, height: 37) && frame.precision == 8)
        #expect(frame.components.map { $0.horizontal * 10 + $0.vertical } == sampling)
    }

    @Test func readsRestartsAndAdobe() throws {
        #expect(try Self.fixture("restart").restartInterval == 4)
        #expect(try Self.fixture("420").restartInterval == 0)
        #expect(try Self.fixture("cmyk-adobe").adobeTransform == 0)
        #expect(try Self.fixture("ycck").adobeTransform == 2)
        #expect(try Self.fixture("420").adobeTransform == nil)
    }

    @Test func readsRealCaptures() throws {
        let pixel = try EXIFBlockTests.capture("rooftop-pixel8-gainmap")
        #expect(pixel.hasGainMap && pixel.hasThumbnail)
        // Counted by exiftool and Pillow.
        #expect(pixel.profile?.count == 596 && pixel.exif?.count == 27_262 - 6)
        let phone = try EXIFBlockTests.capture("wisteria-iphone6-8mp")
        #expect(!phone.hasGainMap && phone.hasThumbnail && phone.profile == nil && !phone.profileIsDamaged)
        #expect(phone.frame?.size == PixelSize(width: 3264, height: 2448))
    }

    @Test func assemblesProfileChunks() {
        let file = Self.file(Self.chunk(2, of: 3, [3, 4]), Self.chunk(3, of: 3, [5]), Self.chunk(1, of: 3, [1, 2]))
        #expect(Self.read(file).profile == [1, 2, 3, 4, 5])
        #expect(!Self.read(file).profileIsDamaged)
    }

    @Test(arguments: [
        [chunk(1, of: 2, [1])], [chunk(1, of: 1, [1]), chunk(1, of: 1, [1])], [chunk(0, of: 1, [1])],
        [chunk(1, of: 2, [1]), chunk(2, of: 3, [1])], [chunk(1, of: 2, [1]), chunk(3, of: 2, [1])],
        [chunk(1, of: 0, [1])],
    ])
    func reportsProfilesWithMissingChunks(chunks: [[UInt8]]) {
        let segments = Self.read(Self.file(Array(chunks.joined())))
        #expect(segments.profile == nil && segments.profileIsDamaged)
    }

    @Test func findsGainMapsOfEveryKind() {
        let iso = Self.segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0])
        #expect(Self.read(Self.file(iso)).hasGainMap)
        let xmp = { (uri: String) in
            Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<d xmlns:h=\"\(uri)\" h:Version=\"1\"/>".utf8))
        }
        #expect(Self.read(Self.file(xmp("http://ns.adobe.com/hdr-gain-map/1.0/"))).hasGainMap)
        #expect(!Self.read(Self.file(xmp("http://ns.adobe.com/other/"))).hasGainMap)
        // Apple's gain map: only the second image declares its role, and only the index of the first has its offset.
        let second = Self.file(xmp("http://ns.apple.com/HDRGainMap/1.0/"))
        for stated in [0, 1, 100, 0xFFFF_FFFF] {
            let entries = [UInt8](repeating: 0, count: 24)
            let index: [UInt8] =
                [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0xB0, 0x02, 0, 7, 0, 0, 0, 32, 0, 0, 0, 26, 0, 0, 0, 0] + entries
            // The index ends eight bytes later; the second image follows the end of the first.
            let actual = index.count + 8 + 2
            let offset = stated == 100 ? actual : stated
            let image = FileBytes.big(offset, 4) + [0, 0, 0, 0]
            let first = Self.file(Self.segment(0xE2, Array("MPF\0".utf8) + index + image))
            #expect(Self.read(first + second).hasGainMap == (stated == 100), "\(stated)")
        }
    }

    @Test func findsThumbnails() {
        let jfif = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1]
        #expect(!Self.read(Self.file(Self.segment(0xE0, jfif + [0, 0]))).hasThumbnail)
        #expect(Self.read(Self.file(Self.segment(0xE0, jfif + [1, 1, 9, 9, 9]))).hasThumbnail)
        #expect(Self.read(Self.file(Self.segment(0xE0, Array("JFXX\0".utf8) + [0x10]))).hasThumbnail)
        let exif = Array("Exif\0\0".utf8) + EXIFSample(isLittleEndian: true).bytes
        #expect(Self.read(Self.file(Self.segment(0xE1, exif))).hasThumbnail)
    }

    @Test func skipsFillAndStrayBytes() {
        let exif = Self.segment(0xE1, Array("Exif\0\0".utf8) + [7])
        #expect(Self.read([0xFF, 0xD8, 0xFF, 0xFF, 0xFF] + exif.dropFirst() + [0xFF, 0xD9]).exif == [7])
        #expect(Self.read([0xFF, 0xD8, 1, 2, 0xFF, 0] + exif + [0xFF, 0xD9]).exif == [7])
        // The first of two blocks counts.
        #expect(Self.read(Self.file(exif, Self.segment(0xE1, Array("Exif\0\0".utf8) + [8]))).exif == [7])
    }

    @Test(arguments: [
        [], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xE1], [0xFF, 0xD8, 0xFF, 0xE1, 0, 1, 0], Array("GIF89a".utf8),
    ])
    func findsNothingInOtherData(bytes: [UInt8]) {
        let segments = Self.read(bytes)
        #expect(segments.exif == nil && segments.frame == nil)
    }

    @Test(arguments: ["captures/rooftop-pixel8-gainmap.jpg", "captures/town-coolpix-gps.jpg"])
    func flipsAndTruncationsAreHarmless(name: String) throws {
        let original = try Array(Fixture.bytes(Fixture.media(name)).prefix(60_000))
        for length in stride(from: 0, to: original.count, by: 97) { _ = Self.read(Array(original.prefix(length))) }
        var random = SeededRandom(seed: 4)
        for _ in 0..<500 {
            _ = Self.read(original.changed(4, using: &random))
        }
    }
}
