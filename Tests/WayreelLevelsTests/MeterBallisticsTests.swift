internal import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelLevels

/// Each meter compared with the definition of its ballistics, in dB.
@Suite struct MeterBallisticsTests {
    static let sampleRates = [44_100, 48_000, 96_000]

    private func decibels(_ value: Float) -> Double { 20 * log10(Double(value)) }

    /// Returns the displayed levels of audio, sample by sample or in longer buckets.
    private func levels(
        _ meter: MeterBallistics, _ samples: [Double], sampleRate: Int, bucket: Int = 1
    ) throws -> (meter: [Float], hold: [Float]) {
        var measurement = LevelMeasurement(grid: .samples(bucket))
        measurement.meter = meter
        let levels = try TestAudio(samples: [samples], sampleRate: sampleRate).levels(measurement)
        return try (levels.values(.meter, channel: 0), levels.values(.hold, channel: 0))
    }

    /// The tables of IEC 60268-10: the highest reading of a burst of 5 kHz, relative to that of the steady tone.
    @Test(
        arguments: [
            (MeterBallistics.ppm1, [(10e-3, -1.0, 0.5), (5e-3, -2, 1), (3e-3, -4, 1), (0.4e-3, -15, 4)]),
            (.ppm2, [(100e-3, 0.0, 0.5), (10e-3, -2.5, 0.5), (5e-3, -4, 0.75), (1.5e-3, -9, 1), (0.5e-3, -17, 2)]),
        ], sampleRates)
    func burstsReadAsTheStandardSays(
        _ meter: (MeterBallistics, [(seconds: Double, decibels: Double, tolerance: Double)]), sampleRate: Int
    ) throws {
        for amplitude in [1, 0.1] {
            for burst in meter.1 {
                let tone = TestAudio.sine(5000, seconds: burst.seconds, amplitude: amplitude, sampleRate: sampleRate)
                let read = try levels(meter.0, tone + Array(repeating: 0, count: 4800), sampleRate: sampleRate)
                let indication = decibels(read.meter.max()! / Float(amplitude))
                #expect(abs(indication - burst.decibels) < burst.tolerance, "\(burst): \(indication)")
            }
        }
    }

    /// A steady sine reads its peak, or its RMS on the VU meter.
    @Test(arguments: MeterBallistics.allCases, [1000.0, 440, 5000])
    func steadyTonesReadTheirLevel(_ meter: MeterBallistics, frequency: Double) throws {
        let tone = TestAudio.sine(frequency, seconds: 1.5, amplitude: 0.5, sampleRate: 48_000)
        let expected = meter == .vu ? 0.5 / 2.0.squareRoot() : 0.5
        let end = try levels(meter, tone, sampleRate: 48_000, bucket: 4800).meter.last!
        #expect(abs(decibels(end / Float(expected))) < 0.1)
    }

    /// The fall, from the reading half a second after the tone to that a second later.
    @Test(
        arguments: [
            // Of the digital meter: Traverso's VUMeterLevel.cpp and pcmPi's pcmPi.c.
            (MeterBallistics.ppm1, 20 / 1.7), (.ppm2, 24 / 2.8), (.apple, 60 / 1.24), (.digital, 20 / 1.7),
        ], sampleRates)
    func returnsFallAtTheirRate(_ meter: (MeterBallistics, Double), sampleRate: Int) throws {
        let tone = TestAudio.sine(1000, seconds: 0.5, sampleRate: sampleRate)
        let audio = tone + Array(repeating: 0, count: 2 * sampleRate)
        let read = try levels(meter.0, audio, sampleRate: sampleRate).meter
        let fall = decibels(read[sampleRate]) - decibels(read[2 * sampleRate])
        #expect(abs(fall - meter.1) < 0.001)
        let atOnce = decibels(read[tone.count - 1]) - decibels(read[tone.count - 1 + sampleRate / 10])
        #expect(abs(atOnce - meter.1 / 10) < 0.5)
    }

    /// 99 % after 300 ms, an overshoot of 1 to 1.5 %, at any sample rate.
    @Test(arguments: [8000, 44_100, 192_000])
    func vuMeterMatchesTheStandard(sampleRate: Int) throws {
        // An inaudible high tone would also do; a constant has the same magnitude and no ripple.
        let read = try levels(.vu, Array(repeating: 0.25, count: sampleRate), sampleRate: sampleRate).meter
        let end = 0.25 * Double.pi / 8.0.squareRoot()
        let reached = Double(read.firstIndex { Double($0) >= 0.99 * end }!) / Double(sampleRate)
        #expect(abs(reached - 0.3) < 0.001)
        #expect((1.01...1.015).contains(Double(read.max()!) / end))
        // The fall is symmetric: 1 % is left after 300 ms.
        let back = try levels(
            .vu, Array(repeating: 0.25, count: 3 * sampleRate) + Array(repeating: 0, count: sampleRate),
            sampleRate: sampleRate
        ).meter
        let left = Double(back[3 * sampleRate + Int(0.3 * Double(sampleRate))]) / end
        #expect(abs(left - 0.01) < 0.002)
        #expect(back.allSatisfy { $0 >= 0 })
    }

