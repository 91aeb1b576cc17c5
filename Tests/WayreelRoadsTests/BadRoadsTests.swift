import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelRoads
import WayreelStory

/// Extracts and fixes that are no good.
@Suite struct BadRoadsTests {
    @Test func anExtractWithoutRoadsIsRefused() throws {
        var sketch = RoadSketch()
        sketch.node(0, 0, ["amenity": "fuel"])
        #expect { try sketch.graph() } throws: { "\($0)".contains("it has no roads") }
    }

    @Test func aMissingFileIsRefused() {
        #expect { try RoadGraph.read(path: "/nowhere.osm.pbf") } throws: { ($0 as? MediaError)?.code == .notFound }
    }

    /// Roads from one end of the world to the other must not fill the grid.
    @Test func longRoadsAreBounded() throws {
        var sketch = RoadSketch()
        let ends = (0..<200).map { index in
            (sketch.node(-11_000_000 + Double(index), -5_000_000), sketch.node(11_000_000 - Double(index), 3_000_000))
        }
        for (from, to) in ends { sketch.way([from, to], ["highway": "primary"]) }
        let graph = try sketch.graph()
        #expect(graph.edgeCount == 200 && graph.bytes < 1 << 26)
    }

    /// Ways whose nodes are missing, that have one node, or several at one position, and those of no known class.
    @Test func damagedWaysAreLeftOut() throws {
        var sketch = RoadSketch()
        let nodes = [sketch.node(0, 0), sketch.node(0, 0), sketch.node(100, 0), sketch.node(200, 0)]
        sketch.way([nodes[0], nodes[1]], ["highway": "primary"])
        sketch.way([nodes[0]], ["highway": "primary"])
        sketch.way([nodes[0], 9999, nodes[2]], ["highway": "primary"])
        sketch.way([nodes[2], nodes[3]], ["highway": "dream"])
        sketch.way(
            [nodes[1], nodes[2], nodes[3]], ["highway": "service", "name": String(repeating: "x", count: 250)])
        let graph = try sketch.graph()
        let way = try graph.way(through: [RoadSketch.point(10, 0), RoadSketch.point(190, 0)], by: .car)
        #expect(abs(way.length - 180) < 0.5)
        #expect(way.steps.first?.road?.name?.count == 250)
    }

    /// The same position at all times, fixes at the ends of numbers, and times that go back.
    @Test func fixesAtTheEndsOfNumbersAreNoTraps() throws {
        var sketch = RoadSketch()
        sketch.way([sketch.node(0, 0), sketch.node(1000, 0)], ["highway": "primary", "ref": "B 1"])
        let graph = try sketch.graph()
        var live = RoadLive(graph)
        let numbers = [0, 1e-300, -1e300, .infinity, -.infinity, .nan, 90, -90, 180, 5e15, 50, 11]
        var second = 0.0
        for latitude in numbers {
            for longitude in numbers {
                second += 1
                _ = live.add(
                    Fix(
                        GeoPoint(latitude: latitude, longitude: longitude), accuracy: longitude, speed: latitude,
                        course: longitude, timestamp: MadeDrive.start.advanced(by: second)))
                _ = live.add(
                    Fix(
                        GeoPoint(latitude: 50, longitude: 11), accuracy: abs(latitude), speed: abs(longitude),
                        course: latitude,
                        timestamp: MadeDrive.start.advanced(by: second + 0.5)))
            }
        }
        let settled = live.finish().settled
        #expect(settled.last?.timestamp == MadeDrive.start.advanced(by: second + 0.5))
        for time in [Timestamp.range.lowerBound, Timestamp.range.upperBound, MadeDrive.start] {
            _ = live.add(Fix(RoadSketch.point(5, 0), timestamp: time))
        }
        #expect(live.finish().settled.count == 3)
    }

    /// Somebody who stands has no direction.
    @Test func nothingIsAheadOfSomebodyWhoStands() throws {
        var sketch = RoadSketch()
        sketch.way([sketch.node(0, 0), sketch.node(1000, 0)], ["highway": "primary", "ref": "B 1"])
        let graph = try sketch.graph()
        var live = RoadLive(graph)
        for second in 0..<60 {
            let update = live.add(
                Fix(
                    RoadSketch.point(500 + Double(second % 3), Double(second % 2)),
                    timestamp: MadeDrive.start.advanced(by: Double(second))))
            #expect(update.ahead == nil)
            if second > 2 { #expect(update.now?.road?.ref == "B 1") }
        }
    }
}
