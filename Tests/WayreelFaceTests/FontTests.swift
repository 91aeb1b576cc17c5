import TestSupport
import Testing
import WayreelCore
import WayreelFace

/// Fonts: what is taken, what is refused and why, and what is left of one.
@Suite struct FontTests {
    private let folder = TemporaryFolder()

    /// Of the package fonts-dejavu-core.
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

    /// The tables of a TrueType font by their tags: offset and length (OpenType, “Table directory”).
    private func tables(_ font: [UInt8]) -> [String: (offset: Int, length: Int)] {
        func number(_ offset: Int, _ count: Int) -> Int {
            font[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        var tables: [String: (Int, Int)] = [:]
        for index in 0..<number(4, 2) {
            let row = 12 + 16 * index
            tables[String(decoding: font[row..<row + 4], as: UTF8.self)] = (number(row + 8, 4), number(row + 12, 4))
        }
        return tables
    }

    /// The font with other permissions to embed it (OS/2, `fsType`, at byte 8).
    private func font(embedding: UInt16) throws -> [UInt8] {
        var font = try Fixture.bytes(Self.font)
        let place = try #require(tables(font)["OS/2"]).offset + 8
        (font[place], font[place + 1]) = (UInt8(embedding >> 8), UInt8(embedding & 0xFF))
        return font
    }

    private func reason(_ bytes: [UInt8]) -> String? {
        do { _ = try FontFile(bytes) } catch { return error.reason }
        return nil
    }

    @Test func fontsThatMustNotBeEmbeddedAreRefusedWithTheirOwnWords() throws {
        for allowed: UInt16 in [0, 4, 8, 0x0A, 0x100, 0x108] {
            #expect(try reason(font(embedding: allowed)) == nil, "\(allowed)")
        }
        for (forbidden, rule) in [
            (2, "it must not be embedded without its maker's permission"), (0x102, "it must not be embedded"),
            (0x200, "only bitmaps of it may be embedded"),
        ] {
            let reason = try #require(try reason(font(embedding: UInt16(forbidden))))
            #expect(reason.hasPrefix("the font itself says that \(rule)") && reason.contains("fsType \(forbidden)"))
            // DejaVu has a licence: “Fonts are (c) Bitstream (see below). …”
            #expect(reason.contains("“Fonts are (c) Bitstream"))
        }
        #expect(try FontFile(font(embedding: 0x100)).forbidsSubsets)
    }

    /// All names may have the same 64 kB, of which only the beginning is shown.
    @Test func manyNamesTakeNoTime() throws {
        var font = try Fixture.bytes(Self.font)
        // Of Windows, in English: the licence (13), 65,534 bytes from the first name on.
        let name: [UInt8] = [0, 3, 0, 1, 4, 9, 0, 13, 0xFF, 0xFE, 0, 0]
        let names: [UInt8] = [0, 0, 0xFF, 0xFF, 0, 6] + (0..<65_535).flatMap { _ in name }
        let rows = (0..<(Int(font[4]) << 8 | Int(font[5]))).map { 12 + 16 * $0 }
        let row = try #require(rows.first { font[$0..<$0 + 4].elementsEqual("name".utf8) })
        for (place, number) in [(row + 8, font.count), (row + 12, names.count)] {
            for index in 0..<4 { font[place + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
        }
        let start = ContinuousClock.now
        let license = try #require(try FontFile(font + names).license)
        #expect((100...160).contains(license.count))
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func whatIsNoFontIsRefused() throws {
        let font = try Fixture.bytes(Self.font)
        for (bytes, expected) in [
            ([], "the file is no font"), (Array("<svg onload=\"alert(1)\">".utf8), "the file is no font"),
            (Array("ttcf".utf8), "the file holds several fonts"), (Array("wOFF".utf8), "WOFF 1 is not read"),
            (Array("wOF2".utf8) + [0, 1, 0, 0], "the WOFF2 file is damaged"),
            (Array(font.prefix(11)), "the font is cut off"), (Array(font.prefix(300)), "the font is cut off"),
        ] as [([UInt8], String)] {
            #expect(reason(bytes)?.hasPrefix(expected) == true, "\(reason(bytes) ?? "taken")")
        }
        let path = try folder.write([UInt8](repeating: 0, count: 20_000_000), to: "large.ttf")
        #expect(
            #expect(throws: MediaError.self) { try FontFile(path: path) }?.description
                == "font: the font has 20 MB; the limit is 5 MB; give the font of the scripts that the texts are in, or a "
                + "subset of it")
    }

    /// A WOFF2 file of one table. `claimed` is `totalSfntSize`; `entry` its row (WOFF 2.0, section 4.1).
    private func compressed(claimed: [UInt8] = [0, 0, 4, 0], entry: [UInt8]) -> [UInt8] {
        "wOF2".utf8 + [0, 1, 0, 0] + [0, 0, 0, 100] + [0, 1, 0, 0] + claimed + [UInt8](repeating: 0, count: 28) + entry
            + [UInt8](repeating: 0, count: 100)
    }

    /// A file of 150 bytes that says that it becomes 4 GB is refused before anything is decompressed.
    @Test func bombsAreRefused() {
        let large = [UInt8](repeating: 0xFF, count: 4)
        let reasons = [
            // The whole font; its only table, `cmap` (0); a transformed `glyf` (10).
            compressed(claimed: large, entry: [0, 10]), compressed(entry: [0, 0x8F, 0xFF, 0xFF, 0xFF, 0x7F]),
            compressed(entry: [10, 10, 0x8F, 0xFF, 0xFF, 0xFF, 0x7F]),
        ].map { reason($0) ?? "taken" }
        for reason in reasons {
            #expect(reason == "the font has 4295 MB without its compression; the limit is 30 MB")
        }
        // Numbers of six bytes, with a leading zero, and above 32 bits (section 4.1, UIntBase128).
        for entry in [[0, 0x80, 1], [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0, 0x9F, 0xFF, 0xFF, 0xFF, 0x7F]]
            as [[UInt8]]
        {
            #expect(reason(compressed(entry: entry)) == "the WOFF2 file is damaged")
        }
    }

    /// Tables with colours may have scripts and links (`SVG `) and images, and their letters are not in the house's colours.
    @Test(arguments: [("SVG ", 36), ("COLR", 34), ("sbix", 37), ("CBDT", 32)])
    func fontsWithColorsAreRefused(tag: String, number: UInt8) throws {
        var font = try Fixture.bytes(Self.font)
        let row = try #require(
            (0..<(Int(font[4]) << 8 | Int(font[5]))).map { 12 + 16 * $0 }.first {
                font[$0..<$0 + 4].elementsEqual("GPOS".utf8)
            })
        font.replaceSubrange(row..<row + 4, with: tag.utf8)
        let name = tag == "SVG " ? "SVG" : tag
        let expected = "the font has colours of its own (table '\(name)')"
        #expect(reason(font) == expected)
        // By its number, and by its name.
        #expect(reason(compressed(entry: [number, 9])) == expected)
        #expect(reason(compressed(entry: [63] + tag.utf8 + [9])) == expected)
    }

    /// Cut at any byte, and with bytes of chance, a font is refused or read; nothing else.
    @Test func damagedFontsEndInAnError() throws {
        let font = try Fixture.bytes(Self.font)
        var random = SeededRandom(seed: 44)
        for _ in 0..<60 {
            var damaged = Array(font.prefix(Int.random(in: 0...font.count, using: &random)))
            for _ in 0..<8 where !damaged.isEmpty {
                damaged[Int.random(in: 0..<min(damaged.count, 2000), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            _ = reason(damaged)
        }
    }

    @Test func aFontIsReducedToTheCharactersOfThePage() throws {
        let task = FontTask(
            input: Self.font, output: "\(folder.path)/font.woff2",
            options: FontOptions(texts: ["Ж", "漢"], limits: .standard))
        let report = try task.makePipeline().run(task)
        #expect(report.error == nil)
        #expect(report.warnings.map(\.message) == ["the font lacks “漢” of the texts, which are shown in another font"])
        let made = try Fixture.bytes("\(folder.path)/font.woff2")
        #expect(made.starts(with: "wOF2".utf8) && made.count == report.output.bytes && made.count < 30_000)
        let plain = try FontFile(made)
        let (before, after) = (tables(try Fixture.bytes(Self.font)), tables(plain.bytes))
        #expect(before["fpgm"] != nil && before["prep"] != nil && after["fpgm"] == nil && after["prep"] == nil)
        #expect(after["GSUB"] != nil && after["GPOS"] != nil)
        #expect(plain.license?.hasPrefix("Fonts are (c) Bitstream") == true)
        // `numGlyphs` of `maxp`: 6253 of 13.5 kB; those of the page are about 500, with what ligatures need.
        let glyphs = try #require(after["maxp"]).offset + 4
        let count = Int(plain.bytes[glyphs]) << 8 | Int(plain.bytes[glyphs + 1])
        #expect(430...900 ~= count, "\(count)")
    }

    @Test func charactersAreThoseOfTheTextsInBothCases() {
        #expect(
            FontOptions(texts: ["Straße", "жук ⟶ \u{1}"]).characters == "\u{1E9E}ЖКУжку⟶".filter { $0 != "\u{1E9E}" })
    }
}
