import TestSupport
import Testing
import WayreelCore
import WayreelLevels

@Suite struct LevelRecorderTests {
    static let layouts: [(AudioBlock.SampleType, Bool)] =
        [.int16, .int32, .float32].flatMap { [($0, false), ($0, true)] }

    /// Compared with sums in plain loops, for each type, layout and number of channels, and for any blocks.
    @Test(arguments: layouts, [1, 2, 3, 6, 8])
    func readingsAreThoseOfTheFormula(_ layout: (AudioBlock.SampleType, Bool), channels: Int) throws {
        let audio = TestAudio.noise(channels: channels, count: 3011, seed: UInt64(channels))
        var measurement = LevelMeasurement(grid: .samples(190))
        measurement.channels = .all
        let levels = try audio.levels(measurement, layout.0, interleaved: layout.1)
        #expect(levels.bucketCount == 16)
        #expect(levels.sampleCount == 3011)
        #expect(levels.format.channels.count == channels)
        let scale = TestAudio.fullScale(layout.0)
        for (channel, samples) in audio.stored(layout.0).enumerated() {
            for bucket in 0..<16 {
                let part = samples[bucket * 190..<min(bucket * 190 + 190, 3011)].map { $0 / scale }
                let energy = part.reduce(0) { $0 + $1 * $1 }
                #expect(try levels.values(.minimum, channel: channel)[bucket] == Float(part.min()!))
                #expect(try levels.values(.maximum, channel: channel)[bucket] == Float(part.max()!))
                let rms = (energy / Double(part.count)).squareRoot()
                #expect(try abs(Double(levels.values(.rms, channel: channel)[bucket]) - rms) < 1e-7)
            }
        }
    }

    /// The same bits for any division of the samples into blocks.
    @Test(arguments: layouts, [nil] + MeterBallistics.allCases.map(Optional.some))
    func blocksDoNotMatter(_ layout: (AudioBlock.SampleType, Bool), meter: MeterBallistics?) throws {
        var random = SeededRandom(seed: 7)
        for channels in [1, 2, 3] {
            let audio = TestAudio.noise(channels: channels, count: 5003, seed: 9)
            for grid in [LevelGrid.rate(Rational(2997, 100)!), .points(77)] {
                var measurement = LevelMeasurement(grid: grid)
                measurement.meter = meter
                measurement.channels = .all
                let whole = try audio.levels(measurement, layout.0, interleaved: layout.1, blockLength: .max)
                let cut = try audio.levels(measurement, layout.0, interleaved: layout.1) {
                    Int.random(in: 1...97, using: &random)
                }
                #expect(try whole.table == cut.table)
            }
        }
    }

    /// A click is in the bucket of its time, at the beginning and after some hours.
    @Test(arguments: ["30", "29.97", "60", "7.3", "30000/1001"], [(11_025, 10.01), (44_100, 0.5), (48_000, 0.5)])
    func clicksAreInTheirBuckets(rate: String, audio: (sampleRate: Int, hours: Double)) throws {
        let sampleRate = audio.sampleRate
        let rate = try #require(Rational(rate))
        let silence = [Int16](repeating: 0, count: 1 << 20)
        let recorder = try LevelRecorder(
            LevelMeasurement(grid: .rate(rate)),
            format: AudioFormat(sampleRate: sampleRate, channels: [.mono]))
        var position = 0
        func add(_ samples: [Int16], upTo count: Int) throws {
            try samples.withUnsafeBytes { bytes in
                try recorder.add(
                    AudioBlock(.int16, count: count, channelCount: 1, planes: [bytes.baseAddress!], start: position))
            }
            position += count
        }
        // The last sample before an edge, the first after it, and others.
        let later = Int(audio.hours * 3600 * rate.value)
        let edges = [1, 2, 29, 1001, later, later + 1].map { index in
            let exact = (index * rate.denominator * sampleRate).quotientAndRemainder(dividingBy: rate.numerator)
            return exact.quotient + (exact.remainder > 0 ? 1 : 0)
        }
        let clicks = [0] + edges.flatMap { [$0 - 1, $0] } + [edges.last! + 3]
        for click in clicks {
            while position < click { try add(silence, upTo: min(silence.count, click - position)) }
            try add([12_345], upTo: 1)
        }
        let levels = try recorder.finish()
        let peaks = try levels.peaks(channel: 0)
        let expected = Set(clicks.map { $0 * rate.numerator / (rate.denominator * sampleRate) })
        #expect(Set(peaks.indices.filter { peaks[$0] > 0 }) == expected)
        #expect(levels.bucketCount == expected.max()! + 1)
        #expect(levels.sampleCount == position)
    }

    @Test func theLastBucketIsKept() throws {
        let audio = TestAudio(samples: [Array(repeating: 0.25, count: 1001)])
        let levels = try audio.levels(LevelMeasurement(grid: .samples(100)))
        #expect(levels.bucketCount == 11)
        #expect(try levels.values(.rms, channel: 0).last == 0.25)
        #expect(try audio.levels(LevelMeasurement(grid: .samples(1001))).bucketCount == 1)
        #expect(try audio.levels(LevelMeasurement(grid: .samples(.max))).bucketCount == 1)
        #expect(try TestAudio(samples: [[]]).levels(LevelMeasurement(grid: .samples(7))).bucketCount == 0)
        #expect(try TestAudio(samples: [[]]).levels(LevelMeasurement(grid: .points(7))).bucketCount == 0)
    }

