internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore
internal import WayreelImage
internal import WayreelStory

/// What a bundle says of the house's font.
@Suite struct FontBundleTests {
    private let folder = TemporaryFolder()
    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// DejaVu Sans with an axis of weights from 100 to 900 (OpenType 1.9.1, `fvar`).
    private static func variableFont() throws -> [UInt8] {
        let font = try Fixture.bytes("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
        let count = Int(font[4]) << 8 | Int(font[5])
        let head: [Int] = [1, 0, 16, 2, 1, 20, 0, 8]
        var fvar = head.flatMap { number($0, 2) } + Array("wght".utf8)
        // Least, default and most, with 16 bits behind the point; flags and the number of a name.
        for value in [100, 400, 900] { fvar += number(value << 16, 4) }
        fvar += number(0, 2) + number(256, 2)
        // The new row moves the tables by its length.
        var rows = (0..<count).map { Array(font[12 + 16 * $0..<28 + 16 * $0]) }
        for index in rows.indices {
            let offset = rows[index][8..<12].reduce(0) { $0 << 8 | Int($1) }
            rows[index].replaceSubrange(8..<12, with: number(offset + 16, 4))
        }
        rows.append(Array("fvar".utf8) + number(0, 4) + number(font.count + 16, 4) + number(fvar.count, 4))
        rows.sort { $0.lexicographicallyPrecedes($1) }
        var result = Array(font[..<4]) + number(count + 1, 2) + number(0, 6)
        result += rows.joined()
        result += font[(12 + 16 * count)...]
        return result + fvar
    }

    /// Prepares a story with a font, and returns the manifest.
    private func manifest(font: [UInt8], _ name: String) async throws -> BundleManifest {
        let camera = CameraContent(clue: "The bell")
        let event = Event(
            id: "e", name: "E", position: GeoPoint(latitude: 1, longitude: 2), activation: Activation(radius: 9),
            content: .camera(camera))
        var story = Story(
            id: "walk", language: "en", name: "Test", chapters: [Chapter(id: "c", name: "C", events: [event])])
        story.face = Face(name: "House", font: name, fontLicense: "Bitstream Vera")
        try OutputFile.write(font, to: path(name))
        try OutputFile.write(Array(StoryDocument.text(of: story, as: .xml).utf8), to: path("\(name).xml"))
        let options = PrepareOptions(screens: [try Screen(parsing: "64x64")])
        let report = try await Preparation(
            document: path("\(name).xml"), bundle: path("\(name).bundle"), options: options
        ).run()
        #expect(report.isComplete)
        return try StoryBundle.open(path("\(name).bundle")).manifest()
    }

    /// The page asks for bold letters of the font only if the manifest says that it has them.
    @Test func weightsAreThoseOfTheFontAlsoIfItIsCompressed() async throws {
        let plain = try await manifest(font: Self.variableFont(), "plain.ttf")
        #expect(plain.face?.fontWeights == "100 900")
        let made = try #require(plain.files.first { $0.type == "font/woff2" })
        let compressed = try await manifest(
            font: Fixture.bytes(path("plain.ttf.bundle/\(made.path)")), "compressed.woff2")
        #expect(compressed.face?.fontWeights == "100 900")
        let still = try await manifest(
            font: Fixture.bytes("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"), "still.ttf")
        #expect(still.face != nil && still.face?.fontWeights == nil)
    }
}
