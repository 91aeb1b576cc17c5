import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelMaps
import WayreelStory

@Suite struct MapTests {
    private static func story() throws -> Story {
        try #require(try StoryDocument.read(path: Fixture.media("story/story.xml")).story)
    }

    private static func svg(_ map: MapScene, _ image: MapImage = MapImage()) throws -> SVGFile {
        try #require(try SVGFile(map.draw(image, as: .svg)))
    }

    /// Returns the circles of events, in order: filled with 12 % of a colour in the light theme.
    private static func circles(_ file: SVGFile) -> [(x: Double, y: Double, radius: Double)] {
        file.paths.filter { $0.attributes["fill-opacity"] == ".12" }.map {
            (($0.minX + $0.maxX) / 2, ($0.minY + $0.maxY) / 2, ($0.maxX - $0.minX) / 2)
        }
    }

    /// Returns the halos of names: strokes that are 34 % of a name's font size wide.
    private static func halos(_ file: SVGFile, em: Double) -> [SVGFile.Path] {
        file.paths.filter { path in
            path.attributes["stroke-width"].flatMap(Double.init).map { abs($0 - em * 0.88 * 0.34) < 0.01 } ?? false
        }
    }

    /// Two points, and the vector from one to the other by pyproj 3.7.2: azimuthal equidistant around their middle.
    static let pairs: [[Double]] = [
        [35.28, -120.66, 35.2822, -120.6612, -109.1699, 244.0806],
        [78.22, 15.6, 78.25, 15.9, 6831.2802, 3349.4227],
        [0.0, 179.999, 0.001, -179.998, 333.9585, 110.5743],
        [-89.99, 10.0, -89.995, -120.0, -1098.0280, -1075.0303],
    ]

    @Test(arguments: pairs) func distancesAndDirectionsAreTrue(_ pair: [Double]) throws {
        let places = [(pair[0], pair[1]), (pair[2], pair[3])].map { latitude, longitude in
            MapScene.Place(
                id: "\(latitude)", name: "Place", kind: "radio",
                position: GeoPoint(latitude: latitude, longitude: longitude), radius: 50)
        }
        let circles = Self.circles(try Self.svg(MapScene(title: "T", sections: [.init(name: "S", places: places)])))
        try #require(circles.count == 2)
        let scale = circles[0].radius / 50
        // Coordinates in the file are rounded, in total to a fiftieth of a pixel.
        let error = 0.05 / scale * (hypot(pair[4], pair[5]) / 50 + 1)
        #expect(abs((circles[1].x - circles[0].x) / scale - pair[4]) < error)
        #expect(abs((circles[0].y - circles[1].y) / scale - pair[5]) < error)
    }

    /// A walk straight north at walking speed, with one position a kilometre to the west.
    @Test func positionsThatCannotBeTrueAreNoPartOfTheWalk() throws {
        let story = try Self.story()
        let start = GeoPoint(latitude: 35.279, longitude: -120.664)
        let points = (0..<60).map { second in
            Track.Point(
                second == 30
                    ? start.moved(by: 1000, bearing: 270) : start.moved(by: 1.4 * Double(second), bearing: 0),
                timestamp: Timestamp(milliseconds: 1_780_000_000_000 + Int64(second) * 1000), accuracy: 5)
        }
        let walk = Track(segments: [points])
        var replay = Replay(try Playback(story))
        try replay.play(walk)
        // The first fix is not trusted.
        #expect(replay.unusedFixes == [0, 30])
        var map = try MapScene(story: story, chapters: ["the-round"])
        map.show(replay, of: walk)
        #expect(map.unused == [points[0].position, points[30].position])
        var plain = try MapScene(story: story, chapters: ["the-round"])
        plain.walk = walk
        // An additional kilometre to show makes the circles small.
        let radii = try [map, plain].map { try #require(Self.circles(Self.svg($0)).first).radius }
        #expect(radii[0] > 2 * radii[1])
    }

    /// Its length is 1, 2 or 5 times a power of ten metres, measured by the circles.
    @Test(arguments: [600, 1200, 1600]) func theScaleBarIsRound(width: Int) throws {
        let map = try MapScene(story: Self.story(), chapters: ["the-round"])
        let image = MapImage(size: PixelSize(width: width, height: width * 3 / 4))
        let file = try Self.svg(map, image)
        let circle = try #require(Self.circles(file).first)
        // The last shape drawn before the names: a rectangle in the text colour, low and long, in the lower left
        // corner.
        let bar = try #require(
            file.paths.first { path in
                path.attributes["fill"] == "#1b2430" && path.minX < 40 && path.minY > Double(image.size.height) / 2
                    && (path.maxX - path.minX) > 8 * (path.maxY - path.minY)
            })
        let metres = (bar.maxX - bar.minX) / (circle.radius / 15)
        let mantissa = metres / pow(10, (log10(metres) + 0.01).rounded(.down))
        #expect([1.0, 2, 5].contains { abs(mantissa - $0) < 0.02 * $0 }, "\(metres) m")
    }

