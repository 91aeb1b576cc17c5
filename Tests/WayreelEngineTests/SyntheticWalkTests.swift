import Testing
import WayreelCore
import WayreelEngine
import WayreelStory

@Suite struct SyntheticWalkTests {
    private func noisy(seed: UInt64) -> SensorOptions {
        SensorOptions(noise: 8, outliers: 0.02, dropouts: 30, seed: seed)
    }

    // MARK: The sample story

    /// Each event's circle contains fixes for ten seconds or more, and the walk leaves the circle of the one that fires
    /// at its exit.
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func aNoisyWalkPassesEveryEvent(seed: UInt64) throws {
        let story = try WalkSamples.sampleStory()
        let walk = try SyntheticWalk(through: story, WalkOptions(sensor: noisy(seed: seed)))
        #expect(walk.omissions == [])
        for event in story.chapters.flatMap(\.events) {
            let visit = try #require(walk.visits.first { $0.event == event.id })
            let during = walk.track.points.filter {
                (visit.arrival...visit.departure).contains($0.timestamp ?? visit.arrival)
            }
            let distances = during.map { WalkSamples.metres($0.position, event.position) }
            let seconds = 10 + (event.activation.dwellSeconds ?? 0)
            #expect(Double(distances.count { $0 <= event.activation.radius }) >= seconds, "\(event.id)")
            if event.activation.trigger == .exit {
                // 20 m beyond the circle, by more than the accuracy of up to 9.6 m.
                #expect(distances.suffix(10).count { $0 > event.activation.radius + 29.6 } >= 3, "\(event.id)")
            }
        }
    }

    /// A position without an accuracy is treated as one of 15 m.
    @Test func anExactWalkLeavesACircleToo() throws {
        let event = WalkSamples.event("a", 35, -120, radius: 25, trigger: .exit)
        let walk = try SyntheticWalk(through: WalkSamples.story([event]))
        let distances = walk.track.points.map { WalkSamples.metres($0.position, event.position) }
        #expect(distances.suffix(5).allSatisfy { $0 > 25 + 20 + 15 })
    }

