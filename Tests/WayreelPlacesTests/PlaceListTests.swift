import TestSupport
import Testing
import WayreelCore
import WayreelMapFiles
import WayreelPlaces
import WayreelStory

/// Files of places. What the extracts have was found by osmium-tool 1.15: `osmium tags-filter` and `osmium export`, and
/// distances by GeographicLib's Python package.
struct PlaceListTests {
    private static func read(_ text: String, as name: String = "places") throws -> PlaceList {
        try read(Array(text.utf8), as: name)
    }

    private static func read(_ bytes: [UInt8], as name: String = "places") throws -> PlaceList {
        let folder = TemporaryFolder()
        return try withExtendedLifetime(folder) { try PlaceList.read(path: try folder.write(bytes, to: name)) }
    }

    // MARK: Extracts

    private static func extract(_ name: String) throws -> PlaceList {
        try PlaceList.read(path: Fixture.media("maps/\(name).osm.pbf"))
    }

    @Test func nearestCafesOfKrems() throws {
        let list = try Self.extract("krems")
        #expect(list.attribution == "© OpenStreetMap contributors")
        let index = PlaceIndex(list.places)
        let found = index.search(
            PlaceQuery(kinds: ["cafe"], near: GeoPoint(latitude: 48.4106, longitude: 15.6035)))
        let expected: [(name: String, distance: Double, bearing: Double)] = [
            ("Café Konditorei Raimitz", 127.534, 163.949), ("Cafe Collage", 128.987, 7.741),
            ("Café Star Light", 154.284, 133.359), ("Cafe Konditorei Hagmann", 168.996, 299.619),
            ("Schmankerl", 207.584, 277.019), ("Café Fünf Sinne", 213.521, 30.245), ("KH-Stüberl", 926.779, 79.589),
        ]
        try #require(found.map(\.place.name) == expected.map(\.name))
        for (place, wanted) in zip(found, expected) {
            #expect(abs(place.distance - wanted.distance) < 0.001)
            #expect(abs(place.bearing - wanted.bearing) < 0.001)
        }
        #expect(found[4].place.openingHours == "Mo-Fr 07:30-20:00; Sa 07:30-18:00")
        #expect(found[0].place.address == "Bahnhofplatz 12, 3500 Krems")
        #expect(found[0].place.id == "node/472959964")
        #expect(found[0].place.keywords == ["cake"])
    }

    /// Of nodes and areas. A bus stop and a station of the file of Krems lie outside of its box.
    @Test(arguments: [
        ("krems", ["cafe": 7, "restaurant": 16, "place_of_worship": 7, "bus_stop": 5, "playground": 1, "museum": 0]),
        ("monaco", ["cafe": 11, "restaurant": 22, "place_of_worship": 6, "bus_stop": 9, "playground": 2, "museum": 5]),
        (
            "bayreuth-north",
            ["cafe": 1, "restaurant": 17, "place_of_worship": 3, "bus_stop": 16, "playground": 7, "museum": 0]
        ),
    ])
    func extractHasThePlacesOfOsmium(extract: String, counts: [String: Int]) throws {
        let places = try Self.extract(extract).places
        for (kind, count) in counts { #expect(places.count { $0.kind == kind } == count, "\(kind)") }
    }

    @Test func boxLimitsTheExtract() throws {
        let box = try GroundBox(west: 15.595, south: 48.405, east: 15.61, north: 48.415)
        let places = try PlaceList.read(path: Fixture.media("maps/krems.osm.pbf"), box: box).places
        #expect(places.count { $0.kind == "cafe" } == 6)
        #expect(!places.contains { $0.name == "KH-Stüberl" })
    }

    // MARK: Other formats

    @Test func geoJSON() throws {
        let list = try Self.read(
            """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "id": 7, "geometry": {"type": "Point", "coordinates": [15.6, 48.4, 200]},
               "properties": {"name": "Burger & Co", "amenity": "fast_food", "addr:street": "Ring", "addr:housenumber": 5,
                 "phone": "+43 1 234", "website": "www.example.org", "opening_hours": "24/7", "extra": {"a": [1]}}},
              {"type": "Feature", "properties": {"name": "Garten", "kind": "Park und Garten"},
               "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 2], [0, 2], [0, 0]]]}},
              {"type": "Feature", "geometry": null, "properties": {"name": "nowhere"}},
              {"type": "Feature", "geometry": {"type": "Point", "coordinates": [15.6, 148]}, "properties": {"name": "x"}},
              {"type": "Feature", "geometry": {"type": "Point", "coordinates": [15.6, 48]}, "properties": null},
              {"type": "Feature", "geometry": {"type": "Point", "coordinates": [190, -17]}, "properties": {"name": "Fiji"}}
            ]}
            """)
        try #require(list.places.count == 3)
        let first = list.places[0]
        #expect(first.id == "7")
        #expect(first.kind == "fast_food")
        #expect(first.address == "Ring 5")
        #expect(first.website == "https://www.example.org")
        #expect(list.places[1].kind == "park")
        // A point within the area: at half of its height, in the middle.
        #expect(abs(list.places[1].position.latitude - 1) < 0.001)
        #expect(abs(list.places[1].position.longitude - 2) < 1e-6)
        #expect(list.places[2].position.longitude == -170)
        #expect(
            list.warnings.map(\.message) == [
                "2 features are left out: without a valid position",
                "1 feature is left out: without a name and a kind, or private",
            ])
    }

