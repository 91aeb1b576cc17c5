import Glibc
import TestSupport
import Testing
import WayreelEngine
import WayreelStory

@Suite struct SurroundingsTests {
    private static let here = GeoPoint(latitude: 35.28, longitude: -120.66)

    private static func chapter(_ id: String, _ places: [(String, Double, Double)]) -> Chapter {
        Chapter(
            id: id, name: id,
            events: places.map { id, distance, bearing in
                let point = here.moved(by: distance, bearing: bearing)
                return WalkSamples.event(id, point.latitude, point.longitude)
            })
    }

    private static let surroundings = Surroundings(of: [
        chapter("near", [("a", 100, 90), ("b", 300, 350), ("in", 12, 0)]),
        chapter("far", [("c", 50, 180), ("d", 5000, 45)]), chapter("empty", []),
    ])

    @Test func theNearestComeFirst() {
        let found = Self.surroundings.nearest(3, to: Self.here, found: ["c"], heading: 350, range: 220)
        #expect(found.map(\.event) == ["in", "a", "b"])
        #expect(found.map(\.chapter) == ["near", "near", "near"])
        for (sighting, expected) in zip(found, [(12, 0, 10, 1), (100, 90, 100, 0.6), (300, 350, 0, 0)]) {
            #expect(abs(sighting.distance - Double(expected.0)) < 1e-6)
            #expect(abs((sighting.bearing - Double(expected.1)).asTurn) < 1e-6)
            #expect(abs((sighting.turn ?? .nan) - Double(expected.2)) < 1e-6)
            // (220 − 100) / (220 − 20) is 0.6.
            #expect(abs(sighting.fade - expected.3) < 1e-6)
        }
        #expect(Self.surroundings.nearest(1, to: Self.here).first?.turn == nil)
        #expect(Self.surroundings.nearest(0, to: Self.here).isEmpty)
        #expect(Self.surroundings.nearest(99, to: Self.here).count == 5)
    }

    @Test func arrowsPointToWhatIsOutside() {
        let arrows = Self.surroundings.arrows(5, beyond: 99, from: Self.here, heading: 180)
        #expect(arrows.map(\.event) == ["a", "b", "d"])
        for (arrow, turn) in zip(arrows, [-90.0, 170, -135]) { #expect(abs((arrow.turn ?? 0) - turn) < 1e-6) }
    }

    @Test func chaptersComeByTheirNearestEvent() {
        let chapters = Self.surroundings.chapters(from: Self.here, found: ["in", "b"])
        #expect(chapters.map(\.chapter) == ["far", "near"])
        #expect(chapters.map(\.remaining) == [2, 1])
        #expect(abs((chapters.last?.distance ?? 0) - 100) < 1e-6)
        #expect(Self.surroundings.chapters(from: Self.here, found: ["c", "d"]).map(\.chapter) == ["near"])
    }

    /// Costs computed by hand, with a radius of 20 m and the course 90: a (100 − 20)·1, c (50 − 20)·2, b 280·(2 − cos
    /// 100°), d 4980·(2 − cos 45°).
    @Test func whatLiesAheadIsLoadedFirst() {
        let order = Self.surroundings.prefetchOrder(5, from: Self.here, course: 90)
        #expect(order.map(\.event) == ["in", "c", "a", "b", "d"])
        // To the west, a costs 80·3 and c 30·2, b 280·(2 − cos 80°) = 511.
        #expect(
            Self.surroundings.prefetchOrder(4, from: Self.here, course: 270).map(\.event) == ["in", "c", "a", "b"])
        // Two events at 200 m, one ahead and one behind, and one at 500 m ahead.
        let ahead = Surroundings(of: [Self.chapter("x", [("back", 200, 180), ("front", 200, 0), ("next", 500, 0)])])
        #expect(ahead.prefetchOrder(3, from: Self.here, course: 0).map(\.event) == ["front", "next", "back"])
        #expect(ahead.prefetchOrder(3, from: Self.here).last?.event == "next")
    }

    @Test(arguments: [
        (0.0, 1.0), (20, 1), (20.001, 0.99999), (260, 0.5), (500, 0), (9999, 0),
    ]) func fadesWithDistance(distance: Double, fade: Double) {
        #expect(abs(Surroundings.fade(distance: distance, radius: 20, range: 500) - fade) < 1e-5)
    }

    /// The results for 10,000 events all over a town, and all over the Earth, equal those of measuring every event.
    @Test(arguments: [0.05, 89.0]) func findsTheSameAsMeasuringAll(spread: Double) {
        var random = SeededRandom(seed: 7)
        let events = (0..<10_000).map { index in
            WalkSamples.event(
                "e\(index)", 0.5 + Double.random(in: -spread...spread, using: &random),
                180 - abs(Double.random(in: -spread * 2...spread * 2, using: &random)),
                radius: Double.random(in: 5...50, using: &random))
        }
        let surroundings = Surroundings(of: [Chapter(id: "c", name: "C", events: events)])
        for (latitude, longitude) in [(0.5, -179.99), (89.99, 10.0), (-0.02, 179.95)] {
            let here = GeoPoint(latitude: latitude, longitude: longitude)
            let measured = events.map { (event: $0, way: here.geodesic(to: $0.position)) }
            let nearest = measured.sorted { ($0.way.distance, $0.event.id) < ($1.way.distance, $1.event.id) }
            #expect(surroundings.nearest(20, to: here).map(\.event) == nearest.prefix(20).map(\.event.id))
            let outside = nearest.filter { $0.way.distance > 2000 }
            #expect(
                surroundings.arrows(20, beyond: 2000, from: here, heading: 0).map(\.event)
                    == outside.prefix(20).map(\.event.id))
            let costs = measured.map { event, way in
                let cost = max(0, way.distance - event.activation.radius) * (2 - cos((way.bearing - 70) * .pi / 180))
                return (cost: cost, distance: way.distance, id: event.id)
            }
            #expect(
                surroundings.prefetchOrder(20, from: here, course: 70).map(\.event)
                    == costs.sorted { ($0.cost, $0.distance, $0.id) < ($1.cost, $1.distance, $1.id) }.prefix(20).map(
                        \.id))
        }
    }
}
