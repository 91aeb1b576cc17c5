import Testing
import WayreelCore
import WayreelEngine
import WayreelStory

@Suite struct RouteTests {
    private static func track(_ points: [(Double, Double)]...) -> Track {
        Track(segments: points.map { $0.map { Track.Point(GeoPoint(latitude: $0.0, longitude: $0.1)) } })
    }

    private static func line(_ points: (Double, Double)...) throws -> RouteLine { try RouteLine(track(points)) }

    // MARK: Projection

    /// The nearest point of a geodesic, found by PyPI geographiclib 2.1:
    ///
    ///     from geographiclib.geodesic import Geodesic; import math; g = Geodesic.WGS84
    ///     def foot(a, b, p):
    ///         way = g.Inverse(*a, *b); line = g.Line(*a, way['azi1'])
    ///         def distance(s): q = line.Position(s); return g.Inverse(q['lat2'], q['lon2'], *p)['s12']
    ///         def nears(s):
    ///             q = line.Position(s)
    ///             return math.cos(math.radians(g.Inverse(q['lat2'], q['lon2'], *p)['azi1'] - q['azi2'])) > 0
    ///         low, high = 0, way['s12']
    ///         for _ in range(100):
    ///             middle = (low + high) / 2
    ///             low, high = (middle, high) if nears(middle) else (low, middle)
    ///         return way['s12'], low, distance(low)
    @Test(
        arguments: [
            ((35.28, -120.67), (35.29, -120.65), (35.287, -120.661), 2130.9977, 1103.3787, 236.7400),
            ((35.28, -120.67), (40.64, -73.78), (41.0, -95.0), 4_114_387.8651, 2_328_438.7117, 32_175.4305),
            ((-17.0, 179.0), (-18.5, -179.0), (-17.4, 179.9), 269_345.1513, 102_602.1362, 24_447.6855),
            ((64.0, -20.0), (64.0, 30.0), (70.0, 5.0), 2_383_458.4881, 1_191_729.2440, 428_817.4507),
            ((10.0, 0.0), (11.0, 0.0), (12.0, 0.5), 110_611.1866, 110_611.1866, 123_337.0056),
        ] as [((Double, Double), (Double, Double), (Double, Double), Double, Double, Double)])
    func findsTheNearestPointOfAGeodesic(
        a: (Double, Double), b: (Double, Double), p: (Double, Double), length: Double, along: Double, beside: Double
    ) throws {
        let route = try Self.line(a, b)
        let foot = route.nearest(to: GeoPoint(latitude: p.0, longitude: p.1))
        #expect(abs(route.length - length) < 0.0001)
        #expect(abs(foot.along - along) < 0.01)
        #expect(abs(foot.beside - beside) < 0.0001)
    }

    @Test func measuresAlongAllLegs() throws {
        let route = try Self.line((0, 0), (0, 1), (0, 1), (1, 1), (1, 0))
        // Degrees of the equator and of the meridian, and the geodesic at 1° north (geographiclib 2.1).
        let degree = 2 * Double.pi * 6_378_137 / 360
        #expect(abs(route.length - (degree + 110_574.3886 + 111_302.6492)) < 0.001)
        #expect(abs(route.nearest(to: GeoPoint(latitude: 0.5, longitude: 1.2)).along - degree - 55_287) < 1)
        let point = route.point(at: degree + 110_574.3886 / 2)
        #expect(abs(point.longitude - 1) < 1e-9 && abs(point.latitude - 0.5) < 1e-4)
        #expect(abs(route.bearing(at: degree / 2) - 90) < 1e-6)
        #expect(route.point(at: -5) == GeoPoint(latitude: 0, longitude: 0))
        #expect(route.point(at: 1e9) == GeoPoint(latitude: 1, longitude: 0))
    }