    /// A peak is held for its hold time, then falls.
    @Test(arguments: [
        (MeterBallistics.peak, 1.5, 20.0), (.digital, 1.5, 20 / 1.7), (.apple, 0.9, 60 / 2.5), (.ppm1, 1.5, 20 / 1.7),
        (.ppm2, 1.5, 24 / 2.8),
    ])
    func peaksAreHeld(_ meter: (MeterBallistics, seconds: Double, decibelsPerSecond: Double)) throws {
        let rate = 48_000
        let tone = TestAudio.sine(1000, seconds: 0.5, amplitude: 0.8, sampleRate: rate)
        let audio = tone + Array(repeating: 0, count: 4 * rate)
        let read = try levels(meter.0, audio, sampleRate: rate)
        let top = read.hold.max()!
        // Samples after the last one at the maximum.
        let last = meter.0 == .ppm1 || meter.0 == .ppm2 ? read.meter.lastIndex(of: read.meter.max()!)! : tone.count - 13
        let held = Int(meter.seconds * Double(rate))
        #expect(abs(decibels(top / 0.8)) < 0.1)
        #expect(read.hold[last + held - 30] == top)
        #expect(read.hold[last + held + 100] < top)
        let fall = decibels(read.hold[last + held + 100]) - decibels(read.hold[last + held + 100 + rate])
        #expect(abs(fall - meter.decibelsPerSecond) < 0.001)
        #expect(zip(read.meter, read.hold).allSatisfy { $0 <= $1 })
    }

    /// A single sample is not lost among others, and is shown immediately.
    @Test(arguments: [MeterBallistics.peak, .digital])
    func instantMetersSeeASample(_ meter: MeterBallistics) throws {
        var samples = Array(repeating: 0.0, count: 4800)
        samples[1234] = -0.75
        let read = try levels(meter, samples, sampleRate: 48_000, bucket: 480)
        #expect(read.meter[2] == 0.75)
        #expect(read.hold[2...].allSatisfy { $0 == 0.75 })
        #expect(meter == .peak ? read.meter[3] == 0 : abs(decibels(read.meter[3] / 0.75) + 20 / 1.7 * 0.00429) < 0.001)
    }

    /// The reading of a longer bucket is the highest of its samples' readings.
    @Test(arguments: MeterBallistics.allCases)
    func bucketsContainTheMaximum(_ meter: MeterBallistics) throws {
        let audio = TestAudio.noise(channels: 1, count: 4800, seed: 12).samples[0]
        let fine = try levels(meter, audio, sampleRate: 48_000)
        let coarse = try levels(meter, audio, sampleRate: 48_000, bucket: 333)
        for bucket in coarse.meter.indices {
            let range = bucket * 333..<min(bucket * 333 + 333, 4800)
            #expect(coarse.meter[bucket] == fine.meter[range].max())
            #expect(coarse.hold[bucket] == fine.hold[range].max())
        }
    }

    /// The meter of one channel is not affected by the others.
    @Test(arguments: MeterBallistics.allCases)
    func channelsAreApart(_ meter: MeterBallistics) throws {
        let audio = TestAudio.noise(channels: 3, count: 4000, seed: 13)
        var measurement = LevelMeasurement(grid: .samples(500))
        measurement.meter = meter
        measurement.channels = .all
        let all = try audio.levels(measurement, .int16, interleaved: true)
        for channel in 0..<3 {
            let alone = try TestAudio(samples: [audio.samples[channel]]).levels(measurement, .int16)
            #expect(try all.values(.meter, channel: channel) == alone.values(.meter, channel: 0))
            #expect(try all.values(.hold, channel: channel) == alone.values(.hold, channel: 0))
        }
    }

    @Test func definitionsAreComplete() {
        #expect(MeterDefinition.all.map(\.ballistics) == MeterBallistics.allCases)
        #expect(MeterBallistics.ppm1.definition.fall?.description == "20 dB in 1.7 s")
        for definition in MeterDefinition.all {
            #expect(!definition.summary.isEmpty && !definition.rise.isEmpty && !definition.source.isEmpty)
            #expect(definition.ballistics.definition.summary == definition.summary)
        }
    }
}
