import TestSupport
import Testing
import WayreelCore
import WayreelRoads
import WayreelStory

@Suite struct WayTests {
    /// Streets of a small town:
    ///
    ///     4 ── North Street ── 5 ── North Street ── 6
    ///     │                    │                    │
    ///     West Lane (footway)  Mill Street →        East Road
    ///     │                    │                    │
    ///     1 ── South Street ── 2 ── South Street ── 3      100 metres each
    ///
    /// Mill Street is one way, to the south.
    private static func town() throws -> RoadGraph {
        var sketch = RoadSketch()
        let nodes = [(0, 0), (100, 0), (200, 0), (0, 100), (100, 100), (200, 100)].map { sketch.node($0.0, $0.1) }
        sketch.way([nodes[0], nodes[1], nodes[2]], ["highway": "residential", "name": "South Street"])
        sketch.way([nodes[3], nodes[4], nodes[5]], ["highway": "residential", "name": "North Street"])
        sketch.way([nodes[0], nodes[3]], ["highway": "footway", "name": "West Lane"])
        sketch.way([nodes[4], nodes[1]], ["highway": "residential", "name": "Mill Street", "oneway": "yes"])
        sketch.way([nodes[2], nodes[5]], ["highway": "tertiary", "name": "East Road"])
        return try sketch.graph()
    }

    private static func steps(_ way: RoadWay) -> [String] {
        way.steps.map { "\($0.turn) \($0.road?.name ?? "-") \(Int($0.length.rounded()))" }
    }