    @Test func kml() throws {
        let list = try Self.read(
            """
            <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>All</name><Folder>
            <Placemark id="a"><name>Tower</name><address>Hill 1</address><phoneNumber>tel:+43 1 555</phoneNumber>
              <ExtendedData><Data name="historic"><value>city_gate</value></Data>
                <Data name="name:de"><value>Turm</value></Data></ExtendedData>
              <Point><coordinates> 15.6,48.4,0 </coordinates></Point></Placemark>
            <Placemark><name>Ring</name><Polygon>
              <outerBoundaryIs><LinearRing><coordinates>0,0 4,0 4,2 0,2 0,0</coordinates></LinearRing></outerBoundaryIs>
              <innerBoundaryIs><LinearRing><coordinates>1,0.5 3,0.5 3,1.5 1,1.5 1,0.5</coordinates></LinearRing></innerBoundaryIs>
            </Polygon></Placemark>
            <Placemark><name>Nowhere</name><Point><coordinates>NaN,NaN</coordinates></Point></Placemark>
            </Folder></Document></kml>
            """)
        try #require(list.places.map(\.name) == ["Tower", "Ring"])
        #expect(list.places[0].id == "a")
        #expect(list.places[0].kind == "city_gate")
        #expect(list.places[0].names == ["de": "Turm"])
        #expect(list.places[0].address == "Hill 1")
        #expect(list.places[0].phone == "+43 1 555")
        // Beside the hole, and not in it.
        let longitude = list.places[1].position.longitude
        #expect((0.0...1).contains(longitude) || (3.0...4).contains(longitude))
        #expect(list.warnings.map(\.message) == ["1 placemark is left out: without a valid position"])
    }

    @Test func gpxWaypoints() throws {
        let list = try Self.read(
            """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
            <wpt lat="48.4" lon="15.6"><ele>200</ele><name>Halt</name><sym>Restaurant</sym><type>x</type>
              <link href="https://example.org/h"><text>more</text></link></wpt>
            <wpt lat="48.5" lon="15.7"><name>Stone</name></wpt>
            <trk><name>Way</name><trkseg><trkpt lat="1" lon="1"><name>no place</name></trkpt></trkseg></trk></gpx>
            """)
        try #require(list.places.map(\.name) == ["Halt", "Stone"])
        #expect(list.places.map(\.kind) == ["restaurant", nil])
        #expect(list.places[0].website == "https://example.org/h")
        #expect(list.places[1].position == GeoPoint(latitude: 48.5, longitude: 15.7))
    }

    @Test(arguments: [",", ";", "\t"])
    func csv(separator: String) throws {
        let rows = [
            ["Name", "Latitude", "lng", "kind", "address", "opening_hours"],
            [
                "\"Zum \"\"Goldenen\"\" Hirschen\"", "48.4", "15.6", "restaurant", "\"Ring 1, Krems\"",
                "\"Mo-Fr 10:00-12:00,13:00-14:00\"",
            ],
            ["Nowhere", "NaN", "15", "", "", ""], ["", "48", "15", "", "", ""],
        ]
        let list = try Self.read("\u{FEFF}" + rows.map { $0.joined(separator: separator) }.joined(separator: "\r\n"))
        try #require(list.places.map(\.name) == ["Zum \"Goldenen\" Hirschen"])
        #expect(list.places[0].address == "Ring 1, Krems")
        #expect(list.places[0].openingHours == "Mo-Fr 10:00-12:00,13:00-14:00")
        #expect(list.warnings.count == 2)
    }