    @Test func paddingCountsWhereItIsAskedFor() throws {
        let samples: [Float] = [0.5, -0.25]
        for counts in [false, true] {
            var measurement = LevelMeasurement(grid: .samples(1))
            measurement.countsEndPadding = counts
            let recorder = try LevelRecorder(measurement, format: AudioFormat(sampleRate: 8000, channels: [.mono]))
            try samples.withUnsafeBytes { bytes in
                try recorder.add(
                    AudioBlock(.float32, count: 1, channelCount: 1, planes: [bytes.baseAddress!], start: 0))
                try recorder.add(
                    AudioBlock(
                        .float32, count: 1, channelCount: 1, planes: [bytes.baseAddress! + 4], start: 1,
                        isPadding: true))
            }
            let levels = try recorder.finish()
            #expect(levels.sampleCount == (counts ? 2 : 1))
            #expect(try levels.values(.minimum, channel: 0) == (counts ? [0.5, -0.25] : [0.5]))
        }
    }

    /// Each point holds its own samples and no others, for any length.
    @Test(
        arguments: [(1, 1000), (3, 1000), (999, 1000), (1000, 1000), (5000, 1000)]
            + [1, 7, 800, 60_000].flatMap { points in [65_535, 65_536, 131_073, 300_007].map { (points, $0) } })
    func pointsAreExact(points: Int, length: Int) throws {
        let audio = TestAudio.noise(channels: 2, count: length, seed: 4)
        let levels = try audio.levels(LevelMeasurement(grid: .points(points)))
        let count = min(points, length)
        #expect(levels.bucketCount == count)
        #expect(levels.grid == .points(count))
        for (channel, samples) in audio.stored(.float32).enumerated() {
            let low = try levels.values(.minimum, channel: channel)
            let high = try levels.values(.maximum, channel: channel)
            let rms = try levels.values(.rms, channel: channel)
            let wrong = (0..<count).filter { point in
                let part = samples[point * length / count..<(point + 1) * length / count]
                let energy = part.reduce(0) { $0 + $1 * $1 } / Double(part.count)
                return low[point] != Float(part.min()!) || high[point] != Float(part.max()!)
                    || abs(Double(rms[point]) - energy.squareRoot()) > 1e-6
            }
            #expect(wrong.isEmpty)
        }
    }

    /// Audio of another length than assumed is counted, so that it can be measured again.
    @Test(arguments: [0, 1, 999, 1001, 5000]) func wrongLengthsAreNoticed(assumed: Int) throws {
        let audio = TestAudio.noise(channels: 1, count: 1000, seed: 4)
        let recorder = try LevelRecorder(
            LevelMeasurement(grid: .points(10)), format: audio.format, sampleCount: assumed)
        try audio.forEachBlock(.float32, interleaved: false, length: { 97 }) { try recorder.add($0) }
        #expect(!recorder.isExact)
        #expect(recorder.sampleCount == 1000)
    }

    @Test func impossibleGridsAreRefused() {
        func refusal(_ grid: LevelGrid, channels: Int = 1) -> MediaError? {
            do {
                var measurement = LevelMeasurement(grid: grid)
                measurement.channels = .all
                _ = try LevelRecorder(
                    measurement,
                    format: AudioFormat(sampleRate: 8000, channels: AudioChannel.unnamed(count: channels)))
                return nil
            } catch { return error }
        }
        #expect(refusal(.rate(8000)) == nil)
        #expect(refusal(.rate(8001))?.kind == .parameter)
        #expect(refusal(.rate(Rational(1, .max)!))?.kind == .parameter)
        for size in [0, -1, .min] {
            #expect(refusal(.samples(size))?.kind == .parameter)
            #expect(refusal(.points(size))?.kind == .parameter)
        }
        #expect(refusal(.points(.max), channels: 64) == nil)
    }

    /// Silence is 0, not minus 0, in every field.
    @Test func silenceIsZero() throws {
        let audio = TestAudio(samples: [Array(repeating: -0.0, count: 5000), Array(repeating: 0, count: 5000)])
        for meter in MeterBallistics.allCases {
            var measurement = LevelMeasurement(grid: .samples(480))
            measurement.meter = meter
            let levels = try audio.levels(measurement)
            #expect(try levels.table.joined().allSatisfy { $0 == 0 && $0.sign == .plus })
        }
    }

    /// The largest floats leave every reading finite.
    @Test(arguments: ChannelSelection.allCases, MeterBallistics.allCases)
    func hugeSamplesStayFinite(_ selection: ChannelSelection, meter: MeterBallistics) throws {
        let limit = Double(Float.greatestFiniteMagnitude)
        let audio = TestAudio(
            samples: [
                [limit, limit, -limit, limit], [limit, limit, -limit, -limit], [limit, -limit, -limit, -limit],
            ],
            names: [.left, .right, .center])
        var measurement = LevelMeasurement(grid: .samples(2))
        measurement.channels = selection
        measurement.meter = meter
        #expect(try audio.levels(measurement).table.joined().allSatisfy(\.isFinite))
        measurement.int16Rounding = .truncated
        #expect(try audio.levels(measurement).table.joined().allSatisfy { abs($0) <= 1.2 })
    }
}
