internal import Glibc
internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore
internal import WayreelMapFiles
internal import WayreelStory

/// Base maps in bundles: which tiles, where the manifest has them, and what is made again.
@Suite struct BaseMapBundleTests {
    private let folder = TemporaryFolder()
    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private static let market = GeoPoint(latitude: 48.4121, longitude: 15.6018)
    private static let helsinki = GeoPoint(latitude: 60.1700, longitude: 24.9440)

    private func event(_ id: String, at position: GeoPoint) -> Event {
        Event(
            id: id, name: id, position: position, activation: Activation(radius: 20),
            content: .scrapbook(ScrapbookContent(items: [.text("T")])))
    }

    private func write(map: BaseMap?, _ chapters: [Chapter]) throws {
        for name in ["krems", "helsinki-centre"] {
            let file = try Fixture.bytes(Fixture.media("maps/\(name).osm.pbf"))
            try OutputFile.write(file, to: path("\(name).osm.pbf"))
        }
        let story = Story(id: "s", language: "de-AT", name: "S", map: map, chapters: chapters)
        try OutputFile.write(Array(try StoryDocument.text(of: story, as: .xml).utf8), to: path("story.xml"))
    }

    private func preparation(margin: Double = 200, maxBundleBytes: Int? = nil) throws -> Preparation {
        Preparation(
            document: path("story.xml"), bundle: path("bundle"),
            options: PrepareOptions(
                screens: [try Screen(parsing: "100x150")], mapMargin: margin, maxBundleBytes: maxBundleBytes))
    }

    /// The column and row of a position by the formula of web maps.
    private static func tile(_ point: GeoPoint, zoom: Int) -> String {
        let count = Double(1 << zoom)
        let latitude = point.latitude * .pi / 180
        let x = (point.longitude + 180) / 360 * count
        let y = (1 - asinh(tan(latitude)) / .pi) / 2 * count
        return "\(zoom)/\(Int(x))/\(Int(y))"
    }

    private func manifest() throws -> BundleManifest { try StoryBundle.open(path("bundle")).manifest() }

    @Test func aStorysSurroundingsBecomeTiles() async throws {
        let krems = BaseMap(source: "krems.osm.pbf")
        try write(map: krems, [Chapter(id: "c", name: "C", events: [event("market", at: Self.market)])])
        let report = try await preparation().run()
        #expect(report.isSwitched && report.failures.isEmpty, "\(report.failures)")
        let manifest = try manifest()
        #expect(manifest.version == 2)
        let ground = try #require(manifest.ground?.story)
        #expect(manifest.ground?.chapters == [:])
        #expect((ground.minZoom, ground.maxZoom) == (12, 17) && ground.source == "krems.osm.pbf")
        #expect(ground.attribution == "© OpenStreetMap contributors" && ground.license == "ODbL 1.0")
        // 220 m are 0.00198 degrees of latitude, and 0.00298 of longitude here.
        #expect(abs(ground.bounds.north - 48.41408) < 0.00001 && abs(ground.bounds.south - 48.41012) < 0.00001)
        #expect(abs(ground.bounds.east - 15.60478) < 0.00001 && abs(ground.bounds.west - 15.59882) < 0.00001)
        for zoom in 12...17 { #expect(ground.tiles[Self.tile(Self.market, zoom: zoom)] != nil, "\(zoom)") }
        let files = Dictionary(uniqueKeysWithValues: manifest.files.map { ($0.path, $0) })
        for (tile, path) in ground.tiles {
            #expect(tile.split(separator: "/").compactMap { Int($0) }.count == 3)
            let file = try #require(files[path])
            #expect(file.type == "application/vnd.mapbox-vector-tile" && path.hasSuffix(".mvt"))
            #expect(try Fixture.bytes(self.path("bundle/\(path)")).prefix(2) == [0x1F, 0x8B])
        }
        let entries = manifest.media.filter { $0.role == .tile }
        #expect(Set(entries.map(\.path)) == Set(ground.tiles.values))
        #expect(entries.allSatisfy { $0.source == "krems.osm.pbf" && $0.screen == nil && $0.languages == nil })
        let bytes = Set(ground.tiles.values).reduce(0) { $0 + (files[$1]?.bytes ?? 0) }
        #expect(manifest.downloadBytes(language: "de-AT", screen: "100x150") == bytes && bytes > 0)
        #expect(
            manifest.credits?.map(\.author) == ["OpenStreetMap contributors"]
                && manifest.credits?.first?.origin == "https://www.openstreetmap.org/copyright")
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
        // JSON is as the page reads it.
        let json = String(decoding: try Fixture.bytes(path("bundle/manifest.json")), as: UTF8.self)
        #expect(json.contains("\"attribution\" : \"© OpenStreetMap contributors\""))
    }

