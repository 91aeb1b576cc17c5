internal import FoundationEssentials
internal import TestSupport
internal import Testing

/// `wayreel places`. What Krems has was found by osmium-tool, and distances by PyPI geographiclib.
@Suite struct PlacesCommandTests {
    private let bench = Workbench()
    private static let krems = "Media/maps/krems.osm.pbf"

    private struct Found: Decodable {
        struct Row: Decodable {
            struct Place: Decodable {
                var name: String?
                var kind: String?
            }
            struct Opening: Decodable {
                var state: String
                var dependsOnHolidays: Bool
                var until: String?
            }
            var place: Place
            var distance: Double?
            var along: Double?
            var side: String?
            var opening: Opening?
        }
        var attribution: String?
        var places: [Row]
    }

    private func found(_ arguments: String...) throws -> Found {
        let run = try expectDone(bench.command(["places", "search"] + arguments + ["--json"]).run())
        return try JSONDecoder().decode(Found.self, from: Data(run.text.utf8))
    }

    @Test func findsTheNearestCafes() throws {
        let found = try found(Self.krems, "--kind", "cafe", "--at", "48.4106,15.6035", "--within", "200m")
        #expect(found.attribution == "© OpenStreetMap contributors")
        #expect(
            found.places.map(\.place.name) == [
                "Café Konditorei Raimitz", "Cafe Collage", "Café Star Light", "Cafe Konditorei Hagmann",
            ])
        #expect(found.places.compactMap(\.distance) == [127.5, 129.0, 154.3, 169.0])
    }

    @Test func findsThePlacesOfAStorysMap() throws {
        try expectDone(bench.shell("cp \(Self.krems) krems.osm.pbf"))
        func story(_ map: String) -> String {
            """
            <story xmlns="urn:wayreel:story:1" id="s" language="en"><name>S</name>\(map)<chapter id="c"><name>C</name>
            <event id="e"><name>E</name><position latitude="48.41" longitude="15.6"/><activation radius="20"/>
            <scrapbook><text>A page.</text></scrapbook></event>
            </chapter></story>
            """
        }
        try bench.write(story("<map source=\"krems.osm.pbf\"/>"), to: "story.xml")
        #expect(try found("story.xml", "--kind", "cafe", "--at", "48.4106,15.6035").places.count == 7)
        try bench.write(story(""), to: "bare.xml")
        let bare = try bench.wayreel("places", "search", "bare.xml", "--at", "48.4106,15.6035")
        #expect(bare.ending == .exited(2) && bare.errors.contains("names no OpenStreetMap extract as its map"))
    }

    /// `Mo-Fr 07:30-20:00; Sa 07:30-18:00`, on a Friday.
    @Test func saysWhatIsOpen() throws {
        let at = ["--at", "48.4106,15.6035"]
        let open = try found(Self.krems, "schmank", at[0], at[1], "--time", "2026-11-27T14:05", "--open")
        #expect(open.places.first?.opening?.state == "open")
        #expect(open.places.first?.opening?.until == "2026-11-27T20:00")
        let closed = try found(Self.krems, "schmank", at[0], at[1], "--time", "2026-11-29T14:05")
        #expect(closed.places.first?.opening?.state == "closed")
        #expect(try found(Self.krems, "schmank", at[0], at[1], "--time", "2026-11-29T14:05", "--open").places.isEmpty)
    }

    @Test func listsWhatIsAlongARoute() throws {
        try bench.write(
            """
            <gpx version="1.1"><rte><rtept lat="48.40" lon="15.6"/><rtept lat="48.42" lon="15.6"/></rte></gpx>
            """, to: "route.gpx")
        try bench.write("lat,lon,name\n48.415,15.601,Later\n48.402,15.599,Sooner\n48.41,15.7,Far\n", to: "places.csv")
        let found = try found("places.csv", "--along", "route.gpx")
        #expect(found.places.map(\.place.name) == ["Sooner", "Later"])
        #expect(found.places.map(\.side) == ["left", "right"])
        #expect(found.attribution == nil)
    }

    /// A latitude may be negative. A tenth of a degree of a meridian is 11.1 km long.
    @Test func pageIsForPeople() throws {
        try bench.write("lat,lon,name,kind\n-33.8,18.4,Kiosk,kiosk\n", to: "places.csv")
        let run = try expectDone(bench.wayreel("places", "search", "places.csv", "kio", "--at", "-33.9,18.4"))
        #expect(run.text == "11.1 km  N  Kiosk  Kiosk\n")
        let none = try expectDone(bench.wayreel("places", "search", "places.csv", "zoo", "--at", "-33.9,18.4"))
        #expect(none.text == "no place found\n")
    }

    @Test func namesWhatIsWrong() throws {
        let at = ["--at", "48.4,15.6"]
        let kind = try bench.command(["places", "search", Self.krems, "--kind", "caffe"] + at).run()
        #expect(kind.ending == .exited(2) && kind.errors.contains("did you mean 'cafe'?"))
        let position = try bench.command(["places", "search", Self.krems]).run()
        #expect(position.ending == .exited(2) && position.errors.contains("--at"))
        let time = try bench.command(["places", "search", Self.krems, "--time", "noon"] + at).run()
        #expect(time.ending == .exited(2))
    }

    @Test func listsKinds() throws {
        let run = try expectDone(bench.wayreel("places", "kinds", "--language", "de"))
        #expect(
            run.text.split(separator: "\n").contains {
                $0.hasPrefix("bakery ") && $0.contains("Bäckerei") && $0.contains("shop=bakery")
            })
    }
}
