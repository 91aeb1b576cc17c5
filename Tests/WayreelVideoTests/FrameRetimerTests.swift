internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// PTS and durations of synthetic frames; expected values are computed by hand.
@Suite struct FrameRetimerTests {
    private typealias Span = FrameRepeats.Span

    private static let milliseconds = Rational(1, 1000) ?? 1
    private static let at25 = FrameTiming(grid: 25, timeBase: Rational(1, 25) ?? 1)

    private static func retimer(
        _ timing: FrameTiming, seconds: Double? = nil, frameRate: Rational? = 25, range: Double? = nil,
        heldUntil: Double = 0
    ) -> FrameRetimer {
        FrameRetimer(
            timing, clock: FrameClock(timing, seconds: seconds, frameRate: frameRate), rangeSeconds: range,
            heldUntil: heldUntil)
    }

    /// Returns all copies of all frames, and whether the range has ended.
    private static func spans(
        _ retimer: inout FrameRetimer, _ frames: [(seconds: Double, duration: Double)]
    ) -> (spans: [Span], hasEnded: Bool) {
        var spans: [Span] = []
        for frame in frames {
            switch retimer.add(FrameRetimer.Input(seconds: frame.seconds, duration: frame.duration)) {
            case .dropped: break
            case .kept(_, let previous): spans += previous.map(Array.init) ?? []
            case .ended(let previous):
                spans += previous.map(Array.init) ?? []
                return (spans, true)
            }
        }
        spans += retimer.finish().map(Array.init) ?? []
        return (spans, false)
    }

    @Test func timestampsAreRoundedToTheGrid() {
        var retimer = Self.retimer(Self.at25)
        let made = Self.spans(&retimer, [(0, 0.04), (0.041, 0.04), (0.079, 0.04), (0.12, 0.04)])
        #expect(made.spans == (0..<4).map { Span(pts: $0, end: $0 + 1) } && !made.hasEnded)
    }

    @Test func ofTwoFramesAtOneTimestampTheLaterIsDropped() {
        var retimer = Self.retimer(Self.at25)
        let made = Self.spans(&retimer, [(0, 0.04), (0.04, 0.04), (0.045, 0.04), (0.12, 0.04)])
        #expect(made.spans == [Span(pts: 0, end: 1), Span(pts: 1, end: 3), Span(pts: 3, end: 4)])
        #expect(retimer.clock.state.collisions == 1 && retimer.clock.state.dropped == 1)
    }

    /// A gap of constant frame rate is filled with the frame before it.
    @Test func aMissingFrameIsReplacedByTheOneBefore() {
        var timing = Self.at25
        timing.repeatInterval = 0.04
        var retimer = Self.retimer(timing)
        let made = Self.spans(&retimer, [(0, 0.04), (0.12, 0.04)])
        #expect(made.spans == (0..<4).map { Span(pts: $0, end: $0 + 1) })
    }

    /// There are no frames beyond the length of the file: frames after a jump follow without a gap.
    @Test func timestampsThatJumpFollowWithoutAGap() {
        var retimer = Self.retimer(Self.at25, seconds: 10)
        let made = Self.spans(&retimer, [(0, 0.04), (0.04, 0.04), (1000, 0.04), (1000.04, 0.04)])
        #expect(made.spans.map(\.pts) == [0, 1, 2, 3] && retimer.clock.state.jumps == 1)
    }

    @Test func framesBehindTheRangeEndIt() {
        var retimer = Self.retimer(Self.at25, range: 0.1)
        let made = Self.spans(&retimer, (0..<9).map { (Double($0) / 25, 0.04) })
        // 2.5 frames are rounded to three.
        #expect(made.spans == (0..<3).map { Span(pts: $0, end: $0 + 1) } && made.hasEnded)
    }

