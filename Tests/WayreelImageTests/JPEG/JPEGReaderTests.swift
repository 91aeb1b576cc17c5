import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct JPEGReaderTests {
    static func rows(_ reader: JPEGReader) throws -> [UInt8] {
        try (0..<reader.header.size.height).flatMap { _ in try reader.row() }
    }

    static func open(_ bytes: [UInt8], limits: Limits = .standard) throws -> JPEGReader {
        try JPEGReader(MediaBytes(bytes), limits: limits, task: TaskContext())
    }

    @Test(arguments: [
        ("grey", "rgb", ImageHeader.ColorModel.grey, nil as String?), ("444", "rgb", .yCbCr, "4:4:4"),
        ("422", "rgb", .yCbCr, "4:2:2"), ("420", "rgb", .yCbCr, "4:2:0"), ("440", "rgb", .yCbCr, "4:4:0"),
        ("411", "rgb", .yCbCr, "4:1:1"), ("progressive", "rgb", .yCbCr, "4:2:0"), ("restart", "rgb", .yCbCr, "4:2:0"),
        ("rgb", "rgb", .rgb, "4:4:4"), ("optimised", "rgb", .yCbCr, "4:2:0"), ("arithmetic", "rgb", .yCbCr, "4:2:0"),
        ("cmyk-adobe", "cmyk", .cmyk, "4:4:4"), ("ycck", "cmyk", .ycck, nil),
    ])
    func decodesAsOtherPrograms(name: String, kind: String, model: ImageHeader.ColorModel, subsampling: String?)
        throws
    {
        let reader = try Self.open(Fixture.imageBytes("JPEG/\(name).jpg"))
        #expect(reader.header.size == PixelSize(width: 52, height: 37))
        #expect(reader.header.model == model)
        if let subsampling { #expect(reader.header.subsampling == subsampling) }
        #expect(reader.header.isProgressive == (name == "progressive"))
        let expected = try Fixture.bytes(Fixture.image("JPEG/\(name).\(kind)"))
        let decoded = try Self.rows(reader)
        #expect(decoded.count == expected.count)
        // Pillow contains a later libjpeg-turbo than the system: its colour conversion may differ by one.
        let worst = zip(decoded, expected).map { abs(Int($0) - Int($1)) }.max()!
        #expect(worst <= (kind == "cmyk" ? 1 : 0))
        #expect(reader.damage == nil)
    }

    @Test(arguments: ["420", "422", "progressive", "restart", "cmyk-adobe"], [1, 8, 15, 16, 36])
    func skippedRowsChangeNothing(name: String, count: Int) throws {
        let bytes = try Fixture.imageBytes("JPEG/\(name).jpg")
        let all = try Self.rows(Self.open(bytes))
        let reader = try Self.open(bytes)
        try reader.skipRows(count)
        let width = reader.header.rowBytes
        for y in count..<37 {
            #expect(try reader.row() == Array(all[y * width..<(y + 1) * width]), "row \(y)")
        }
    }

    @Test func reportsTheMissingFraction() throws {
        let whole = try Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg"))
        var lastShare = 1.1
        for twentieth in 1..<20 {
            let part = Array(whole.prefix(whole.count * twentieth / 20))
            guard let reader = try? Self.open(part) else { continue }
            _ = try Self.rows(reader)
            let damage = try #require(reader.damage)
            #expect(damage.missingShare <= lastShare && damage.missingShare > 0)
            lastShare = damage.missingShare
        }
        #expect(lastShare < 0.2)
    }

    @Test func refusesMoreThanTheLimit() throws {
        let bytes = try Fixture.bytes(Fixture.image("JPEG/444.jpg"))
        let error = #expect(throws: MediaError.self) { try Self.open(bytes, limits: Limits(pixels: 1923)) }
        #expect(error?.kind == .limit)
        _ = try Self.open(bytes, limits: Limits(pixels: 1924))
    }

    @Test func survivesFlippedBytes() throws {
        var random = SeededRandom(seed: 5)
        for name in ["420", "progressive", "restart", "cmyk-adobe", "arithmetic"] {
            let original = try Fixture.imageBytes("JPEG/\(name).jpg")
            for _ in 0..<150 {
                let count = Int.random(in: 1...6, using: &random)
                let bytes = original.changed(count, in: 2..<original.count, using: &random)
                // A flipped size may request a large image: the limit is low so that the test stays fast.
                guard let reader = try? Self.open(bytes, limits: Limits(pixels: 1_000_000)) else { continue }
                _ = try? Self.rows(reader)
            }
        }
    }

    @Test(arguments: [[], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xD9], Array("GIF89a".utf8)] as [[UInt8]])
    func rejectsInvalidData(bytes: [UInt8]) {
        let error = #expect(throws: MediaError.self) { try Self.open(bytes) }
        #expect(error?.kind == .decoding)
    }
}
