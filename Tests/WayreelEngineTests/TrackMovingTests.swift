import Testing
import WayreelCore
import WayreelEngine
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
        let bent = try Self.corner.bent(through: stops, times: .original)
        #expect(bent.name == "corner")
        // The points are on straight lines from stop to stop.
        let route = try RouteLine(bent)
        for stop in stops { #expect(route.nearest(to: stop).beside < 0.05) }
        let times = bent.points.compactMap(\.timestamp)
        #expect(times == times.sorted() && times.count == bent.points.count)
        #expect(times.first == Timestamp(milliseconds: 0) && times.last == Timestamp(milliseconds: 150_000))
        #expect(bent.points[0].position == GeoPoint(latitude: 35.28, longitude: -120.66, altitude: 500))
    }

    /// A zigzag along a line, bent to a longer line: the zigzag is scaled with it, and nothing else changes.
    @Test func keepsSmallBends() throws {
        let start = GeoPoint(latitude: 0, longitude: 10)
        let zigzag = (0...20).map { index in
            Track.Point(GeoPoint(latitude: index % 2 == 0 ? 0 : 0.00005, longitude: 10 + Double(index) * 0.0001))
        }
        let end = GeoPoint(latitude: 0, longitude: 10.004)
        let track = Track(segments: [zigzag])
        let bent = try track.bent(through: [start, end])
        // The zigzag is longer than the line, by the hypotenuse: the scale is 2 times 10 / 11.15 (0.0001° are 11.13 m
        // east, 0.00005° 5.53 m north), and the line is stretched to its end.
        let scale = 2 / (1 + (5.5287 / 11.1319) * (5.5287 / 11.1319)).squareRoot()
        for (index, point) in bent.points.enumerated() {
            #expect(abs(point.position.latitude - (index % 2 == 0 ? 0 : 0.00005 * scale)) < 2e-7)
            #expect(abs(point.position.longitude - 10 - Double(index) * 0.0002) < 2e-7)
        }
        #expect(throws: MediaError.self) { try track.bent(through: [start, start]) }
        #expect(throws: MediaError.self) { try Track(segments: []).bent(through: [start, end]) }
    }

    // MARK: Times of bent tracks

    /// Returns a track along the equator, with `steps` in units of 0.0001° (11.13195 m) and `seconds` between points.
    private static func line(_ steps: [Int], seconds: Double) -> Track {
        let points = steps.enumerated().map { index, step in
            Track.Point(
                GeoPoint(latitude: 0, longitude: 10 + Double(step) * 0.0001),
                timestamp: Timestamp(milliseconds: Int64(Double(index) * seconds * 1000)))
        }
        return Track(segments: [points])
    }

    private static func seconds(_ track: Track) -> [Double] {
        track.points.compactMap { $0.timestamp?.seconds(since: Timestamp(milliseconds: 0)) }
    }

    private static func end(after steps: Double) -> [GeoPoint] {
        [GeoPoint(latitude: 0, longitude: 20), GeoPoint(latitude: 0, longitude: 20 + steps * 0.0001)]
    }

    /// 1.11 m/s with a rest of ten seconds, bent to twice its length: twice the time, except for the rest.
    @Test func aBentTrackKeepsItsSpeedAndItsRests() throws {
        let bent = try Self.line([0, 1, 1, 2, 3], seconds: 10).bent(through: Self.end(after: 6))
        #expect(zip(Self.seconds(bent), [0, 20, 30, 50, 70]).allSatisfy { abs($0 - $1) < 0.05 })
        let longitudes = bent.points.map { ($0.position.longitude - 20) / 0.0001 }
        #expect(zip(longitudes, [0, 2, 2, 4, 6]).allSatisfy { abs($0 - $1) < 0.002 })
        // The timestamps do not advance: a walking speed of 1.4 m/s is used, 15.9 s for each 22.26 m.
        let still = try Self.line([0, 1, 2], seconds: 0).bent(through: Self.end(after: 4))
        #expect(zip(Self.seconds(still), [0, 15.903, 31.806]).allSatisfy { abs($0 - $1) < 0.05 })
        let steady = try Self.line([0, 1, 2], seconds: 10).bent(through: Self.end(after: 4), times: .steady(speed: 2))
        #expect(zip(Self.seconds(steady), [0, 11.132, 22.264]).allSatisfy { abs($0 - $1) < 0.05 })
        let original = try Self.line([0, 1, 2], seconds: 1).bent(through: Self.end(after: 4), times: .original)
        #expect(Self.seconds(original) == [0, 1, 2])
    }

    /// 11.13 m in 10 s, a rest of 70 s with a point at least every 30 s, 33.4 m in 30 s, and a rest of 12 s at the end.
    @Test func aBentTrackRestsAtStops() throws {
        let places = [0, 1, 4].map { GeoPoint(latitude: 0, longitude: 20 + $0 * 0.0001) }
        let stops = [WalkStop(places[0]), WalkStop(places[1], stay: 70), WalkStop(places[2], stay: 12)]
        let track = Self.line([0, 2, 4], seconds: 20)
        let bent = try track.bent(through: stops)
        let expected = [0, 10, 33.33, 56.67, 80, 90, 110, 122]
        #expect(Self.seconds(bent).count == expected.count)
        #expect(zip(Self.seconds(bent), expected).allSatisfy { abs($0 - $1) < 0.05 }, "\(Self.seconds(bent))")
        #expect(bent.points[1...4].allSatisfy { $0.position.geodesic(to: places[1]).distance < 0.05 })
        #expect(Self.seconds(try track.bent(through: stops, times: .original)) == [0, 10, 20, 40])
        // The first stop, where the walk begins.
        let first = try track.bent(through: [WalkStop(places[0], stay: 10), WalkStop(places[2])])
        #expect(Self.seconds(first).map { $0.rounded() } == [0, 10, 30, 50])
    }

    /// 11.13 and 22.26 m/s, 16.7 on average: the whole way takes as long as at 1.4 m/s, and the faster leg takes half
    /// as long per metre.
    @Test func aDriverWalksWhereATrackIsBent() throws {
        let bent = try Self.line([0, 1, 3], seconds: 1).bent(through: Self.end(after: 6))
        let seconds = Self.seconds(bent)
        let whole = 6 * 11.13195 / 1.4
        #expect(abs((seconds.last ?? 0) - whole) < 0.05 && abs(seconds[1] - whole / 2) < 0.05)
        // Fixes keep the rate of a device: 47.7 s for two legs need no further fixes, 1113 m in 795 s do.
        #expect(seconds.count == 3)
        let longer = try Self.line([0, 1, 2], seconds: 5).bent(through: Self.end(after: 100))
        let times = Self.seconds(longer)
        #expect(abs((times.last ?? 0) - 1113.195 / 1.4) < 0.5 && times.count == 2 * 14 + 1)
        #expect(zip(times, times.dropFirst()).allSatisfy { (28...30).contains($1 - $0) })
    }

    /// A fix that jumps away is not a part of the way: all others are placed as if it did not exist.
    @Test func anOutlierIsNoPartOfTheWay() throws {
        let steps = Array(0...20)
        let track = Self.line(steps, seconds: 10)
        var jumping = track
        jumping.segments[0][0].position.latitude = 0.008
        jumping.segments[0][9].position.latitude = 0.004
        var without = track
        without.segments[0].remove(at: 9)
        without.segments[0].remove(at: 0)
        let stops = Self.end(after: 12) + [GeoPoint(latitude: 0.0012, longitude: 20.0012)]
        let bent = try jumping.bent(through: stops)
        let expected = try without.bent(through: stops)
        let far = bent.points.filter { abs($0.position.latitude) > 0.003 || $0.position.longitude < 19.9 }
        #expect(far.count == 2)
        #expect(bent.points.filter { !far.contains($0) }.map(\.position) == expected.points.map(\.position))
        let times = Self.seconds(bent)
        #expect(times == times.sorted() && times.count == bent.points.count)
    }

    /// A track bent through the stops of the sample story. Its own points are far apart, like a car's.
    @Test func aBentTrackPassesTheSampleStory() throws {
        let story = try WalkSamples.sampleStory()
        let bent = try Self.corner.bent(through: story.stops())
        let route = try RouteLine(bent)
        for event in story.chapters.flatMap(\.events) { #expect(route.nearest(to: event.position).beside < 0.05) }
        // The walk also continues beyond the matinee's circle of 25 m.
        let matinee = GeoPoint(latitude: 35.2822, longitude: -120.6612)
        #expect(WalkSamples.metres(try #require(bent.points.last).position, matinee) > 84)
        #expect(try story.stops().count == 13 && story.stops(chapter: "the-round").count == 5)
    }
}
