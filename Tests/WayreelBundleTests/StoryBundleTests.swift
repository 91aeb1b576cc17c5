internal import FoundationEssentials
internal import Glibc
internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore
internal import WayreelImage
internal import WayreelStory

/// Bundles as opened by the library.
@Suite struct StoryBundleTests {
    private let folder = TemporaryFolder()
    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func write(_ chapters: Int, events: Int, image: Bool = false) throws {
        var story = Story(id: "many", language: "en", name: "Many", chapters: [])
        for chapter in 0..<chapters {
            var made = Chapter(id: "chapter-\(chapter)", name: "Chapter \(chapter)")
            for event in 0..<events {
                let items: [ScrapbookContent.Item] =
                    image && event == 0 ? [.image(Asset(source: "photo.jpg", alt: "A street"))] : [.text("Words")]
                made.events.append(
                    Event(
                        id: "event-\(chapter)-\(event)", name: "Event \(event)",
                        position: GeoPoint(latitude: Double(chapter) / 10, longitude: Double(event) / 1000),
                        activation: Activation(radius: 20), content: .scrapbook(ScrapbookContent(items: items))))
            }
            story.chapters.append(made)
        }
        try write(story)
    }

    /// Writes a story with an event for each content.
    private func write(_ contents: [EventContent]) throws {
        var chapter = Chapter(id: "c", name: "C")
        chapter.events = contents.enumerated().map { index, content in
            Event(
                id: "e\(index)", name: "E", position: GeoPoint(latitude: 1, longitude: Double(index) / 100),
                activation: Activation(radius: 9), content: content)
        }
        try write(Story(id: "one", language: "en", name: "One", chapters: [chapter]))
    }

    /// Writes a story with one camera event, `e0`.
    private func write(_ treatment: Treatment) throws {
        try write([.camera(CameraContent(clue: "The bell", treatment: treatment))])
    }

    private func write(_ story: Story) throws {
        try OutputFile.write(Array(StoryDocument.text(of: story, as: .xml).utf8), to: path("story.xml"))
    }

    private func preparation() throws -> Preparation {
        let options = PrepareOptions(screens: [try Screen(parsing: "100x150")])
        return Preparation(document: path("story.xml"), bundle: path("bundle"), options: options)
    }

    private func prepare() async throws -> PrepareReport { try await preparation().run() }

