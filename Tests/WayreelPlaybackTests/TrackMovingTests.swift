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

    /// A right angle of events, as the track is one, elsewhere and turned by 40 degrees.
    @Test func findsWhereATrackPassesTheMostEvents() throws {
        let first = GeoPoint(latitude: 35.28, longitude: -120.66)
        let second = first.moved(by: 100, bearing: 40)
        let third = second.moved(by: 50, bearing: 130)
        let events = [first, second, third, first.moved(by: 3000, bearing: 0)].enumerated().map { index, point in
            WalkSamples.event("e\(index)", point.latitude, point.longitude, radius: 5)
        }
        let found = try #require(Self.corner.placement(through: events))
        #expect(found.events == 3)
        let moved = try Self.corner.moved(to: found.placement)
        for (point, event) in zip(moved.points, events) {
            #expect(WalkSamples.metres(point.position, event.position) <= 5.5)
        }
        #expect(Self.corner.placement(through: []) == nil)
    }
}
