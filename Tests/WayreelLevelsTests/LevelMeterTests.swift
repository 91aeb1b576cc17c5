import Glibc
import Synchronization
import TestSupport
import Testing
import WayreelCore
import WayreelLevels

@Suite struct LevelMeterTests {
    private static let stereo = AudioFormat(sampleRate: 44_100, channels: [.left, .right])

    /// Runs `body` on a separate thread; the returned function waits for its end.
    private func thread(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let worker = Worker(body)
        return { worker.join() }
    }

    private func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }

    /// Returns the levels of interleaved samples by their definition.
    private func levels(
        _ samples: ArraySlice<Float>, channel: Int, of channelCount: Int
    ) -> (minimum: Float, maximum: Float, rms: Double) {
        let own = stride(from: samples.startIndex + channel, to: samples.endIndex, by: channelCount).map { samples[$0] }
        let energy = own.reduce(0) { $0 + Double($1) * Double($1) }
        return (own.min()!, own.max()!, (energy / Double(own.count)).squareRoot())
    }

    // MARK: Polling

    /// Each click has a different height: every click is seen once, for any interleaving of the two threads.
    @Test(arguments: [1, 7, 64, 1024]) func noPeakIsLostBetweenPolls(bufferSize: Int) throws {
        let meter = try LevelMeter(format: Self.stereo)
        let clicks = 2000
        let isOver = Atomic<Bool>(false)
        let join = thread {
            for click in 1...clicks {
                var samples = [Float](repeating: 0, count: 2 * bufferSize)
                // While the reader is slower than the clicks, later ones are higher: the last click of a poll is its
                // peak.
                samples[2 * (click % bufferSize)] = Float(click) / Float(clicks)
                samples[2 * (click % bufferSize) + 1] = -Float(click) / Float(clicks)
                try? meter.add(samples)
                if click.isMultiple(of: 50) { usleep(200) }
            }
            isOver.store(true, ordering: .releasing)
        }
        var (last, seconds, index) = (Float(0), 0.0, 0)
        var isLast = false
        while !isLast {
            isLast = isOver.load(ordering: .acquiring)
            guard let reading = meter.read() else { continue }
            // Clicks rise, so that the highest of this poll is the last one, whose number follows from the time.
            seconds += reading.duration
            let latest = Int((seconds * 44_100).rounded()) / bufferSize
            #expect(reading.channels[0].maximum == Float(latest) / Float(clicks))
            #expect(reading.channels[1].minimum == -Float(latest) / Float(clicks))
            #expect(reading.channels[0].maximum > last && reading.index == index && reading.merged == 0)
            (last, index) = (reading.channels[0].maximum, index + 1)
        }
        join()
        #expect(last == 1)
        #expect(meter.read() == nil)
    }

    /// The energy of all polls together equals that of all samples of all producers, and the highest peak is included.
    @Test func severalProducers() throws {
        let meter = try LevelMeter(format: AudioFormat(sampleRate: 48_000, channels: [.mono]))
        let (producers, buffers, size) = (4, 500, 96)
        let joins = (0..<producers).map { producer in
            thread {
                let samples = [Float](repeating: Float(producer + 1) / 8, count: size)
                for _ in 0..<buffers { try? meter.add(samples) }
            }
        }
        var (count, energy, peak) = (0, 0.0, Float(0))
        func take(_ reading: LiveReading) {
            let samples = (reading.duration * 48_000).rounded()
            count += Int(samples)
            energy += pow(Double(reading.channels[0].rms), 2) * samples
            peak = max(peak, reading.channels[0].peak)
        }
        while count < producers * buffers * size {
            if let reading = meter.read() { take(reading) }
        }
        joins.forEach { $0() }
        #expect(count == producers * buffers * size)
        #expect(peak == 0.5)
        let expected = (1...producers).reduce(0) { $0 + pow(Double($1) / 8, 2) } * Double(buffers * size)
        #expect(abs(energy / expected - 1) < 1e-5)
    }

    // MARK: The grid

    @Test(arguments: ["30", "60", "29.97", "150", "44100", "0.7"], [1, 2, 6])
    func readingsAreThoseOfTheirBuckets(rate: String, channelCount: Int) throws {
        let rate = try #require(Rational(rate))
        let format = AudioFormat(sampleRate: 44_100, channels: AudioChannel.unnamed(count: channelCount))
        let samples = noise(44_100 * channelCount, seed: 7)
        let meter = try LevelMeter(format: format)
        let readings = try meter.readings(rate: rate, secondsKept: 2)
        var random = SeededRandom(seed: UInt64(channelCount))
        var begin = 0
        var results: [LiveReading] = []
        while begin < samples.count {
            let end = min(samples.count, begin + channelCount * Int.random(in: 0...3000, using: &random))
            try meter.add(Array(samples[begin..<end]))
            while let reading = readings.poll() { results.append(reading) }
            // Readings are available as soon as their last sample is added.
            let complete = (end / channelCount) * rate.numerator / (44_100 * rate.denominator)
            #expect(results.count == complete)
            begin = end
        }
        meter.finish()
        while let reading = readings.poll() { results.append(reading) }
        let edge = { (index: Int) in
            min(44_100, (index * 44_100 * rate.denominator + rate.numerator - 1) / rate.numerator)
        }
        #expect(edge(results.count) == 44_100 && edge(results.count - 1) < 44_100)
        for (index, reading) in results.enumerated() {
            let bucket = edge(index)..<edge(index + 1)
            #expect(reading.index == index && reading.merged == 0)
            #expect(reading.time == Double(bucket.lowerBound) / 44_100)
            #expect(reading.duration == Double(bucket.count) / 44_100)
            for channel in 0..<channelCount {
                let expected = levels(
                    samples[bucket.lowerBound * channelCount..<bucket.upperBound * channelCount], channel: channel,
                    of: channelCount)
                let level = reading.channels[channel]
                #expect(level.minimum == expected.minimum && level.maximum == expected.maximum)
                #expect(abs(Double(level.rms) - expected.rms) < 1e-6)
                #expect(level.peak == max(abs(expected.minimum), abs(expected.maximum)))
            }
        }
        #expect(results.last?.isPartial == !(44_100 * rate.numerator).isMultiple(of: 44_100 * rate.denominator))
        #expect(results.dropLast().allSatisfy { !$0.isPartial })
    }

    /// Of 200 readings, 20 are kept: the first one merges the 181 oldest, so that no peak is lost.
    @Test func overflowKeepsPeaks() throws {
        let meter = try LevelMeter(format: AudioFormat(sampleRate: 1000, channels: [.mono]))
        let readings = try meter.readings(rate: 10, secondsKept: 2)
        for bucket in 0..<200 {
            var samples = [Float](repeating: 0, count: 100)
            samples[bucket % 100] = bucket == 37 ? -0.9 : Float(bucket) / 1000
            try meter.add(samples)
        }
        let oldest = try #require(readings.poll())
        #expect(oldest.index == 0 && oldest.merged == 180 && oldest.time == 0 && abs(oldest.duration - 18.1) < 1e-9)
        #expect(oldest.channels[0].minimum == -0.9 && oldest.channels[0].maximum == 0.18)
        let energy = (0...180).reduce(0.81) { $0 + ($1 == 37 ? 0 : pow(Double($1) / 1000, 2)) }
        #expect(abs(Double(oldest.channels[0].rms) - (energy / 18_100).squareRoot()) < 1e-6)
        for bucket in 181..<200 {
            let reading = try #require(readings.poll())
            #expect(reading.index == bucket && reading.merged == 0)
            #expect(reading.channels[0].maximum == Float(bucket) / 1000)
        }
        #expect(readings.poll() == nil)
    }

    /// A listener that starts within a bucket receives only the following ones.
    @Test func readingsStartWithAWholeBucket() throws {
        let meter = try LevelMeter(format: AudioFormat(sampleRate: 1000, channels: [.mono]))
        try meter.add([Float](repeating: 1, count: 150))
        let late = try meter.readings(rate: 10)
        try meter.add([Float](repeating: 0.5, count: 150))
        let reading = try #require(late.poll())
        #expect(reading.index == 2 && reading.time == 0.2 && reading.channels[0].maximum == 0.5)
        #expect(late.poll() == nil)
        let exact = try meter.readings(rate: 10)
        try meter.add([Float](repeating: 0.25, count: 100))
        #expect(exact.poll()?.index == 3)
        #expect(late.poll()?.index == 3)
    }

    /// The digital meter falls by 20 dB in 1.7 s; its maximum in a bucket is at the first sample.
    @Test func meterStateFallsAcrossReadings() throws {
        let meter = try LevelMeter(format: Self.stereo, ballistics: .digital)
        let readings = try meter.readings(rate: 30)
        var samples = [Float](repeating: 0, count: 2 * 44_100)
        samples[0] = 1
        samples[2 * 22_050 + 1] = -0.5
        for begin in stride(from: 0, to: samples.count, by: 2 * 252) {
            try meter.add(Array(samples[begin..<min(samples.count, begin + 2 * 252)]))
        }
        for bucket in 0..<30 {
            let reading = try #require(readings.poll())
            let seconds = Double(bucket) / 30
            #expect(abs(Double(reading.channels[0].meter) - pow(10, -seconds / 1.7)) < 1e-4)
            let second = bucket < 15 ? 0 : 0.5 * pow(10, (0.5 - seconds) / 1.7)
            #expect(abs(Double(reading.channels[1].meter) - second) < 1e-4)
            // The peak is held for a second and a half.
            #expect(reading.channels[0].hold == 1)
        }
        // Polling returns the maximum of the meter.
        #expect(meter.read()?.channels[0].meter == 1)
    }

    // MARK: Waiting

    @Test func threadWaits() throws {
        let meter = try LevelMeter(format: AudioFormat(sampleRate: 1000, channels: [.mono]))
        let readings = try meter.readings(rate: 100)
        let before = Clock.wall
        #expect(readings.wait(seconds: 0.02) == nil)
        #expect(Clock.wall - before >= 0.02)
        #expect(readings.wait(seconds: -1) == nil && readings.wait(seconds: .nan) == nil)
        let join = thread {
            for _ in 0..<50 {
                usleep(500)
                try? meter.add([Float](repeating: 0.1, count: 10))
            }
            meter.finish()
        }
        var indices: [Int] = []
        while let reading = readings.wait() { indices.append(reading.index) }
        join()
        #expect(indices == Array(0..<50))
        #expect(readings.isFinished)
    }

    @Test func taskIterates() async throws {
        let meter = try LevelMeter(format: AudioFormat(sampleRate: 1000, channels: [.mono]))
        let readings = try meter.readings(rate: 100)
        let join = thread {
            for _ in 0..<50 {
                usleep(300)
                try? meter.add([Float](repeating: 0.1, count: 10))
            }
            try? meter.add([0.5])
            meter.finish()
        }
        var indices: [Int] = []
        for await reading in readings { indices.append(reading.index) }
        join()
        #expect(indices == Array(0...50))
    }

    @Test func cancellationEndsTheWait() async throws {
        let meter = try LevelMeter(format: Self.stereo)
        let readings = try meter.readings(rate: 60)
        let task = Task {
            for await _ in readings {}
            return Task.isCancelled
        }
        try await Task.sleep(for: .milliseconds(5))
        task.cancel()
        #expect(await task.value)
        // The readings continue.
        try meter.add([Float](repeating: 0, count: 2 * 735))
        #expect(readings.poll() != nil)
        let join = thread {
            usleep(2000)
            readings.cancel()
        }
        #expect(wait(for: readings) == nil && readings.isFinished)
        join()
        try meter.add([Float](repeating: 0, count: 2 * 735))
        #expect(readings.poll() == nil)
    }

    /// Also blocks the thread of a task, but no longer than the test takes.
    private func wait(for readings: LiveReadings) -> LiveReading? { readings.wait() }

    @Test func readingsEndWithTheirMeter() async throws {
        var meter: LevelMeter? = try LevelMeter(format: Self.stereo)
        let readings = try #require(try meter?.readings(rate: 60))
        meter = nil
        #expect(wait(for: readings) == nil)
        var count = 0
        for await _ in readings { count += 1 }
        #expect(count == 0)
    }

    // MARK: Samples

    @Test func everyLayoutReadsTheSame() throws {
        let floats = noise(2 * 999, seed: 3).map { ($0 * 32_768).rounded() / 32_768 }.map { min($0, 32_767 / 32_768) }
        let words = floats.map { Int16($0 * 32_768) }
        func read(_ add: (LevelMeter) throws -> Void) throws -> LiveReading {
            let meter = try LevelMeter(format: Self.stereo)
            try add(meter)
            return try #require(meter.read())
        }
        func planes<Sample>(_ samples: [Sample]) -> [[Sample]] {
            (0..<2).map { channel in stride(from: channel, to: samples.count, by: 2).map { samples[$0] } }
        }
        let expected = (0..<2).map { levels(floats[...], channel: $0, of: 2) }
        for reading in [
            try read { try $0.add(floats) }, try read { try $0.add(words) },
            try read { try $0.add(planes: planes(floats)) },
            try read { try $0.add(planes: planes(words)) },
        ] {
            for (level, expected) in zip(reading.channels, expected) {
                #expect(level.minimum == expected.minimum && level.maximum == expected.maximum)
                #expect(abs(Double(level.rms) - expected.rms) < 1e-6)
            }
        }
    }

    /// Six channels to two, by the weights of BS.775: the centre and the surrounds at √½, without the low frequencies.
    @Test func channelsAreSelected() throws {
        let format = AudioFormat(
            sampleRate: 48_000, channels: [.left, .right, .center, .lowFrequency, .backLeft, .backRight])
        let frame: [Float] = [0.1, 0.2, 0.3, 0.9, 0.04, 0.05]
        let samples = Array(repeating: frame, count: 3000).flatMap(\.self)
        let half = Float(0.5).squareRoot()
        for (selection, expected) in [
            (ChannelSelection.all, frame), (.mono, [frame.reduce(0, +) / 6]),
            (.stereo, [0.1 + half * (0.3 + 0.04), 0.2 + half * (0.3 + 0.05)]),
        ] {
            let meter = try LevelMeter(format: format, channels: selection)
            let readings = try meter.readings(rate: 30)
            try meter.add(samples)
            let levels = try #require(meter.read()).channels
            #expect(levels.count == expected.count && meter.channels.count == expected.count)
            #expect(readings.poll()?.channels.map(\.maximum) == levels.map(\.maximum))
            for (level, expected) in zip(levels, expected) { #expect(abs(level.maximum - expected) < 1e-6) }
        }
    }

    @Test func nonFiniteSamplesCountAsZero() throws {
        let meter = try LevelMeter(format: Self.stereo, ballistics: .vu)
        try meter.add([.nan, 0.25, 0.5, .infinity, -.infinity, -0.125, .signalingNaN, 0])
        let reading = try #require(meter.read())
        #expect(reading.channels[0].minimum == 0 && reading.channels[0].maximum == 0.5)
        #expect(reading.channels[1].minimum == -0.125 && reading.channels[1].maximum == 0.25)
        #expect(reading.channels[0].rms == 0.25)
        try meter.add([0, 0] as [Float])
        #expect(meter.read()?.channels[0].meter.isFinite == true)
    }

    @Test func misuseIsRejected() throws {
        let meter = try LevelMeter(format: Self.stereo)
        #expect(throws: MediaError.self) { try meter.add([Float](repeating: 0, count: 3)) }
        #expect(throws: MediaError.self) { try meter.add(planes: [[Float]()]) }
        let long = [Float](repeating: 0, count: 9)
        #expect(throws: MediaError.self) { try meter.add(planes: [long, Array(long.dropLast())]) }
        #expect(throws: MediaError.self) { try meter.readings(rate: 44_101) }
        #expect(throws: MediaError.self) { try meter.readings(rate: Rational(1, .max)!) }
        try meter.add([Float]())
        #expect(meter.read() == nil)
        meter.finish()
        meter.finish()
        #expect(throws: MediaError.self) { try meter.add([0, 0] as [Float]) }
        #expect(try meter.readings(rate: 30).wait() == nil)
        for format in [
            AudioFormat(sampleRate: 0, channels: [.mono]), AudioFormat(sampleRate: 44_100, channels: []),
            AudioFormat(sampleRate: 44_100, channels: AudioChannel.unnamed(count: 65)),
        ] {
            #expect(throws: MediaError.self) { try LevelMeter(format: format) }
        }
    }
}
