import TestSupport
import Testing
import WayreelEngine
import WayreelPlaces
import WayreelStory

struct PlaceIndexTests {
    private static let here = GeoPoint(latitude: 48.4106, longitude: 15.6035)

    private static func place(
        _ name: String?, kind: String? = nil, _ latitude: Double = 48.41, _ longitude: Double = 15.6,
        names: [String: String] = [:], keywords: [String] = []
    ) -> Place {
        Place(
            id: name ?? kind ?? "", name: name, names: names, kind: kind,
            position: GeoPoint(latitude: latitude, longitude: longitude), keywords: keywords)
    }

    /// The names of the places that a text finds, in alphabetical order.
    private static func names(_ text: String, in places: [Place], kinds: Set<String> = []) -> [String] {
        PlaceIndex(places).search(PlaceQuery(text, kinds: kinds, near: here)).map(\.place.id).sorted()
    }

    @Test(arguments: [
        ("cafe", "Café Fünf Sinne"), ("CAFÉ", "Café Fünf Sinne"), ("funf", "Café Fünf Sinne"),
        ("sinn caf", "Café Fünf Sinne"),
        ("strasse", "Straßenbahn"), ("straße", "Straßenbahn"), ("oresund", "Øresund"), ("łodz", "Łódź"),
        ("lodz", "Łódź"),
        ("αθηνα", "Αθήνα"), ("москва", "МОСКВА"), ("قهوه", "قَهْوَة"), ("京塔", "北京塔楼"), ("arc", "d’Arc"), ("ﬁ", "Fisch"),
        ("2", "2Raum"), ("e\u{301}cole", "École"),
    ])
    func accentsAndCaseDoNotMatter(text: String, name: String) {
        let places = [
            "Café Fünf Sinne", "Straßenbahn", "Øresund", "Łódź", "Αθήνα", "МОСКВА", "قَهْوَة", "北京塔楼", "d’Arc", "Fisch",
            "2Raum",
            "École",
        ].map { Self.place($0) }
        #expect(Self.names(text, in: places) == [name])
    }

    /// Only beginnings of words count, and all words have to be there.
    @Test func otherPartsOfWordsDoNotMatch() {
        let places = [Self.place("Hamburger Hof"), Self.place("Burger Joint")]
        #expect(Self.names("burger", in: places) == ["Burger Joint"])
        #expect(Self.names("burger hof", in: places) == [])
        #expect(Self.names("ham hof", in: places) == ["Hamburger Hof"])
    }

    @Test func nameKindOrBoth() {
        let places = [
            Self.place("Raimitz", kind: "cafe", keywords: ["cake"]), Self.place("Museumscafé", kind: "cafe"),
            Self.place("Museum Krems", kind: "museum", names: ["fr": "Musée de Krems"]), Self.place(nil, kind: "bench"),
        ]
        #expect(Self.names("", in: places).count == 4)
        #expect(Self.names("", in: places, kinds: ["cafe"]) == ["Museumscafé", "Raimitz"])
        #expect(Self.names("muse", in: places, kinds: ["cafe"]) == ["Museumscafé"])
        #expect(Self.names("muse", in: places) == ["Museum Krems", "Museumscafé"])
        // A name of the kind in another language, with a word of the name.
        #expect(Self.names("cafeteria rai", in: places) == ["Raimitz"])
        #expect(Self.names("sitzbank", in: places) == ["bench"])
        #expect(Self.names("musee", in: places) == ["Museum Krems"])
        #expect(Self.names("cake", in: places) == ["Raimitz"])
        // Signs are no search for everything.
        #expect(Self.names("?!", in: places) == [])
        #expect(Self.names("", in: places, kinds: ["no such kind"]) == [])
    }