    /// Two segments are not connected by a way.
    @Test func gapsAreNoWay() throws {
        let route = try RouteLine(Self.track([(0, 0), (0, 0.01)], [(0, 0.03), (0, 0.04)]))
        let degree = 2 * Double.pi * 6_378_137 / 360
        #expect(abs(route.length - 0.02 * degree) < 0.001)
        #expect(abs(route.nearest(to: GeoPoint(latitude: 0, longitude: 0.018)).along - 0.01 * degree) < 0.001)
        #expect(abs(route.nearest(to: GeoPoint(latitude: 0, longitude: 0.035)).along - 0.015 * degree) < 0.001)
    }

    /// 400 m along the equator at 1.43 m/s, with a fix 300 m beside it: at 41 m/s it cannot be true.
    @Test func jumpsAreNoWay() throws {
        let start = Timestamp(milliseconds: 1_780_000_000_000)
        let degree = 2 * Double.pi * 6_378_137 / 360
        let points = (0...40).map { number in
            Track.Point(
                GeoPoint(latitude: number == 20 ? 0.0027 : 0, longitude: Double(number) * 10 / degree),
                timestamp: start.advanced(by: Double(number) * 7), accuracy: 5)
        }
        #expect(abs(try RouteLine(Track(segments: [points])).length - 400) < 0.01)
        // Without times nothing is known to be a jump.
        let route = points.map { Track.Point($0.position) }
        #expect(try RouteLine(Track(segments: [route])).length > 970)
    }

    @Test func refusesWhatIsNoWay() {
        for track in [Track(segments: []), Self.track([(1, 2)]), Self.track([(1, 2), (1, 2)], [(3, 4)])] {
            #expect(throws: MediaError.self) { try RouteLine(track) }
        }
    }

    // MARK: Ahead

    /// Metres east and north of a place, as (latitude, longitude).
    private static func at(_ east: Double, _ north: Double) -> (Double, Double) {
        (35.28 + north / 110_949.6, -120.66 + east / 90_979.1)
    }

    private static func events(_ places: [(String, Double, Double)]) -> [Event] {
        places.map { WalkSamples.event($0.0, at($0.1, $0.2).0, at($0.1, $0.2).1) }
    }

    private static func point(_ east: Double, _ north: Double) -> GeoPoint {
        GeoPoint(latitude: at(east, north).0, longitude: at(east, north).1)
    }

    @Test func eventsComeInTheOrderOfTravel() throws {
        let route = try Self.line(Self.at(0, 0), Self.at(0, 1000), Self.at(1000, 1000))
        let events = Self.events([
            ("corner", 20, 1020), ("behind", -30, 200), ("right", 50, 700), ("left", -40, 500), ("far", 600, 300),
            ("end", 900, 1030),
        ])
        let ahead = RouteAhead(along: route, from: Self.point(5, 400), course: 10, events: events, within: 100)
        #expect(ahead.isForward)
        #expect(abs(ahead.along - 400) < 0.5 && abs(ahead.beside - 5) < 0.1)
        #expect(ahead.events.map(\.event) == ["left", "right", "corner", "end"])
        #expect(ahead.events.map(\.side) == [.left, .right, .left, .left])
        for (pass, expected) in zip(ahead.events, [(100, 40), (300, 50), (620, 20), (1500, 30)]) {
            #expect(abs(pass.distance - Double(expected.0)) < 1 && abs(pass.beside - Double(expected.1)) < 0.2)
        }
        #expect(ahead.behind.map(\.event) == ["behind"])
        #expect(abs((ahead.behind.first?.distance ?? 0) + 200) < 0.5)
    }

    @Test func theCourseTurnsARouteRound() throws {
        let route = try Self.line(Self.at(0, 0), Self.at(0, 1000))
        let events = Self.events([("south", 10, 100), ("north", 10, 900)])
        let ahead = RouteAhead(along: route, from: Self.point(0, 500), course: 190, events: events)
        #expect(!ahead.isForward)
        #expect(ahead.events.map(\.event) == ["south"] && ahead.events.map(\.side) == [.left])
        #expect(abs((ahead.events.first?.distance ?? 0) - 400) < 0.5)
        #expect(RouteAhead(along: route, from: Self.point(0, 500), events: events).events.map(\.event) == ["north"])
    }