    // MARK: Hostile input

    private static func error(_ text: String) -> MediaError? {
        do { _ = try read(text) } catch { return error as? MediaError }
        return nil
    }

    @Test(arguments: [
        ("", MediaError.Kind.decoding, "empty"), ("{", .decoding, "GeoJSON"), ("{}", .decoding, "no features"),
        ("[]", .decoding, "no features"),
        ("{\"type\": \"FeatureCollection\"}", .decoding, "'features' is missing"),
        (
            "{\"type\": \"FeatureCollection\", \"features\": [{\"geometry\": {\"type\": \"Point\", \"coordinates\": [1e999, 2]}}]}",
            .decoding, "GeoJSON"
        ),
        ("<html><body/></html>", .unsupported, "neither KML nor GPX"), ("<kml><Placemark>", .decoding, "line 1"),
        ("PK\u{3}\u{4}xxxx", .unsupported, "archive"), ("a\u{0}b", .unsupported, "no file of places"),
        ("name,kind\nx,cafe\n", .decoding, "lat"), ("lat,lon\n1,2,\"x\n", .decoding, "line 2"),
        ("lat,lon\n1,2,3\n", .decoding, "3 cells"),
        (
            "<!DOCTYPE kml [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;\">]><kml>&b;</kml>", .decoding,
            "DTD"
        ),
    ])
    func badFilesAreRefused(text: String, kind: MediaError.Kind, words: String) throws {
        let error = try #require(Self.error(text))
        #expect(error.kind == kind)
        #expect("\(error)".contains(words), "\(error)")
    }

    @Test func deepDocumentsAreRefused() {
        let xml = "<kml>" + String(repeating: "<Folder>", count: 100_000)
        #expect(Self.error(xml)?.reason.contains("nested more than") == true)
        let json = "{\"type\": \"Feature\", \"properties\": {\"a\": " + String(repeating: "[", count: 100_000)
        #expect(Self.error(json)?.kind == .decoding)
    }

    @Test func missingFileIsNamed() {
        #expect(throws: MediaError.self) { try PlaceList.read(path: "/nowhere/places.geojson") }
        #expect(throws: MediaError.self) { try PlaceList.read(path: "/tmp") }
        #expect(throws: MediaError.self) { try PlaceList.read(path: "a\0b") }
    }

    @Test func longNamesAreCut() throws {
        let name = String(repeating: "Krems ", count: 2000)
        let list = try Self.read("lat,lon,name,website\n48,15,\"\(name.prefix(9999))\",javascript:alert(1)\n")
        let place = try #require(list.places.first)
        #expect(place.name?.count == 255)
        #expect(place.name?.hasSuffix("…") == true)
        #expect(place.website == nil)
        #expect(PlaceIndex(list.places).search(PlaceQuery("krems", near: place.position)).count == 1)
    }

    /// Signs that turn the direction of a line, and lines, would spoil a terminal or a page.
    @Test func controlCharactersAreLeftOut() throws {
        let list = try Self.read("lat,lon,name\n48,15,\"a\u{202E}b\nc\u{1B}[31m\"\n")
        #expect(list.places.first?.name == "ab c [31m")
    }

    @Test func tooManyPlacesAreRefused() throws {
        let rows = String(repeating: "1,2,a\n", count: PlaceList.maxPlaces + 1)
        let error = try #require(Self.error("lat,lon,name\n" + rows))
        #expect(error.kind == .limit)
        #expect(error.reason.contains("more than 500000 places"))
    }

    @Test func tooManyValuesAreRefused() throws {
        let features = String(repeating: "{},", count: 2_500_001)
        let error = try #require(Self.error("{\"type\":\"FeatureCollection\",\"features\":[\(features){}]}"))
        #expect(error.kind == .limit)
        #expect(error.reason == "the GeoJSON has more than 5000000 values")
    }

    @Test func privatePlacesAreLeftOut() throws {
        let list = try Self.read("lat,lon,name,access,leisure\n48,15,Pool,private,park\n48,15,Park,yes,park\n")
        #expect(list.places.map(\.name) == ["Park"])
    }
}