    @Test func nothingIsMadeAgainWithoutAChange() async throws {
        let chapter = Chapter(id: "c", name: "C", events: [event("market", at: Self.market)])
        try write(map: BaseMap(source: "krems.osm.pbf"), [chapter])
        let first = try await preparation(margin: 400).run()
        #expect(first.count(.made) == 1)
        let again = try await preparation(margin: 400).run()
        #expect(again.count(.reused) == 1 && !again.isSwitched)
        let before = try Set(#require(manifest().ground?.story).tiles.values)
        // With a larger margin the tiles in the middle of the map stay the same files.
        let wider = try await preparation(margin: 800).run()
        #expect(wider.count(.made) == 1 && wider.isSwitched)
        let after = try Set(#require(manifest().ground?.story).tiles.values)
        #expect(after.count > before.count && !after.intersection(before).isEmpty)
        // A tile that was removed is made again.
        let tile = try #require(after.min())
        #expect(unlink(path("bundle/\(tile)")) == 0)
        let repaired = try await preparation(margin: 800).run()
        #expect(repaired.warnings.contains { $0.contains(tile) }, "\(repaired.warnings)")
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
    }

    @Test func chaptersHaveMapsOfTheirOwn() async throws {
        let chapters = [
            Chapter(id: "krems", name: "K", events: [event("market", at: Self.market)]),
            Chapter(
                id: "helsinki", name: "H", map: BaseMap(source: "helsinki-centre.osm.pbf"),
                events: [event("station", at: Self.helsinki)]),
        ]
        try write(map: BaseMap(source: "krems.osm.pbf"), chapters)
        #expect(try await preparation().run().isSwitched)
        let ground = try #require(manifest().ground)
        #expect(ground.story?.tiles[Self.tile(Self.market, zoom: 17)] != nil)
        #expect(ground.story?.tiles[Self.tile(Self.helsinki, zoom: 17)] == nil)
        #expect(Array(ground.chapters.keys) == ["helsinki"])
        #expect(ground.chapters["helsinki"]?.tiles[Self.tile(Self.helsinki, zoom: 17)] != nil)
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
    }

    /// Tiles that other tools made are put into the bundle as they are.
    @Test func tilesOfOtherToolsAreTaken() async throws {
        let chapter = Chapter(id: "c", name: "C", events: [event("station", at: Self.helsinki)])
        try write(map: BaseMap(source: "helsinki.pmtiles"), [chapter])
        let archive = try Fixture.bytes("\(Fixture.root)/Tests/WayreelGroundTests/Fixtures/helsinki.pmtiles")
        try OutputFile.write(archive, to: path("helsinki.pmtiles"))
        // Of the tiles within 700 m, the archive has these.
        let report = try await preparation(margin: 700).run()
        #expect(report.isSwitched, "\(report.failures)")
        let manifest = try manifest()
        let ground = try #require(manifest.ground?.story)
        #expect((ground.minZoom, ground.maxZoom) == (14, 15))
        #expect(ground.attribution == "© OpenStreetMap contributors")
        #expect(manifest.credits?.map(\.license) == ["ODbL 1.0"])
        #expect(ground.tiles["15/18655/9484"] != nil && ground.tiles["15/18654/9484"] == nil)
        for (tile, path) in ground.tiles {
            let original = try Fixture.bytes("\(Fixture.root)/Tests/Player/ground/\(tile).mvt")
            #expect(try Fixture.bytes(self.path("bundle/\(path)")) == original, "\(tile)")
        }
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
    }

    /// The map of one town is none of the other one.
    @Test func aStoryOfAnotherTownFails() async throws {
        let chapter = Chapter(id: "c", name: "C", events: [event("station", at: Self.helsinki)])
        try write(map: BaseMap(source: "krems.osm.pbf"), [chapter])
        let report = try await preparation().run()
        #expect(!report.isComplete)
        let error = try #require(report.tasks.first?.error)
        #expect(error.subject == "krems.osm.pbf", "\(error)")
        #expect(error.reason.hasPrefix("the story lies outside of it, "), "\(error)")
    }

    @Test func tilesCountForTheMaximumSize() async throws {
        let chapter = Chapter(id: "c", name: "C", events: [event("market", at: Self.market)])
        try write(map: BaseMap(source: "krems.osm.pbf"), [chapter])
        await #expect(throws: MediaError.self) { try await preparation(maxBundleBytes: 2000).run() }
        #expect(try await preparation(maxBundleBytes: 5_000_000).run().isSwitched)
    }
}