    @Test func walkersTakeTheLane() throws {
        let way = try Self.town().way(through: [RoadSketch.point(50, 0), RoadSketch.point(50, 100)], by: .foot)
        #expect(
            Self.steps(way) == [
                "depart South Street 50", "right West Lane 100", "right North Street 50", "arrive - 0",
            ])
        #expect(abs(way.length - 200) < 0.5)
        // 200 metres at 5 km/h.
        #expect(abs(way.duration - 144) < 0.5)
    }

    @Test func carsGoRoundTheOneWayStreet() throws {
        let way = try Self.town().way(through: [RoadSketch.point(90, 0), RoadSketch.point(90, 100)], by: .car)
        #expect(
            Self.steps(way) == [
                "depart South Street 110", "left East Road 100", "left North Street 110", "arrive - 0",
            ])
        // 220 metres at 30 km/h, and 100 at 50 km/h.
        #expect(abs(way.duration - (220 / 30.0 + 100 / 50.0) * 3.6) < 0.3)
        let back = try Self.town().way(through: [RoadSketch.point(90, 100), RoadSketch.point(90, 0)], by: .car)
        #expect(
            Self.steps(back) == [
                "depart North Street 10", "right Mill Street 100", "right South Street 10", "arrive - 0",
            ])
    }

    @Test func severalStopsAreVisitedInOrder() throws {
        let way = try Self.town().way(
            through: [RoadSketch.point(20, 0), RoadSketch.point(150, 0), RoadSketch.point(200, 50)], by: .bicycle)
        #expect(way.stops.count == 3)
        #expect(way.steps.compactMap(\.stop) == [1, 2])
        #expect(abs(way.stops[1].along - 130) < 0.5 && abs(way.stops[2].along - 230) < 0.5)
        #expect(abs(way.length - 230) < 0.5)
        #expect(way.line.count == 5)
    }

    @Test func exitsOfRoundaboutsAreCounted() throws {
        var sketch = RoadSketch()
        // Driven against the clock, as on the right side of the road.
        let ring = [(20, 0), (0, 20), (-20, 0), (0, -20)].map { sketch.node($0.0, $0.1) }
        let ends = [(200, 0), (0, 200), (-200, 0), (0, -200)].map { sketch.node($0.0, $0.1) }
        sketch.way(ring + [ring[0]], ["highway": "tertiary", "junction": "roundabout"])
        for (index, name) in ["East", "North", "West", "South"].enumerated() {
            sketch.way([ends[index], ring[index]], ["highway": "tertiary", "name": name])
        }
        let graph = try sketch.graph()
        for (index, name) in ["North", "West", "South"].enumerated() {
            let goals = [(0.0, 150.0), (-150, 0), (0, -150)]
            let way = try graph.way(
                through: [RoadSketch.point(150, 0), RoadSketch.point(goals[index].0, goals[index].1)], by: .car)
            #expect(way.steps.map(\.turn) == [.depart, .roundabout, .arrive])
            #expect(way.steps[1].exit == index + 1)
            #expect(way.steps[1].road?.name == name)
        }
    }

    @Test(arguments: [
        ([(50.0, 0.0)], "positions, not 1"), ([(50, 0), (50, 9000)], "no road for walkers is within 2 km"),
    ]) func saysWhatIsWrong(places: [(Double, Double)], message: String) throws {
        let town = try Self.town()
        #expect { try town.way(through: places.map { RoadSketch.point($0.0, $0.1) }, by: .foot) } throws: { error in
            "\(error)".contains(message)
        }
    }

    @Test func anIslandIsLeftForAFartherRoad() throws {
        var sketch = RoadSketch()
        let main = [(0, 0), (500, 0)].map { sketch.node($0.0, $0.1) }
        let island = [(100, 30), (140, 30)].map { sketch.node($0.0, $0.1) }
        sketch.way(main, ["highway": "residential"])
        sketch.way(island, ["highway": "service"])
        let graph = try sketch.graph()
        let way = try graph.way(through: [RoadSketch.point(120, 25), RoadSketch.point(400, 0)], by: .car)
        #expect(abs(way.length - 280) < 0.5 && abs(way.stops[0].beside - 25) < 0.1)
    }

    @Test func bollardsStopCarsOnly() throws {
        var sketch = RoadSketch()
        let nodes = [sketch.node(0, 0), sketch.node(3000, 0, ["barrier": "bollard"]), sketch.node(6000, 0)]
        sketch.way(nodes, ["highway": "residential"])
        let graph = try sketch.graph()
        let ends = [RoadSketch.point(100, 0), RoadSketch.point(5900, 0)]
        #expect(abs(try graph.way(through: ends, by: .bicycle).length - 5800) < 3)
        #expect { try graph.way(through: ends, by: .car) } throws: { "\($0)".contains("no way for cars leads from") }
    }

    /// A lattice of roads of random classes, some one way: the times of A* are those of Dijkstra's algorithm, which is
    /// written here and knows the lattice instead of the graph.
    @Test func waysAreAsFastAsThoseOfDijkstra() throws {
        let (side, step) = (30, 80.0)
        let speeds: [(String, Double)] = [
            ("primary", 70), ("secondary", 60), ("tertiary", 50), ("unclassified", 45), ("residential", 30),
            ("service", 15),
        ]
        var random = SeededRandom(seed: 45)
        var sketch = RoadSketch()
        var seconds: [[(to: Int, seconds: Double)]] = Array(repeating: [], count: side * side)
        let ids = (0..<side * side).map { sketch.node(Double($0 % side) * step, Double($0 / side) * step) }
        for from in ids.indices {
            for to in [from % side + 1 < side ? from + 1 : nil, from / side + 1 < side ? from + side : nil]
                .compactMap(\.self)
            {
                let (highway, speed) = speeds.randomElement(using: &random)!
                let isOneWay = Int.random(in: 0..<4, using: &random) == 0
                sketch.way([ids[from], ids[to]], ["highway": highway, "oneway": isOneWay ? "yes" : "no"])
                seconds[from].append((to, step / speed * 3.6))
                if !isOneWay { seconds[to].append((from, step / speed * 3.6)) }
            }
        }
        let graph = try sketch.graph()
        #expect(graph.vertexCount == side * side && graph.edgeCount == 2 * side * (side - 1))
        for _ in 0..<40 {
            let (from, to) = (Int.random(in: ids.indices, using: &random), Int.random(in: ids.indices, using: &random))
            var best = [Double](repeating: .infinity, count: ids.count)
            var open: Set = [from]
            best[from] = 0
            while let node = open.min(by: { best[$0] < best[$1] }) {
                open.remove(node)
                for next in seconds[node] where best[node] + next.seconds < best[next.to] {
                    best[next.to] = best[node] + next.seconds
                    open.insert(next.to)
                }
            }
            let ends = [from, to].map { RoadSketch.point(Double($0 % side) * step, Double($0 / side) * step) }
            guard best[to].isFinite else {
                #expect(throws: MediaError.self) { try graph.way(through: ends, by: .car) }
                continue
            }
            let way = try graph.way(through: ends, by: .car)
            // Positions are rounded to a centimetre, and the Earth is curved within the lattice.
            #expect(abs(way.duration - best[to]) < 0.002 * best[to] + 0.2, "\(way.duration) s, not \(best[to]) s")
        }
    }
}