    /// Derived by hand from the document: a sequence in its order, and the bells after the matinee or the lamps were
    /// found. The lamps are lit from 17:00 to 23:30 in California, which is 7 hours behind UTC in June.
    @Test func theSampleStoryIsWalkedInItsOrder() throws {
        let walk = try SyntheticWalk(through: WalkSamples.sampleStory())
        #expect(Set(walk.visits.prefix(3).map(\.event)) == ["library-door", "breakfast-tape", "four-cards"])
        #expect(
            walk.visits[3...].prefix(4).map(\.event) == ["house-without-door", "arbor", "counter", "except-bruno"])
        let last = walk.visits.suffix(3).map(\.event)
        #expect(Set(last) == ["matinee", "five-lamps", "bell-tower"] && last.first != "bell-tower")
        let lamps = try #require(walk.visits.first { $0.event == "five-lamps" })
        let (open, close) = (
            try #require(Timestamp("2026-06-02T00:00:00Z")), try #require(Timestamp("2026-06-02T06:30:00Z"))
        )
        #expect(lamps.arrival >= open && lamps.departure <= close)
        #expect(lamps.departure.seconds(since: lamps.arrival) < 60)
    }

    @Test func waitsWhereTheStartIsGiven() throws {
        let start = try #require(Timestamp("2026-11-22T16:30:00-08:00"))
        let walk = try SyntheticWalk(through: WalkSamples.sampleStory(), WalkOptions(rate: 0.2, start: start))
        let lamps = try #require(walk.visits.first { $0.event == "five-lamps" })
        let open = try #require(Timestamp("2026-11-22T17:00:00-08:00"))
        #expect(walk.path.points.first?.timestamp == start)
        #expect(lamps.arrival < open && lamps.departure > open)
        #expect(walk.omissions == [])
    }

    @Test func walksThroughOneChapter() throws {
        let walk = try SyntheticWalk(through: WalkSamples.sampleStory(), WalkOptions(chapter: "once-more"))
        #expect(Set(walk.visits.map(\.event)) == ["matinee", "five-lamps", "bell-tower"])
        let error = #expect(throws: MediaError.self) {
            try SyntheticWalk(through: WalkSamples.sampleStory(), WalkOptions(chapter: "once"))
        }
        #expect(
            error?.description.hasPrefix("once: story: there is no such chapter; the story's chapters are the-book-box")
                == true, "\(error?.description ?? "")")
    }

    @Test func theSameSeedGivesTheSameBytes() throws {
        let story = try WalkSamples.sampleStory()
        let texts = try [1, 1, 2].map { seed in
            try SyntheticWalk(through: story, WalkOptions(sensor: noisy(seed: seed))).track.gpx()
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0] != texts[2])
    }

    // MARK: Order

    /// Returns events in a row from south to north, which a walk without conditions visits in this order.
    private func row(_ conditions: [Condition?]) -> [Event] {
        conditions.enumerated().map { index, condition in
            WalkSamples.event("e\(index)", 35 + Double(index) * 0.001, -120, condition: condition)
        }
    }

    @Test(
        arguments: [
            ([nil, nil, nil], ["e0", "e1", "e2"]),
            ([.found(event: "e2"), nil, nil], ["e1", "e2", "e0"]),
            ([nil, .not(.found(event: "e0")), nil], ["e1", "e0", "e2"]),
            ([.any([.found(event: "e1"), .found(event: "e2")]), nil, nil], ["e1", "e0", "e2"]),
            ([.all([.opened(lockbox: "l"), .found(event: "elsewhere")]), nil, nil], ["e0", "e1", "e2"]),
            ([.found(event: "e1"), .found(event: "e0"), nil], ["e2"]),
        ] as [([Condition?], [String])])
    func conditionsDecideTheOrder(conditions: [Condition?], order: [String]) throws {
        let walk = try SyntheticWalk(through: WalkSamples.story(row(conditions)))
        #expect(walk.visits.map(\.event) == order)
        #expect(walk.omissions.count == conditions.count - order.count)
    }

    @Test func aSequenceWaitsForItsNextEvent() throws {
        let story = WalkSamples.story(row([nil, .found(event: "e2"), nil]), order: .sequence)
        let walk = try SyntheticWalk(through: story)
        #expect(walk.visits.map(\.event) == ["e0"])
        #expect(walk.omissions.map(\.event) == ["e1", "e2"])
    }

    @Test func manyFreeEventsAreWalkedAsTheyStand() throws {
        let events = (0..<600).map { WalkSamples.event("e\($0)", 35 + Double($0 % 2) * 1e-5, -120) }
        let walk = try SyntheticWalk(through: WalkSamples.story(events), WalkOptions(rate: 0.1))
        #expect(walk.visits.map(\.event) == events.map(\.id))
    }

    @Test func whatDoesNotOpenIsLeftOut() throws {
        let window = TimeWindow(zone: "UTC", lastDate: "2020-01-01")
        let events = [
            WalkSamples.event("past", 35, -120, window: window), WalkSamples.event("now", 35.001, -120),
        ]
        let walk = try SyntheticWalk(through: WalkSamples.story(events))
        #expect(walk.visits.map(\.event) == ["now"])
        #expect(walk.omissions.map(\.event) == ["past"])
        #expect(walk.omissions.first?.reason.hasPrefix("it does not open within a day of 2026-06-01T12:") == true)
    }

    // MARK: Errors of positions

    /// 30 km of walking: errors with a correlation time of 30 s are independent 500 times, so that the shares below are
    /// accurate to a few percent.
    private func errors(_ sensor: SensorOptions) throws -> (errors: [Double], walk: SyntheticWalk) {
        let events = [WalkSamples.event("a", 35, -120), WalkSamples.event("b", 35.27, -120)]
        let walk = try SyntheticWalk(through: WalkSamples.story(events), WalkOptions(speed: 2, sensor: sensor))
        let truth = Dictionary(walk.path.points.map { ($0.timestamp, $0.position) }) { first, _ in first }
        let errors = walk.track.points.dropFirst().map { point in
            truth[point.timestamp].map { WalkSamples.metres($0, point.position) } ?? .nan
        }
        return (errors, walk)
    }

    @Test func exactWithoutNoise() throws {
        let (errors, walk) = try errors(SensorOptions())
        #expect(errors.allSatisfy { $0 < 0.02 })
        #expect(walk.track.segments.count == 1 && walk.track == walk.path.withMotion(of: walk.track))
        // 60 m to the first event, 29955.7 m between the two (geographiclib), at 2 m/s.
        let seconds = (60 + 29_955.7) / 2
        #expect(abs(Double(errors.count) - seconds) < 50)
    }

    @Test func theNoiseIsARadiusOf95Percent() throws {
        let (errors, walk) = try errors(SensorOptions(noise: 8, seed: 3))
        let share = Double(errors.count { $0 <= 8 }) / Double(errors.count)
        #expect(abs(share - 0.95) < 0.03)
        // The median of a Rayleigh distribution is σ·√(2·ln 2), with σ = 8 m / √(−2·ln 0.05).
        let median = errors.sorted()[errors.count / 2]
        #expect(abs(median - 3.848) < 0.4)
        #expect(walk.track.points.allSatisfy { (6.4...9.6).contains($0.accuracy ?? 0) })
    }

    /// The correlation of an error with that of 30 s later is 1/e.
    @Test func theNoiseWanders() throws {
        let walk = try errors(SensorOptions(noise: 8, seed: 4)).walk
        let north = zip(walk.track.points, walk.path.points).dropFirst().map {
            ($0.position.latitude - $1.position.latitude) * 110_940
        }
        let variance = north.reduce(0) { $0 + $1 * $1 } / Double(north.count)
        func correlation(_ lag: Int) -> Double {
            zip(north, north.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / Double(north.count - lag) / variance
        }
        #expect(abs(correlation(30) - 0.368) < 0.1)
        #expect(correlation(1) > 0.95)
        #expect(abs(correlation(300)) < 0.15)
    }

    @Test func outliersJump() throws {
        let errors = try errors(SensorOptions(noise: 4, outliers: 0.02, seed: 5)).errors
        let jumps = errors.filter { $0 > 30 }
        #expect(abs(Double(jumps.count) / Double(errors.count) - 0.02) < 0.004)
        #expect(jumps.allSatisfy { (40...310).contains($0) })
    }

    @Test func theFirstFixIsJunk() throws {
        let walk = try errors(SensorOptions(noise: 8)).walk
        let first = try #require(walk.track.points.first), truth = try #require(walk.path.points.first)
        #expect((280...1020).contains(WalkSamples.metres(first.position, truth.position)))
    }

    /// The signal is lost for 30 s, once in five minutes of signal.
    @Test func theSignalIsLost() throws {
        let walk = try errors(SensorOptions(dropouts: 30, seed: 6)).walk
        let gaps = zip(walk.track.segments, walk.track.segments.dropFirst()).map { before, after in
            guard let end = before.last?.timestamp, let start = after.first?.timestamp else { return 0.0 }
            return start.seconds(since: end)
        }
        // Two dropouts may follow each other directly.
        #expect(gaps.allSatisfy { [31, 61, 91].contains($0) })
        #expect((30...70).contains(gaps.count))
    }

    // MARK: Limits

    @Test(arguments: [
        WalkOptions(speed: 0), WalkOptions(speed: .nan), WalkOptions(rate: 51),
        WalkOptions(sensor: SensorOptions(noise: -1)), WalkOptions(sensor: SensorOptions(noise: .infinity)),
        WalkOptions(sensor: SensorOptions(outliers: 0.6)), WalkOptions(sensor: SensorOptions(dropouts: 4000)),
    ])
    func refusesOptionsOutOfRange(options: WalkOptions) {
        let error = #expect(throws: MediaError.self) {
            try SyntheticWalk(through: WalkSamples.story([WalkSamples.event("a", 0, 0)]), options)
        }
        #expect(error?.kind == .parameter)
    }

    @Test func refusesToWalkRoundTheEarth() {
        let events = [WalkSamples.event("a", 0, 0), WalkSamples.event("b", 0, 179)]
        let error = #expect(throws: MediaError.self) { try SyntheticWalk(through: WalkSamples.story(events)) }
        #expect(error?.code == .tooLong)
        #expect(throws: MediaError.self) { try SyntheticWalk(through: WalkSamples.story([])) }
    }

    @Test func walksAcrossTheAntimeridianAndThePole() throws {
        for events in [
            [WalkSamples.event("a", 0, 179.9995), WalkSamples.event("b", 0, -179.9995)],
            [WalkSamples.event("a", 89.9995, 0), WalkSamples.event("b", 89.9995, 180)],
        ] {
            let walk = try SyntheticWalk(through: WalkSamples.story(events))
            #expect(walk.visits.map(\.event) == ["a", "b"])
            // 60 m to the first and 111.3 or 111.7 m to the second, at 1.4 m/s, and two pauses.
            #expect((130...160).contains(walk.track.points.count))
            #expect(walk.track.points.allSatisfy { abs($0.position.longitude) <= 180 && $0.position.latitude <= 90 })
        }
    }
}

extension Track {
    /// Returns the same positions and times with the motion values of another track.
    fileprivate func withMotion(of other: Track) -> Track {
        var track = self
        track.segments = zip(segments, other.segments).map { own, others in
            zip(own, others).map { point, other in
                Point(point.position, timestamp: point.timestamp, speed: other.speed, course: other.course)
            }
        }
        return track
    }
}
