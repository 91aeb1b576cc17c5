import Testing
import WayreelCore
import WayreelPlayback
import WayreelStory

@Suite struct TrackMovingTests {
    /// A corner: 100 m north, then 50 m east (geographiclib 2.1, Direct from 46.43, 13.74).
    private static let corner = Track(
        name: "corner",
        segments: [
            [
                Track.Point(
                    GeoPoint(latitude: 46.43, longitude: 13.74, altitude: 500), timestamp: Timestamp(milliseconds: 0),
                    accuracy: 5, speed: 1, course: 350),
                Track.Point(
                    GeoPoint(latitude: 46.4308996, longitude: 13.74), timestamp: Timestamp(milliseconds: 100_000)),
            ],
            [
                Track.Point(
                    GeoPoint(latitude: 46.4308996, longitude: 13.7406507), timestamp: Timestamp(milliseconds: 150_000))
            ],
        ])

    @Test func distancesAndAnglesStay() throws {
        let start = GeoPoint(latitude: 35.28, longitude: -120.66)
        let moved = try Self.corner.moved(to: TrackPlacement(start: start, rotation: 30, scale: 2))
        let points = moved.points
        #expect(points[0].position == GeoPoint(latitude: 35.28, longitude: -120.66, altitude: 500))
        let first = start.geodesic(to: points[1].position)
        #expect(abs(first.distance - 200) < 0.05 && abs(first.bearing - 30) < 0.02)
        #expect(abs(points[1].position.geodesic(to: points[2].position).distance - 100) < 0.05)
        #expect(abs(points[1].position.geodesic(to: points[2].position).bearing - 120) < 0.05)
        #expect(moved.segments.map(\.count) == [2, 1] && moved.name == "corner")
        #expect(points.map(\.timestamp) == Self.corner.points.map(\.timestamp))
        #expect(points[0].speed == 2 && points[0].course == 20 && points[0].accuracy == 5)
    }

    @Test(arguments: [
        TrackPlacement(start: GeoPoint(latitude: 91, longitude: 0)),
        TrackPlacement(start: GeoPoint(latitude: 0, longitude: 0), rotation: .nan),
        TrackPlacement(start: GeoPoint(latitude: 0, longitude: 0), scale: 0),
    ])
    func refusesPlacementsOutOfRange(placement: TrackPlacement) {
        #expect(throws: MediaError.self) { try Self.corner.moved(to: placement) }
    }

    @Test func timesFollowTheWay() {
        let start = Timestamp(milliseconds: 1_000_000)
        let timed = Self.corner.timed(from: start, speed: 2)
        let seconds = timed.points.compactMap { $0.timestamp?.seconds(since: start) }
        #expect(zip(seconds, [0, 50, 75]).allSatisfy { abs($0 - $1) < 0.02 })
        #expect(
            Self.corner.starting(at: start).points.compactMap(\.timestamp?.milliseconds) == [
                1_000_000, 1_100_000, 1_150_000,
            ])
    }

    @Test func bendsThroughEveryStop() throws {
        let start = GeoPoint(latitude: 35.28, longitude: -120.66)
        let stops = [start, start.moved(by: 300, bearing: 40), start.moved(by: 200, bearing: 200), start]
        let bent = try Self.corner.bent(through: stops)
        #expect(bent.name == "corner")
        // Between straight lines from stop to stop.
        let route = try RouteLine(bent)
        for stop in stops { #expect(route.nearest(to: stop).beside < 0.05) }
        let times = bent.points.compactMap(\.timestamp)
        #expect(times == times.sorted() && times.count == bent.points.count)
        #expect(times.first == Timestamp(milliseconds: 0) && times.last == Timestamp(milliseconds: 150_000))
        #expect(bent.points[0].position == GeoPoint(latitude: 35.28, longitude: -120.66, altitude: 500))
    }

    /// A zigzag along a line, bent to a longer line: the zigzag grows with it, and nothing else changes.
    @Test func keepsSmallBends() throws {
        let start = GeoPoint(latitude: 0, longitude: 10)
        let zigzag = (0...20).map { index in
            Track.Point(GeoPoint(latitude: index % 2 == 0 ? 0 : 0.00005, longitude: 10 + Double(index) * 0.0001))
        }
        let end = GeoPoint(latitude: 0, longitude: 10.004)
        let track = Track(segments: [zigzag])
        let bent = try track.bent(through: [start, end])
        // The zigzag's way is longer than the line, by the hypotenuse: the scale is 2 times 10 / 11.15 (0.0001° are 11.13 m east, 0.00005°
        // 5.53 m north), and the line is stretched to its end.
        let scale = 2 / (1 + (5.5287 / 11.1319) * (5.5287 / 11.1319)).squareRoot()
        for (index, point) in bent.points.enumerated() {
            #expect(abs(point.position.latitude - (index % 2 == 0 ? 0 : 0.00005 * scale)) < 2e-7)
            #expect(abs(point.position.longitude - 10 - Double(index) * 0.0002) < 2e-7)
        }
        #expect(throws: MediaError.self) { try track.bent(through: [start, start]) }
        #expect(throws: MediaError.self) { try Track(segments: []).bent(through: [start, end]) }
    }

    /// The other walk: a real track in the story's town. Its own points are far apart, as a car's are.
    @Test func aBentTrackPassesTheSampleStory() throws {
        let story = try WalkSamples.sampleStory()
        let bent = try Self.corner.bent(through: story.stops())
        let route = try RouteLine(bent)
        for event in story.chapters.flatMap(\.events) { #expect(route.nearest(to: event.position).beside < 0.05) }
        // Beyond the matinee's circle of 25 m, too.
        let matinee = GeoPoint(latitude: 35.2822, longitude: -120.6612)
        #expect(WalkSamples.metres(try #require(bent.points.last).position, matinee) > 84)
        #expect(try story.stops().count == 12 && story.stops(chapter: "the-round").count == 5)
    }
}