    @Test(
        arguments: MapImage.Theme.allCases, [PixelSize(width: 600, height: 450), PixelSize(width: 1600, height: 1200)])
    func namesAreAllThereAndDoNotCollide(theme: MapImage.Theme, size: PixelSize) throws {
        let story = try Self.story()
        for chapters in [nil, ["the-book-box"], ["the-round"], ["once-more"]] as [[String]?] {
            let map = try MapScene(story: story, chapters: chapters)
            let file = try Self.svg(map, MapImage(size: size, theme: theme))
            let events = story.chapters.filter { chapters?.contains($0.id) ?? true }.flatMap(\.events)
            for event in events { #expect(file.texts["desc"]?.contains(event.name) == true) }
            let em = size.width == 600 ? 13.0 : 19
            let halos = Self.halos(file, em: em)
            #expect(halos.count == events.count)
            for (index, a) in halos.enumerated() {
                #expect(a.minX > 0 && a.minY > 0 && a.maxX < Double(size.width) && a.maxY < Double(size.height))
                for b in halos[(index + 1)...] {
                    #expect(a.maxX <= b.minX || b.maxX <= a.minX || a.maxY <= b.minY || b.maxY <= a.minY)
                }
            }
        }
    }

    /// xmllint parses the file, and the same map has the same bytes.
    @Test func theFileIsWellFormed() throws {
        var map = try MapScene(story: Self.story())
        map.sections[0].places[0].name = "<b> & \"quotes\" 🔔 日本"
        let bytes = try map.draw(MapImage(), as: .svg)
        #expect(try bytes == map.draw(MapImage(), as: .svg))
        var command = Command("/usr/bin/xmllint", ["--noout", "-"])
        command.input = bytes
        #expect(try command.run().ending == .exited(0))
    }

    /// The walk, its finds and a gap in it are drawn: each adds paths; a plain walk has one colour.
    @Test func walksAndFindings() throws {
        let story = try Self.story()
        var map = try MapScene(story: story, chapters: ["the-book-box"])
        let plain = try Self.svg(map)
        let start = try #require(Timestamp("2026-11-23T17:05:09Z"))
        let from = story.chapters[0].events[0].position
        let points = (0..<100).map { step in
            Track.Point(from.moved(by: Double(step), bearing: 45), timestamp: start.advanced(by: Double(step)))
        }
        map.walk = Track(segments: [Array(points[..<50]), Array(points[60...])])
        map.found = [JournalKey(story.chapters[0].events[0].id): .init(timestamp: start, position: points[10].position)]
        let walked = try Self.svg(map)
        #expect(walked.paths.count > plain.paths.count + 20)
        #expect(walked.texts["desc"]?.contains("found at 2026-11-23T17:05:09Z") == true)
        #expect(walked.texts["desc"]?.contains("not found") == true)
        let single = try Self.svg(map, MapImage(walkStyle: .plain))
        let colors = { (file: SVGFile) in Set(file.paths.compactMap { $0.attributes["stroke"] }).count }
        #expect(colors(single) < colors(walked))
    }

    /// Forty events at one place at the edge of the map: their markers are spread, and none leaves the map's area.
    @Test(arguments: [(PixelSize(width: 1200, height: 900), 17.0), (PixelSize(width: 300, height: 1200), 14.0)])
    func spreadMarkersStayOnTheMap(size: PixelSize, em: Double) throws {
        let corner = GeoPoint(latitude: 35.28, longitude: -120.66)
        let places = (0..<40).map { number in
            MapScene.Place(id: "e\(number)", name: "Event \(number)", kind: "quiz", position: corner, radius: 1)
        }
        let far = MapScene.Place(
            id: "far", name: "Far", kind: "quiz", position: corner.moved(by: 2000, bearing: 45), radius: 1)
        let map = MapScene(title: "Dense", sections: [MapScene.Section(name: "One", places: places + [far])])
        let file = try Self.svg(map, MapImage(size: size))
        let area = (left: em, right: Double(size.width) - em)
        // Of the map, markers and their outlines are what has the colour of a quiz.
        let color = try #require(Self.circleColor(file))
        let marks = file.paths.filter { $0.attributes["fill"] == color || $0.attributes["stroke"] == color }
        #expect(marks.count > 41)
        #expect(marks.allSatisfy { $0.minX >= area.left && $0.maxX <= area.right })
    }

    private static func circleColor(_ file: SVGFile) -> String? {
        file.paths.first { $0.attributes["fill-opacity"] == ".12" }?.attributes["fill"]
    }

    /// Private-use characters are in no font.
    @Test func namesWithoutAFontAreKnown() throws {
        var map = try MapScene(story: Self.story())
        #expect(try map.undrawnNames().isEmpty)
        map.sections[0].places[0].name = "The \u{F0001} bell"
        #expect(try map.undrawnNames() == ["The \u{F0001} bell"])
    }

    @Test(arguments: [PixelSize(width: 100, height: 900), PixelSize(width: 20_000, height: 900)])
    func sizesOutOfRangeAreRefused(size: PixelSize) throws {
        let map = try MapScene(story: Self.story())
        #expect(throws: MediaError.self) { try map.draw(MapImage(size: size), as: .png) }
    }

    @Test func aMapOfNothingIsRefused() {
        let map = MapScene(title: "T", sections: [.init(name: "S")])
        #expect(throws: MediaError.self) { try map.draw(MapImage(), as: .svg) }
    }

    @Test func unknownChaptersAreNamed() throws {
        let story = try Self.story()
        let error = try #require(throws: MediaError.self) { try MapScene(story: story, chapters: ["the-rund"]) }
        #expect(error.subject == "the-rund")
        #expect(error.advice?.description.contains("did you mean 'the-round'?") == true)
    }

    /// A single event, a hundred at one place, and a story around the world.
    @Test func extremes() throws {
        let places = { (count: Int, position: (Int) -> GeoPoint) in
            (0..<count).map { index in
                MapScene.Place(
                    id: "\(index)", name: "Event \(index) with a name", kind: "quiz", position: position(index),
                    radius: 10,
                    number: index + 1)
            }
        }
        let point = GeoPoint(latitude: 90, longitude: 0)
        for list in [
            places(1) { _ in point }, places(100) { _ in point },
            places(40) { GeoPoint(latitude: Double($0) * 4 - 80, longitude: Double($0) * 9 - 179) },
        ] {
            let map = MapScene(title: "T", sections: [.init(name: "S", start: list[0].position, places: list)])
            for type in MapImage.FileType.allCases { #expect(try map.draw(MapImage(), as: type).count > 1000) }
        }
    }

    // MARK: Floor plans

    /// A house of two floors. Two events are at corners of the ground floor's plan, of 520 × 360 units, that a formula
    /// gives: 0.05 m a unit, turned 20° to the right. One stands on the upper floor.
    private static func house() -> Story {
        // The metres in a degree at this latitude, by the ellipsoid's radii of curvature.
        let (latitude, longitude, perLatitude, perLongitude) = (48.41, 15.6, 111_198.292, 74_032.141)
        let (sine, cosine) = (sin(20 * Double.pi / 180), cos(20 * Double.pi / 180))
        func place(_ x: Double, _ y: Double) -> GeoPoint {
            let (east, north) = (0.05 * (x * cosine - y * sine), 0.05 * (-x * sine - y * cosine))
            return GeoPoint(latitude: latitude + north / perLatitude, longitude: longitude + east / perLongitude)
        }
        func plan(_ id: String, _ level: Double) -> FloorPlan {
            let pins = [(0.0, 0.0), (520.0, 360.0)].map { x, y in
                FloorPlan.Pin(x: x, y: y, latitude: place(x, y).latitude, longitude: place(x, y).longitude)
            }
            return FloorPlan(id: id, level: level, name: id, image: Asset(source: "\(id)-floor.svg"), pins: pins)
        }
        func event(_ id: String, _ position: GeoPoint, _ anchor: Anchor? = nil) -> Event {
            Event(
                id: id, name: id, position: position, anchor: anchor, activation: Activation(radius: 2),
                content: .scrapbook(ScrapbookContent(items: [.text("T")])))
        }
        let events = [
            event("corner", place(0, 0)), event("other", place(520, 360)),
            event("above", place(0, 0), Anchor(floor: "upper", x: 520, y: 0)),
        ]
        let plans = [plan("upper", 1), plan("ground", 0)]
        return Story(
            id: "house", language: "en", name: "House",
            chapters: [Chapter(id: "c", name: "C", floor: "ground", plans: plans, events: events)])
    }

    @Test func plansLieWhereTheirPinsSay() throws {
        let story = Self.house()
        var map = try MapScene(story: story)
        let plans = MapScene.plans(of: story)
        #expect(plans.map(\.id) == ["ground"])
        map.plans = [try MapPlan(plans[0], picture: Fixture.media("plans/ground-floor.svg"))]
        let text = String(decoding: try map.draw(MapImage(), as: .svg), as: UTF8.self)
        var lines = text.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.hasPrefix("<image ") })
        let matrix = try #require(lines[index].firstMatch(of: /matrix\(([^)]*)\)/)).output.1.split(separator: ",")
            .compactMap {
                Double($0)
            }
        #expect(matrix.count == 6)
        lines.remove(at: index)
        let file = try #require(SVGFile(Array((lines.joined(separator: "\n") + "\n").utf8)))
        let circles = Self.circles(file)
        // The corners of the picture are the centres of the circles of the events there.
        #expect(abs(circles[0].x - matrix[4]) < 0.1 && abs(circles[0].y - matrix[5]) < 0.1)
        #expect(abs(circles[1].x - matrix[0] - matrix[2] - matrix[4]) < 0.1)
        #expect(abs(circles[1].y - matrix[1] - matrix[3] - matrix[5]) < 0.1)
        // Of 520 × 360 units, turned 20° to the right.
        let (right, down) = (hypot(matrix[0], matrix[1]), hypot(matrix[2], matrix[3]))
        #expect(abs(right / down - 520.0 / 360) < 0.001)
        #expect(abs(atan2(matrix[1], matrix[0]) * 180 / .pi - 20) < 0.1)
        #expect(try map.draw(MapImage(theme: .dark), as: .png).count > 1000)
    }

    @Test func aMapOfAFloorHasItsEventsAlone() throws {
        let story = Self.house()
        #expect(MapScene.plans(of: story, floor: "upper").map(\.id) == ["upper"])
        let upper = try MapScene(story: story, floor: "upper")
        #expect(upper.sections.map { $0.places.map(\.id) } == [["above"]])
        let ground = try MapScene(story: story, floor: "ground")
        #expect(ground.sections.map { $0.places.map(\.id) } == [["corner", "other"]])
        let error = try #require(throws: MediaError.self) { try MapScene(story: story, floor: "uper") }
        #expect(error.advice?.description.contains("did you mean 'upper'?") == true)
    }
}