    @Test func theLastFrameIsHeldAndRepeated() {
        let timing = FrameTiming(grid: nil, timeBase: Self.milliseconds, repeatInterval: 0.5)
        var retimer = Self.retimer(timing, heldUntil: 2)
        let made = Self.spans(&retimer, [(0, 0.04)])
        #expect(made.spans == [0, 500, 1000, 1500].map { Span(pts: $0, end: $0 + 500) })
        #expect(abs(retimer.heldSeconds - 1.96) < 1e-9)
    }

    /// The last frame lasts as long as the audio, 600 frames of 20 s; a little more audio is that of its encoder.
    @Test(arguments: [(20.0, 600), (0.2, 1), (0.28, 1), (0.3, 9)])
    func theLastFrameLastsAsLongAsTheAudio(audio: Double, count: Int) {
        let timing = FrameTiming(grid: 30, timeBase: Rational(1, 30)!, repeatInterval: 1.0 / 30)
        var retimer = Self.retimer(timing, heldUntil: audio)
        let made = Self.spans(&retimer, [(0, 1.0 / 30)])
        #expect(made.spans.count == count && made.spans.last?.end == Int64(count))
    }

    /// At a variable rate, the last frame has its own duration, or that of the preceding one, but ends with the file.
    @Test(arguments: [(0.03, nil, 70), (0, nil, 80), (0.03, 0.02, 60), (0, 0.025, 65)] as [(Double, Double?, Int64)])
    func theLastFrameEndsWithTheFile(duration: Double, left: Double?, end: Int64) {
        var retimer = Self.retimer(FrameTiming(grid: nil, timeBase: Self.milliseconds))
        _ = retimer.add(FrameRetimer.Input(seconds: 0, duration: 0.04))
        _ = retimer.add(FrameRetimer.Input(seconds: 0.04, duration: duration, secondsLeft: left))
        #expect(retimer.finish().map(Array.init) == [Span(pts: 40, end: end)])
    }

    /// Damaged files contain such durations, which count as unknown.
    @Test(arguments: [-1, -1e9, -1e300, Double(Int64.min), 1e300, .infinity, .nan])
    func durationsThatCannotBeAreUnknown(duration: Double) {
        var retimer = Self.retimer(FrameTiming(grid: nil, timeBase: Self.milliseconds))
        let made = Self.spans(&retimer, [(0, duration), (0.04, duration)])
        #expect(made.spans == [Span(pts: 0, end: 40), Span(pts: 40, end: 80)])
    }

    @Test(arguments: [-1e300, -1, 1e10, 1e300, .infinity, .nan]) func timesThatCannotBeAreDropped(seconds: Double) {
        var retimer = Self.retimer(Self.at25)
        guard case .dropped = retimer.add(FrameRetimer.Input(seconds: seconds, duration: 0.04)) else {
            Issue.record("a frame at \(seconds) s is kept")
            return
        }
        #expect(retimer.finish() == nil)
    }

    /// With a maximum of 30, half of 60 frames per second are kept.
    @Test func aCapKeepsTheFirstFrameOfEachStep() {
        let timing = FrameTiming(grid: 30, cap: 30, timeBase: Rational(1, 30) ?? 1)
        var retimer = Self.retimer(timing, frameRate: 60)
        let made = Self.spans(&retimer, (0..<60).map { (Double($0) / 60, 1.0 / 60) })
        #expect(made.spans.map(\.pts) == Array(0..<30))
        #expect(retimer.clock.state.dropped == 30 && retimer.clock.state.collisions == 0)
    }

    /// At 29.97 frames/s, ten seconds are 299.7 frames: an interval begins with the first frame that is not before them.
    @Test func intervalsBeginWithWholeFrames() {
        var chunks = IntervalSchedule(every: 10)
        let first = (0..<1000).filter { chunks.interval(startingAt: Double($0 * 1001) / 30_000) != nil }
        #expect(first == [0, 300, 600, 900])
        var sparse = IntervalSchedule(every: 10)
        #expect([0, 9.999, 34, 35, 40].map { sparse.interval(startingAt: $0) } == [0, nil, 3, nil, 4])
    }
}
