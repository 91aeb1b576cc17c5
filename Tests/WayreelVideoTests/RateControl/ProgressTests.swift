internal import Synchronization
internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Progress never goes back.
@Suite struct ProgressTests {
    @Test func workThatIsRepeatedDoesNotGoBack() {
        let meter = ProgressMeter(total: 10)
        let states = [2, 6, 10, 1, 4, 10.5].map { meter.state(at: $0) }
        #expect(states.map(\.fraction) == [0.2, 0.6, 1, 1, 1, 1])
        #expect(states.map(\.seconds) == [2, 6, 10, 10, 10, 10.5])
        // Of the second round, nine seconds are left.
        #expect(states[4].secondsLeft.map { $0 > 0 } == true && states[2].secondsLeft == 0)
    }

    @Test func withoutALengthTheSecondsDoNotGoBack() {
        let meter = ProgressMeter(total: nil)
        let states = [3, 1, 4].map { meter.state(at: $0) }
        #expect(states.map(\.seconds) == [3, 3, 4] && states.allSatisfy { $0.fraction == nil })
    }

    /// Each encoding takes 90 % of what is left: 0.9, 0.09, 0.009 of the whole.
    @Test func everyEncodingAdvances() {
        var repeated = RepeatedProgress(total: 100)
        let ends = (0..<5).map { _ in
            let position = repeated.next()
            return (position(0), position(50), position(100))
        }
        for (index, end) in ends.enumerated() {
            let start = index == 0 ? 0 : ends[index - 1].2
            #expect(abs(end.0 - start) < 1e-9 && end.1 > end.0 && end.2 > end.1 && end.2 < 100)
        }
        #expect(abs(ends[0].2 - 90) < 1e-9 && abs(ends[1].2 - 99) < 1e-9 && abs(ends[2].2 - 99.9) < 1e-9)
        // After a first pass of 30 %.
        var second = RepeatedProgress(total: 100, from: 30)
        #expect(abs(second.next()(100) - 93) < 1e-9)
        // An encoder may report more than the length.
        var longer = RepeatedProgress(total: 100)
        #expect(abs(longer.next()(120) - 90) < 1e-9)
    }

    /// Audio of 60 s at 128 kb/s takes about 1 MB, so that half of it needs a second encoding.
    @Test func anEncodingThatIsRepeatedDoesNotGoBack() throws {
        try Fixture.withFolder { folder in
            let maxBytes = 400_000
            let options = TranscodeOptions(video: VideoSettings(rate: .maxBytes(maxBytes)))
            let fractions = Mutex<[Double]>([])
            let video = try TranscodePipeline(options).run(
                Fixture.media("radio/bunny.mp3"), to: "\(folder)/out.m4a", task: TaskContext()
            ) { state in fractions.withLock { $0.append(state.fraction ?? -1) } }
            #expect(video.bytes <= maxBytes)
            let seen = fractions.withLock(\.self)
            #expect(seen == seen.sorted() && seen.first.map { $0 >= 0 } == true, "\(seen)")
            // The end of the second encoding, of which the first one took 90 %.
            #expect(seen.contains { abs($0 - 0.9) < 0.02 } && seen.contains { $0 > 0.95 && $0 < 1 }, "\(seen)")
        }
    }
}