    /// Compared with a search through all places by geodesics.
    @Test(arguments: [
        GeoPoint(latitude: 48.4, longitude: 15.6), GeoPoint(latitude: 0, longitude: 180),
        GeoPoint(latitude: -89.9, longitude: 20), GeoPoint(latitude: 90, longitude: 0),
        GeoPoint(latitude: 12, longitude: -179.999),
    ])
    func nearestComeFirst(from position: GeoPoint) {
        var random = SeededRandom(seed: 45)
        let places = (0..<2000).map { number in
            // A cloud around the position, and places all over the Earth.
            let isNear = number % 2 == 0
            let (latitude, longitude) =
                isNear
                ? (
                    min(max(position.latitude + .random(in: -0.01...0.01, using: &random), -90), 90),
                    position.longitude + .random(in: -0.01...0.01, using: &random)
                )
                : (.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
            let turned = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
            return Place(
                id: "\(number)", kind: number % 3 == 0 ? "bench" : "cafe",
                position: GeoPoint(latitude: latitude, longitude: turned))
        }
        let index = PlaceIndex(places)
        for (limit, radius) in [(1, nil), (20, nil), (1000, nil), (100, 700.0), (1000, 5_000_000), (10, 0)] {
            let found = index.search(
                PlaceQuery(kinds: ["cafe"], near: position, radius: radius, limit: limit))
            let expected = places.filter { $0.kind == "cafe" }
                .map { ($0.id, position.geodesic(to: $0.position)) }
                .filter { $0.1.distance <= radius ?? .infinity }
                .sorted { $0.1.distance < $1.1.distance }.prefix(limit)
            #expect(found.map(\.place.id) == expected.map(\.0), "\(limit) within \(radius ?? -1)")
            #expect(found.map(\.distance) == expected.map(\.1.distance))
            #expect(found.map(\.bearing) == expected.map(\.1.bearing))
        }
    }

    /// Across the antimeridian it is 2120.474557 m (GeographicLib's Python package), and not once around the Earth.
    @Test func antimeridianIsNoBorder() throws {
        let index = PlaceIndex([Self.place("Taveuni", -17.8, -179.99), Self.place("Suva", -18.14, 178.44)])
        let found = index.search(PlaceQuery(near: GeoPoint(latitude: -17.8, longitude: 179.99), radius: 10_000))
        try #require(found.map(\.place.id) == ["Taveuni"])
        #expect(abs(found[0].distance - 2120.474557) < 1e-5)
        #expect(abs(found[0].bearing - 90.003057) < 1e-5)
    }

    @Test func valuesThatAreNoneFindNothing() {
        let index = PlaceIndex([Self.place("Krems")])
        #expect(index.search(PlaceQuery(near: GeoPoint(latitude: .nan, longitude: 15))).isEmpty)
        #expect(index.search(PlaceQuery(near: GeoPoint(latitude: 48, longitude: .infinity))).isEmpty)
        #expect(index.search(PlaceQuery(near: Self.here, radius: .nan)).isEmpty)
        #expect(index.search(PlaceQuery(near: Self.here, radius: -1)).isEmpty)
        #expect(index.search(PlaceQuery(near: Self.here, limit: 0)).isEmpty)
        #expect(index.search(PlaceQuery(near: Self.here, limit: -5)).isEmpty)
        #expect(index.search(PlaceQuery(near: Self.here, radius: .infinity, limit: .max)).count == 1)
        #expect(index.search(PlaceQuery(String(repeating: "k ", count: 100_000), near: Self.here)).count == 1)
        #expect(PlaceIndex([]).search(PlaceQuery("k", near: Self.here)).isEmpty)
    }

    // MARK: Routes

    /// A route to the north along the meridian of 15.6°, from 48.40° to 48.42°.
    private static func route() throws -> RouteLine {
        try RouteLine(
            Track(segments: [
                stride(from: 48.40, through: 48.42, by: 0.01).map {
                    Track.Point(GeoPoint(latitude: $0, longitude: 15.6))
                }
            ]))
    }

    @Test func alongARouteTheOrderIsThatOfTravel() throws {
        let places = [
            Self.place("third", kind: "fuel", 48.415, 15.601), Self.place("first", kind: "fuel", 48.402, 15.599),
            Self.place("second", kind: "cafe", 48.41, 15.6), Self.place("far", kind: "fuel", 48.41, 15.61),
            Self.place("behind the end", kind: "fuel", 48.43, 15.6),
        ]
        let index = PlaceIndex(places)
        let route = try Self.route()
        let query = PlaceQuery(near: Self.here, radius: 200)
        let found = index.search(query, along: route)
        #expect(found.map(\.place.id) == ["first", "second", "third"])
        #expect(found[0].side == .left)
        #expect(found[2].side == .right)
        // A degree of longitude is 74.0 km long at this latitude, one of latitude 111.2 km (WGS 84).
        #expect(abs(found[0].beside - 74.0) < 0.2)
        #expect(abs(found[0].along - 222.4) < 0.2)
        #expect(
            index.search(PlaceQuery(kinds: ["fuel"], near: Self.here), along: route).map(\.place.id) == [
                "first", "third",
            ])
        // From a position on the route: what is behind is left out.
        let ahead = index.search(query, along: route, from: GeoPoint(latitude: 48.405, longitude: 15.6))
        #expect(ahead.map(\.place.id) == ["second", "third"])
        #expect(abs(ahead[0].along - 556.0) < 0.3)
        #expect(index.search(PlaceQuery(near: Self.here, radius: 2000), along: route).count == 5)
    }

    // MARK: The table of kinds

    @Test func tableIsWhole() {
        #expect(PlaceKind.all.count > 100)
        #expect(Set(PlaceKind.all.map(\.id)).count == PlaceKind.all.count)
        let tags = PlaceKind.all.flatMap(\.tags)
        #expect(Set(tags).count == tags.count)
        for kind in PlaceKind.all {
            #expect(Set(kind.names.keys) == Set(PlaceList.pageLanguages), "\(kind.id)")
            #expect(kind.names.values.allSatisfy { !$0.isEmpty }, "\(kind.id)")
            #expect(PlaceKind.icons[kind.icon] != nil, "\(kind.id)")
            #expect(kind.tags.allSatisfy { $0.split(separator: "=").count == 2 }, "\(kind.id)")
        }
        #expect(Set(PlaceKind.all.map(\.icon)) == Set(PlaceKind.icons.keys))
    }

    @Test func kindIsMeantByItsNames() {
        #expect(PlaceKind.meant(by: "cafe")?.id == "cafe")
        #expect(PlaceKind.meant(by: "Bäckerei")?.id == "bakery")
        #expect(PlaceKind.meant(by: "BACKEREI")?.id == "bakery")
        #expect(PlaceKind.meant(by: "nothing of the kind") == nil)
        #expect(PlaceKind.named("museum")?.name(in: "pt-BR") == "Museu")
        #expect(PlaceKind.named("museum")?.name(in: "fi") == "Museum")
    }
}