    /// An image above the standard limit of 100 megapixels was prepared with a higher one. Its manifest says its size.
    @Test func largeImagesAreVerified() throws {
        let (width, height) = (20_001, 20_000)
        func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker] + number(content.count + 2) + content
        }
        // A grey JPEG (ITU-T T.81, annex B). Its Huffman tables have one code of one bit: no difference, end of block.
        let table: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
        let blocks = (width + 7) / 8 * ((height + 7) / 8)
        // Two bits for each block; the last byte is filled with ones.
        let lastByte: UInt8 = 0xFF >> UInt8(2 * (blocks % 4))
        let parts: [[UInt8]] = [
            [0xFF, 0xD8], segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)),
            segment(0xC0, [8] + number(height) + number(width) + [1, 1, 0x11, 0]), segment(0xC4, [0] + table),
            segment(0xC4, [0x10] + table), segment(0xDA, [1, 1, 0, 0, 63, 0]),
            [UInt8](repeating: 0, count: blocks / 4), [lastByte, 0xFF, 0xD9],
        ]
        try OutputFile.write(Array(parts.joined()), to: path("large.jpg"))
        func entry(_ size: String) throws -> MediaFile {
            let json = "{\"path\":\"large.jpg\",\"type\":\"image/jpeg\",\"bytes\":1,\"sha256\":\"\"\(size)}"
            return try JSONDecoder().decode(MediaFile.self, from: Data(json.utf8))
        }
        try MediaDecoding.check(path("large.jpg"), entry(",\"width\":\(width),\"height\":\(height)"))
        let error = try #require(throws: MediaError.self) {
            try MediaDecoding.check(path("large.jpg"), entry(""))
        }
        #expect(error.code == .tooManyPixels)
    }

    @Test func theStoryComesBackAsItWas() async throws {
        try write(3, events: 4)
        #expect(try await prepare().isSwitched)
        let document = try StoryDocument.read(path: path("story.xml"))
        let bundle = try StoryBundle.open(path("bundle"))
        var story = try bundle.story()
        let chapters = try bundle.chapters()
        #expect(chapters.map(\.events) == [4, 4, 4])
        story.chapters = try chapters.map { try bundle.chapter($0.id) }
        #expect(story == document.story)
        #expect(throws: MediaError.self) { try bundle.chapter("no-such-chapter") }
    }

    /// Programs read the manifest at the bundle's top, players the database. A copy of a bundle may hold files instead
    /// of links.
    @Test(arguments: ["manifest.json", "story.sqlite"]) func whatReadersOpenIsVerified(name: String) async throws {
        try write(1, events: 1)
        _ = try await prepare()
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
        let content = try Fixture.bytes(path("bundle/\(name)"))
        unlink(path("bundle/\(name)"))
        #expect(try await StoryBundle.verify(path("bundle")).issues.map(\.path) == [name])
        try OutputFile.write(content, to: path("bundle/\(name)"))
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
        try OutputFile.write([1], to: path("bundle/\(name)"), ifExists: .replace)
        #expect(try await StoryBundle.verify(path("bundle")).issues.map(\.path) == [name])
        // Preparing again mends a link that is gone.
        unlink(path("bundle/\(name)"))
        _ = try await prepare()
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
    }

    /// `verify` decodes to a size that is larger than this image.
    @Test func aSmallImageIsNotDamaged() async throws {
        try OutputFile.write(PNGFile.black(width: 24, height: 24), to: path("photo.jpg"))
        try write(1, events: 1, image: true)
        _ = try await prepare()
        let media = try StoryBundle.open(path("bundle")).media(for: "photo.jpg", role: .image)
        #expect(media.map(\.file.width) == [24])
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
    }

    /// A file may be wrong in several ways: each is told. A drawing is told from other unknown files.
    @Test func everyFailureOfAFileIsTold() async throws {
        try OutputFile.write(
            Fixture.bytes(Fixture.media("overlays/badge.png")), to: path("badge.png"))
        try OutputFile.write(
            Array("<?xml version=\"1.0\"?><!-- Inkscape --><svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8),
            to: path("map.svg"))
        let badge = Asset(source: "badge.png", alt: "A")
        try write([
            .radio(RadioContent(tracks: [.init(badge)])),
            .scrapbook(ScrapbookContent(items: [.video(.init(source: "badge.png", alt: "A"))])),
            .scrapbook(ScrapbookContent(items: [.image(Asset(source: "map.svg", alt: "B"))])),
        ])
        let failures = try await prepare().failures
        #expect(failures.map(\.source) == ["badge.png", "badge.png", "map.svg"])
        #expect(failures.map(\.error.reason).prefix(2) == ["holds no audio", "is not video"])
        #expect(
            failures.last?.error.reason
                == "is not a known image, audio or video format, but looks like an SVG drawing")
    }

    /// A reader of the old version keeps it, with its media, until it is released.
    @Test func readersOfTheOldVersionAreNotDisturbed() async throws {
        try OutputFile.write(Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg")), to: path("photo.jpg"))
        try write(1, events: 2, image: true)
        _ = try await prepare()
        var old: StoryBundle? = try StoryBundle.open(path("bundle"))
        let media = try #require(try old?.media(for: "photo.jpg", role: .image, screen: "100x150").first)
        let file = try #require(old?.path(of: media.file))

        try OutputFile.write(
            Fixture.bytes(Fixture.media("captures/streetlamp-canon-rotated.jpg")), to: path("photo.jpg"))
        try write(2, events: 2, image: true)
        #expect(try await prepare().isSwitched)
        #expect(try old?.chapters().count == 1)
        #expect(try Fixture.bytes(file).count == media.file.bytes)
        #expect(try StoryBundle.open(path("bundle")).chapters().count == 2)

        old = nil
        _ = try await prepare()
        #expect(throws: MediaError.self) { try Fixture.bytes(file) }
        #expect(Fixture.listing(path("bundle/versions")).count == 1)
    }

    /// The bundle returns to a version that is still being read, and changes again: the version in use is kept.
    @Test func aVersionThatComesBackIsLeftToItsReaders() async throws {
        try OutputFile.write(Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg")), to: path("photo.jpg"))
        try write(1, events: 2, image: true)
        _ = try await prepare()
        let reader = try StoryBundle.open(path("bundle"))
        let media = try #require(try reader.media(for: "photo.jpg", role: .image, screen: "100x150").first)
        try write(1, events: 2)
        _ = try await prepare()
        try write(1, events: 2, image: true)
        #expect(try await prepare().isSwitched)
        try write(1, events: 3)
        _ = try await prepare()
        #expect(try reader.manifest().media.count == 1)
        #expect(try Fixture.bytes(reader.path(of: media.file)).count == media.file.bytes)
    }

    @Test func capturesOfPlayersAreTreatedByTheBundleAlone() async throws {
        try OutputFile.write(Fixture.bytes(Fixture.media("overlays/badge.png")), to: path("badge.png"))
        try write(Treatment(filters: ["sepia-tone:intensity=0.5"], overlays: ["badge.png@north-east+4+4"]))
        _ = try await prepare()
        let bundle = try StoryBundle.open(path("bundle"))
        let options = try bundle.captureOptions(for: "e0", screen: PixelSize(width: 64, height: 64))
        #expect(options.filters.map(\.name) == ["sepia-tone"])
        #expect(options.framing.screen == PixelSize(width: 64, height: 64))
        let overlays = options.overlays.compactMap { if case .image(let image) = $0 { image.path } else { nil } }
        let overlay = try #require(overlays.first)
        #expect(overlay.hasPrefix(path("bundle/media/")))
        #expect(try Fixture.bytes(overlay) == Fixture.bytes(Fixture.media("overlays/badge.png")))
        #expect(try bundle.media(for: "badge.png", role: .treatment).map(\.file.type) == ["image/png"])
    }

    /// Two files of a treatment have the same content and different extensions: each is opened under its own.
    @Test func filesOfTheSameContentKeepTheirEndings() async throws {
        let badge = try Fixture.bytes(Fixture.media("overlays/badge.png"))
        for name in ["badge.png", "badge.jpg", "plain"] { try OutputFile.write(badge, to: path(name)) }
        try write(Treatment(overlays: ["badge.png@north", "badge.jpg@south", "plain@east"]))
        _ = try await prepare()
        let options = try StoryBundle.open(path("bundle")).captureOptions(for: "e0", screen: nil)
        let overlays = options.overlays.compactMap { if case .image(let image) = $0 { image.path } else { nil } }
        let endings = overlays.map { $0.split(separator: "/").last?.split(separator: ".").dropFirst().first ?? "" }
        #expect(endings == ["png", "jpg", ""])
        for overlay in overlays { #expect(try Fixture.bytes(overlay) == badge) }
    }

    /// A colour table is not an image, but still a file of the treatment.
    @Test func tablesOfColoursAreInTheBundle() async throws {
        let table = "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
        try OutputFile.write(Array(table.utf8), to: path("same.cube"))
        try write(Treatment(filters: ["color-cube:file=same.cube"]))
        #expect(try await prepare().isSwitched)
        let files = try StoryBundle.open(path("bundle")).media(for: "same.cube", role: .treatment)
        let bundle = try StoryBundle.open(path("bundle"))
        #expect(try files.map { try Fixture.bytes(bundle.path(of: $0.file)) } == [Array(table.utf8)])
    }

    /// A database may hold values of other types than its tables declare.
    @Test func valuesOfOtherTypesAreDamage() async throws {
        try write(1, events: 1)
        _ = try await prepare()
        try change("UPDATE screen SET width = 'wide'; UPDATE chapter SET json = X'ff00ff'", in: "bundle/story.sqlite")
        let bundle = try StoryBundle.open(path("bundle"))
        let screens = #expect(throws: MediaError.self) { try bundle.screens() }
        let chapter = #expect(throws: MediaError.self) { try bundle.chapter("chapter-0") }
        #expect(screens?.kind == .decoding && chapter?.kind == .decoding)
    }

    private func change(_ sql: String, in database: String = "bundle/.wayreel/state.sqlite") throws {
        let run = try Command("/usr/bin/sqlite3", ["-cmd", ".timeout 10000", path(database), sql]).run()
        #expect(run.ending == .exited(0), "\(run.errors)")
    }

    /// A file that is newer than its hash, because the clock was set back, is hashed again; an older one is not.
    @Test func filesFromTheFutureAreHashedAgain() async throws {
        let zeros = String(repeating: "0", count: 64)
        for (seconds, isBelieved) in [(-3600, true), (3600, false)] {
            try OutputFile.write(Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg")), to: path("photo.jpg"))
            try write(1, events: 1, image: true)
            _ = try await prepare()
            // The time of the status change cannot be set, but the time of hashing can, as if the clock had been right
            // an hour later or earlier.
            try change("UPDATE source SET hash = '\(zeros)', hashedAt = hashedAt - \(seconds) * 1000000000")
            let plan = try await preparation().plan()
            #expect(plan.inputs.map { $0.sha256 == zeros } == [isBelieved], "\(seconds)")
            try change("DELETE FROM source")
        }
    }

    /// Results that the plan found in the state are not read again.
    @Test func finishedTasksAreReadOnce() async throws {
        try OutputFile.write(Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg")), to: path("photo.jpg"))
        try write(1, events: 1, image: true)
        _ = try await prepare()
        let state = path("bundle/.wayreel/state.sqlite")
        let report = try await preparation().run { event in
            guard case .planned = event else { return }
            _ = try? Command("/usr/bin/sqlite3", ["-cmd", ".timeout 10000", state, "DELETE FROM task"]).run()
        }
        #expect(report.isComplete && report.count(.reused) == 1)
        let rows = try Command("/usr/bin/sqlite3", ["-cmd", ".timeout 10000", state, "SELECT count(*) FROM task"]).run()
            .text
        #expect(rows == "0\n")
    }

    @Test func aFolderThatIsNoBundleIsRefused() throws {
        let error = #expect(throws: MediaError.self) { try StoryBundle.open(folder.path) }
        #expect(error?.kind == .io && error?.reason == "is not a bundle")
        let missing = #expect(throws: MediaError.self) { try StoryBundle.open("\(folder.path)/none") }
        #expect(missing?.kind == .io && missing?.reason == "no such file or directory")
    }
}