    /// A loop that crosses itself at (0, 500): north, round to the right, and west across.
    @Test(arguments: [(5.0, 500.0, ["loop", "west"]), (275, 1700, ["west"]), (90, 1700, ["loop", "south"])])
    func theCourseChoosesTheStretch(course: Double, along: Double, order: [String]) throws {
        let route = try Self.line(
            Self.at(0, 0), Self.at(0, 800), Self.at(300, 800), Self.at(300, 500), Self.at(-500, 500))
        let events = Self.events([("south", 0, 100), ("loop", 310, 700), ("west", -400, 510)])
        let ahead = RouteAhead(along: route, from: Self.point(4, 503), course: course, events: events, within: 50)
        #expect(abs(ahead.along - along) < 10)
        #expect(ahead.events.map(\.event) == order)
    }

    /// Out and back on one road: the same place twice, distinguished only by the course.
    @Test(arguments: [(0.0, 300.0, 200.0), (180, 1700, -200)])
    func outAndBack(course: Double, along: Double, distance: Double) throws {
        let route = try Self.line(Self.at(0, 0), Self.at(0, 1000), Self.at(0, 0))
        let events = Self.events([("e", 5, 500)])
        let ahead = RouteAhead(along: route, from: Self.point(0, 300), course: course, events: events, within: 50)
        #expect(abs(ahead.along - along) < 1 && ahead.isForward)
        #expect(abs((ahead.events + ahead.behind)[0].distance - distance) < 1)
    }

    /// An event belongs to the stretch where the route is nearest, even if the route comes within the limit earlier.
    @Test func anEventBelongsWhereTheRouteIsNearest() throws {
        let route = try Self.line(Self.at(0, 0), Self.at(0, 1000), Self.at(150, 1000), Self.at(150, 0))
        let ahead = RouteAhead(
            along: route, from: Self.point(0, 100), course: 0, events: Self.events([("e", 140, 500)]), within: 200)
        #expect(abs((ahead.events.first?.distance ?? 0) - 1550) < 1)
        #expect(ahead.events.first?.side == .right)
    }

    @Test func crossesTheAntimeridian() throws {
        let route = try Self.line((0, 179.99), (0, -179.99))
        let ahead = RouteAhead(
            along: route, from: GeoPoint(latitude: 0, longitude: 179.995),
            events: [WalkSamples.event("e", 0.0005, -179.995)])
        #expect(abs((ahead.events.first?.distance ?? 0) - 0.01 * 2 * Double.pi * 6_378_137 / 360) < 0.01)
        #expect(ahead.events.first?.side == .left)
    }

    @Test func theCourseComesFromTheSecondAndThirdPosition() throws {
        let fixes = [Self.point(900, -900), Self.point(0, 0), Self.point(0, 0), Self.point(100, 100)]
        let course = try #require(RouteAhead.course(of: fixes))
        #expect(abs(course - 45) < 0.1)
        #expect(RouteAhead.course(of: Array(fixes.prefix(3))) == nil)
    }

    /// Every event's nearest point among many legs, compared with checking all legs one by one.
    @Test func longRoutesSkipNothing() throws {
        let points = (0..<3000).map { i in Self.at(Double(i % 60) * 20, Double(i / 60) * 40) }
        let route = try RouteLine(Self.track(points))
        for (east, north) in [(333.0, 333.0), (-50, 1000), (600, 1971), (1190, 20)] {
            let point = Self.point(east, north)
            let legs = try zip(points, points.dropFirst()).map { try Self.line($0, $1).nearest(to: point).beside }
            #expect(abs(route.nearest(to: point).beside - (legs.min() ?? 0)) < 0.001)
        }
    }
}
