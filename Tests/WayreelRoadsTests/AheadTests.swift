import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelRoads
import WayreelStory

@Suite struct AheadTests {
    private static let roads = try! RoadGraph.read(path: Fixture.media("maps/bayreuth-north.osm.pbf"))

    /// Drives some seconds from the beginning of a path, and returns what is ahead then.
    private static func ahead(
        _ path: [DriveMap.Piece], seconds: Int, on graph: RoadGraph = roads,
        _ options: RoadAhead.Options = RoadAhead.Options()
    ) throws -> (RoadAhead, along: Double) {
        let made = MadeDrive(path, noise: 3, seed: 21)
        var live = RoadLive(graph, options)
        var last: RoadLive.Update?
        for sample in made.samples.prefix(seconds + 1) { last = live.add(sample.fix) }
        return (try #require(last?.ahead), made.samples[seconds].along)
    }

    /// The metres from the start of a path to a node of it.
    private static func along(_ path: [DriveMap.Piece], to node: DriveMap.Node) throws -> Double {
        let index = try #require(path.firstIndex { $0.to == node })
        return path[...index].reduce(0) { $0 + $1.length }
    }

    /// The A 70 to the east has the exits 24 and 26 in the extract, and none of the A 9.
    @Test func exitsAreThoseOfTheRoad() throws {
        let path = try DriveMap.bayreuth.path(DriveMap.a70EastStart, DriveMap.a70EastEnd)
        let (ahead, along) = try Self.ahead(path, seconds: 10)
        #expect(ahead.road.ref == "A 70" && !ahead.road.isRamp)
        #expect(ahead.exits.map(\.number) == ["24", "26"])
        #expect(ahead.exits.map(\.name) == ["Kulmbach/Neudrossenfeld", "Dreieck Bayreuth / Kulmbach"])
        #expect(ahead.exits.first?.refs == ["B 85"] && ahead.exits.last?.refs == ["A 9"])
        #expect(ahead.end == .road)
        // The junctions 128341467 and 21525763.
        let nodes = [DriveMap.Node(11.491_421_2, 50.039_125), DriveMap.a70EastEnd]
        for (exit, node) in zip(ahead.exits, nodes) {
            #expect(abs(exit.distance - (try Self.along(path, to: node) - along)) < 15, "\(exit.distance)")
        }
    }

    @Test func exitsBehindAreNotAhead() throws {
        let path = try DriveMap.bayreuth.path(DriveMap.a70EastStart, DriveMap.a70EastEnd)
        let seconds = Int(try Self.along(path, to: DriveMap.Node(11.491_421_2, 50.039_125)) / 33) + 4
        let (ahead, _) = try Self.ahead(path, seconds: seconds)
        #expect(ahead.exits.map(\.number) == ["26"])
    }

    @Test func theOtherCarriagewayHasItsOwn() throws {
        let path = try DriveMap.bayreuth.path(DriveMap.a70WestStart, DriveMap.a70WestEnd)
        let (ahead, _) = try Self.ahead(path, seconds: 10)
        #expect(ahead.exits.map(\.number) == ["24"])
        #expect((225...315).contains(ahead.bearing))
        #expect(ahead.end == .extract)
    }

    /// The A 9 to the north has no exit in the extract, although ramps run beside it.
    @Test func rampsBesideTheRoadAreNoExits() throws {
        let path = try DriveMap.bayreuth.path(DriveMap.a9NorthStart, DriveMap.a9NorthEnd)
        let (ahead, _) = try Self.ahead(path, seconds: 6)
        #expect(ahead.road.ref == "A 9" && ahead.exits.isEmpty && ahead.end == .extract)
    }

    @Test func servicesAreNearTheExit() throws {
        let path = try DriveMap.bayreuth.path(DriveMap.a70EastStart, DriveMap.a70EastEnd)
        let options = RoadAhead.Options(radius: 5000, kinds: [.lodging], chains: ["schnupp", "nobody"])
        let (ahead, _) = try Self.ahead(path, seconds: 10, options)
        let exit = try #require(ahead.exits.first)
        // The hotel Schnupp, node 843091458, at 50.0117962 N, 11.4959292 E.
        let hotel = GeoPoint(latitude: 50.011_796_2, longitude: 11.495_929_2)
        let stop = try #require(exit.services.first { $0.service.name == "Schnupp" })
        let line = exit.position.geodesic(to: hotel)
        #expect(abs(stop.distance - line.distance) <= 0.1 && abs(stop.bearing - line.bearing) <= 0.1)
        #expect(exit.services.allSatisfy { $0.service.kind == .lodging && $0.distance <= 5000 })
        #expect(exit.services.map(\.distance) == exit.services.map(\.distance).sorted())
        #expect(ahead.next.map(\.chain) == ["schnupp"] && ahead.next.first?.exit == "24")
        // The next one of a chain need not be among those that are told.
        var few = options
        (few.services, few.kinds) = (1, Set(RoadServiceKind.allCases))
        let (told, _) = try Self.ahead(path, seconds: 10, few)
        #expect(told.exits.map { $0.services.map(\.service.kind) } == [[.gas], [.food]] && told.next == ahead.next)
        let (near, _) = try Self.ahead(path, seconds: 10, RoadAhead.Options(radius: 500, kinds: [.lodging]))
        #expect(near.exits.allSatisfy { $0.services.allSatisfy { $0.distance <= 500 } })
    }

    /// Two roads with numbers share some kilometres, as US 127 and I 496 do in Lansing: the one on which somebody came is
    /// followed, and where they part, the exits are its own.
    @Test(arguments: [("US 127", ["77", "9"]), ("I 496", ["6", "9"])])
    func aRoadIsFollowedWhereOthersRunAlong(ref: String, exits: [String]) throws {
        var sketch = RoadSketch()
        let shared = [sketch.node(0, 0), sketch.node(2000, 0)]
        let middle = sketch.node(1000, 0, ["highway": "motorway_junction", "ref": "9"])
        let starts = ["US 127": sketch.node(-2000, 800), "I 496": sketch.node(-2000, -800)]
        let ends = ["US 127": sketch.node(6000, 900), "I 496": sketch.node(6000, -900)]
        let junctions = [
            "US 127": sketch.node(4000, 450, ["highway": "motorway_junction", "ref": "77"]),
            "I 496": sketch.node(4000, -450, ["highway": "motorway_junction", "ref": "6"]),
        ]
        sketch.way([shared[0], middle, shared[1]], ["highway": "motorway", "ref": "US 127;I 496"])
        for ref in ["US 127", "I 496"] {
            sketch.way([starts[ref]!, shared[0]], ["highway": "motorway", "ref": ref])
            sketch.way([shared[1], junctions[ref]!, ends[ref]!], ["highway": "motorway", "ref": ref])
        }
        for (from, y) in [(middle, 300.0), (junctions["US 127"]!, 900), (junctions["I 496"]!, -900)] {
            let side = sketch.node(from == middle ? 1500 : 4500, y)
            sketch.way([from, side], ["highway": "motorway_link", "oneway": "yes", "destination": "Town"])
        }
        let graph = try sketch.graph()
        let from = RoadSketch.point(-1900, ref == "US 127" ? 760 : -760)
        let course = from.geodesic(to: RoadSketch.point(0, 0)).bearing
        var live = RoadLive(graph)
        var last: RoadLive.Update?
        // 3 km: onto the shared stretch, before its exit.
        for second in 0..<90 {
            let metres = Double(second) * 30
            let length = from.geodesic(to: RoadSketch.point(0, 0)).distance
            let point =
                metres < length
                ? from.moved(by: metres, bearing: course)
                : RoadSketch.point(0, 0).moved(by: metres - length, bearing: 90)
            last = live.add(Fix(point, timestamp: MadeDrive.start.advanced(by: Double(second))))
        }
        let ahead = try #require(last?.ahead)
        #expect(ahead.road.ref == "US 127;I 496")
        #expect(ahead.exits.compactMap(\.number).sorted() == exits.sorted())
        #expect(ahead.exits.allSatisfy { $0.number == nil || $0.destinations == ["Town"] })
        // Where they part, the other one leaves.
        let other = ref == "US 127" ? "I 496" : "US 127"
        #expect(ahead.exits.filter { $0.number == nil }.map(\.refs) == [[other]])
    }

    /// A road with a name goes on beyond a roundabout, which has none.
    @Test func aRoadGoesOnBeyondARoundabout() throws {
        var sketch = RoadSketch()
        let ring = [(20, 0), (0, 20), (-20, 0), (0, -20)].map { sketch.node($0.0, $0.1) }
        let ends = [(3000, 0), (0, 500), (-1000, 0), (0, -500)].map { sketch.node($0.0, $0.1) }
        sketch.way(ring + [ring[0]], ["highway": "secondary", "junction": "roundabout"])
        sketch.way([ends[2], ring[2]], ["highway": "secondary", "ref": "B 1", "name": "Long Road"])
        sketch.way([ring[0], ends[0]], ["highway": "secondary", "ref": "B 1", "name": "Long Road"])
        sketch.way([ends[1], ring[1]], ["highway": "secondary", "ref": "B 2"])
        sketch.way([ring[3], ends[3]], ["highway": "secondary", "ref": "B 2"])
        sketch.node(2000, 60, ["amenity": "fuel", "brand": "Aral", "name": "Aral Tankstelle"])
        sketch.node(60, 400, ["amenity": "fuel", "brand": "Aral"])
        let graph = try sketch.graph()
        var live = RoadLive(graph, RoadAhead.Options(chains: ["ARAL"]))
        var last: RoadLive.Update?
        for second in 0..<10 {
            last = live.add(
                Fix(
                    RoadSketch.point(-900 + Double(second) * 20, 0),
                    timestamp: MadeDrive.start.advanced(by: Double(second))))
        }
        let ahead = try #require(last?.ahead)
        // From 720 metres west of the middle: 3720 metres, and a quarter more in the ring than straight through it.
        #expect(abs(ahead.length - 3720) < 40, "\(ahead.length)")
        #expect(ahead.beside.count == 1 && abs(ahead.beside[0].along - 2730) < 30)
        #expect(ahead.next.first?.exit == nil && ahead.next.first?.stop.service.name == "Aral Tankstelle")
    }
}
