import TestSupport
import Testing
import WayreelCore
import WayreelStory
import WayreelStoryMedia

/// What `story check` says of base maps: whether they are any, and whether they show where the story is.
@Suite struct BaseMapCheckTests {
    private let folder = TemporaryFolder()

    /// A map that says that it covers 48 to 49 degrees north and 15 to 16 degrees east.
    private static let xml = """
        <?xml version="1.0"?>
        <osm version="0.6"><bounds minlat="48" minlon='15.0' maxlat="49" maxlon="16"/><node id="1" lat="48" lon="15"/></osm>
        """

    private func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try OutputFile.write(Array(bytes), to: "\(folder.path)/\(name)")
    }

    /// Returns the issues of a story with maps and with events at these points, without those of other checks.
    private func issues(
        _ map: String, chapterMap: String = "", at points: [(Double, Double)]
    ) throws -> [String] {
        let events = points.enumerated().map { StorySamples.event("e\($0.offset)", at: $0.element) }
        let xml = """
            <story id="s" language="en"><name>S</name>\(map)<chapter id="c"><name>C</name>\(chapterMap)
            \(events.joined())
            </chapter></story>
            """
        return try StorySamples.read(xml).checked(in: folder.path).issues
            .filter { $0.message.contains("map") || $0.message.contains("osm") || $0.message.contains("tiles") }
            .map { "\($0.severity.rawValue): \($0.message)" }
    }

    @Test func mapsOfTheStorysPlaceAreFine() throws {
        try write(Self.xml.utf8, to: "a.osm")
        try write(Fixture.bytes(Fixture.media("maps/krems.osm.pbf")), to: "krems.osm.pbf")
        #expect(try issues("<map source=\"a.osm\"/>", at: [(48.5, 15.5), (48, 15), (49, 16)]) == [])
        #expect(try issues("<map source=\"krems.osm.pbf\"/>", at: [(48.41, 15.60)]) == [])
        #expect(try issues("", chapterMap: "<map source=\"krems.osm.pbf\"/>", at: [(48.41, 15.60)]) == [])
    }

    /// A degree of latitude is 111.195 km long on a sphere with the Earth's mean radius.
    @Test func mapsOfAnotherPlace() throws {
        try write(Self.xml.utf8, to: "a.osm")
        let zipped = try Command("/bin/gzip", ["-kn", "\(folder.path)/a.osm"]).run()
        #expect(zipped.ending == .exited(0))
        for name in ["a.osm", "a.osm.gz"] {
            let map = "<map source=\"\(name)\"/>"
            #expect(
                try issues(map, at: [(51, 15.5), (50, 15.5)]) == [
                    "error: '\(name)': the story lies outside: the nearest, event 'e1', is 111.2 km away; the file covers "
                        + "15,48,16,49"
                ])
            #expect(
                try issues(map, at: [(48.5, 15.5), (47.99, 15.5), (47.995, 15.5)]) == [
                    "warning: '\(name)': 2 of 3 events lie outside: the farthest, event 'e1', by 1.1 km; the file covers "
                        + "15,48,16,49"
                ])
        }
        // The story's map is shown in no chapter, so that it may be of any place.
        try write(Fixture.bytes(Fixture.media("maps/krems.osm.pbf")), to: "krems.osm.pbf")
        let krems = "<map source=\"krems.osm.pbf\"/>"
        #expect(try issues("<map source=\"a.osm\"/>", chapterMap: krems, at: [(48.41, 15.60)]) == [])
        let monaco = try issues(krems, at: [(43.73, 7.42)])
        #expect(monaco.count == 1, "\(monaco)")
        #expect(
            monaco.first?.hasPrefix("error: 'krems.osm.pbf': the story lies outside: ") == true, "\(monaco)")
    }

    @Test func filesThatAreNoMaps() throws {
        try write([], to: "empty.osm")
        try write("Some words".utf8, to: "words.osm")
        try write(StorySamples.gif, to: "image.osm.pbf")
        let advice =
            "give an OpenStreetMap extract, such as an .osm.pbf file of download.geofabrik.de, or vector tiles as .pmtiles"
        let krems = try Fixture.bytes(Fixture.media("maps/krems.osm.pbf"))
        try write(krems.prefix(30), to: "cut.osm.pbf")
        for (name, message) in [
            ("empty.osm", "the file is empty; copy it to the story's folder again"),
            ("words.osm", "is no map; \(advice)"), ("image.osm.pbf", "is no map; \(advice)"),
            ("cut.osm.pbf", "its header is cut off; copy it to the story's folder again"),
        ] {
            #expect(try issues("<map source=\"\(name)\"/>", at: [(48.41, 15.60)]) == ["error: '\(name)': \(message)"])
        }
        let missing = try issues("<map source=\"none.osm\"/>", at: [(48.41, 15.60)])
        #expect(missing.count == 1 && missing[0].contains("no such file or directory"), "\(missing)")
    }

    /// Damaged headers are an issue or none, and never more than one line.
    @Test func damagedHeaders() throws {
        var random = SeededRandom(seed: 45)
        let krems = Array(try Fixture.bytes(Fixture.media("maps/krems.osm.pbf")).prefix(400))
        for number in 0..<300 {
            var damaged = krems
            for _ in 0...number % 4 {
                damaged[Int.random(in: 0..<200, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try write(damaged.prefix(Int.random(in: 1...damaged.count, using: &random)), to: "damaged.osm.pbf")
            let found = try issues("<map source=\"damaged.osm.pbf\"/>", at: [(48.41, 15.60)])
            #expect(found.count <= 1 && !found.contains { $0.contains("\n") }, "\(found)")
        }
    }

    /// Tiles that other tools made name the makers of their data.
    @Test func tilesOfOthersNeedALicense() throws {
        for name in ["helsinki.pmtiles", "leaves.pmtiles"] {
            try write(Fixture.bytes("\(Fixture.root)/Tests/WayreelGroundTests/Fixtures/\(name)"), to: name)
        }
        let point = (60.17, 24.944)
        #expect(try issues("<map source=\"helsinki.pmtiles\"/>", at: [point]) == [])
        #expect(
            try issues("<map source=\"leaves.pmtiles\"/>", at: [point]) == [
                "error: 'leaves.pmtiles': has no license, and does not say that its data are OpenStreetMap's; "
                    + "give the license under which it may be shown, such as CC BY 4.0"
            ])
        #expect(try issues("<map source=\"leaves.pmtiles\" license=\"CC BY 4.0\"/>", at: [point]) == [])
        let outside = try issues("<map source=\"helsinki.pmtiles\"/>", at: [(61.179, 24.944)])
        #expect(
            outside == [
                "error: 'helsinki.pmtiles': the story lies outside: the nearest, event 'e0', is 111.2 km away; the file covers "
                    + "24.935,60.164,24.953,60.179"
            ])
    }

    @Test func anAuthorNeedsALicense() throws {
        try write(Self.xml.utf8, to: "a.osm")
        let point = (48.5, 15.5)
        #expect(try issues("<map source=\"a.osm\" author=\"Land\" license=\"CC BY 4.0\"/>", at: [point]) == [])
        let found = try issues("<map source=\"a.osm\" author=\"Land\"/>", at: [point])
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("error: the map 'a.osm' has an author and no license") == true, "\(found)")
    }
}
