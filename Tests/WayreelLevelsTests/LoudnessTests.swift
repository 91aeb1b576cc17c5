import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelLevels

/// The signals of EBU Tech 3341 (2016), table 1, and Tech 3342 (2016), table 1, generated from their definitions.
@Suite struct LoudnessTests {
    /// A stretch of a 1 kHz tone; its peak level in dBFS, −∞ for silence.
    struct Stretch {
        var level: Double
        var seconds: Double

        init(_ level: Double, _ seconds: Double) { (self.level, self.seconds) = (level, seconds) }
    }

    static let stereo = AudioFormat(sampleRate: 48_000, channels: [.left, .right])

    /// Returns samples of one channel; the tone's phase continues from stretch to stretch.
    private func tone(_ stretches: [Stretch], sampleRate: Int = 48_000, frequency: Int = 1000) -> [Float] {
        let second = (0..<sampleRate).map { sin(2 * .pi * Double($0 * frequency % sampleRate) / Double(sampleRate)) }
        var samples: [Float] = []
        for stretch in stretches {
            let amplitude = pow(10, stretch.level / 20)
            let end = samples.count + Int((stretch.seconds * Double(sampleRate)).rounded())
            for index in samples.count..<end { samples.append(Float(amplitude * second[index % sampleRate])) }
        }
        return samples
    }

    /// Measures planar channels, divided into blocks of `sizes` in turn.
    private func measure(
        _ planes: [[Float]], format: AudioFormat = stereo, sizes: [Int] = [4096]
    ) throws -> LoudnessStatistics {
        let meter = try LoudnessMeter(format: format)
        let buffers = planes.map { plane in
            let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: plane.count)
            _ = buffer.initialize(from: plane)
            return buffer
        }
        defer { buffers.forEach { $0.deallocate() } }
        let whole = AudioBlock(
            .float32, count: planes[0].count, channelCount: planes.count,
            planes: buffers.map { UnsafeRawPointer($0.baseAddress!) }, start: 0)
        var (begin, turn) = (0, 0)
        while begin < whole.count {
            let end = min(whole.count, begin + sizes[turn % sizes.count])
            try meter.add(whole.slice(begin..<end))
            (begin, turn) = (end, turn + 1)
        }
        return meter.finish()
    }

    private func inStereo(_ stretches: [Stretch]) throws -> Loudness {
        let samples = tone(stretches)
        return try measure([samples, samples]).loudness
    }

    private func expect(_ value: Double?, _ expected: Double, within tolerance: Double = 0.1) throws {
        let value = try #require(value)
        #expect(abs(value - expected) <= tolerance, "\(value), not \(expected)")
    }

    // MARK: Tech 3341

    @Test(arguments: [-23.0, -33.0]) func steadyTone(level: Double) throws {
        let loudness = try inStereo([Stretch(level, 20)])
        for value in [loudness.integrated, loudness.momentaryMaximum, loudness.shortTermMaximum] {
            try expect(value, level)
        }
    }

    @Test(arguments: [
        [Stretch(-36, 10), Stretch(-23, 60), Stretch(-36, 10)],
        [Stretch(-72, 10), Stretch(-36, 10), Stretch(-23, 60), Stretch(-36, 10), Stretch(-72, 10)],
        [Stretch(-26, 20), Stretch(-20, 20.1), Stretch(-26, 20)],
    ])
    func gating(stretches: [Stretch]) throws {
        try expect(try inStereo(stretches).integrated, -23)
    }

    /// Signal 6: the weights of five channels, and an LFE channel, which does not count.
    @Test(arguments: [
        [AudioChannel.backLeft, .backRight], [.sideLeft, .sideRight],
    ])
    func surround(rear: [AudioChannel]) throws {
        let levels = [-28.0, -28, -24, 0, -30, -30]
        let format = AudioFormat(sampleRate: 48_000, channels: [.left, .right, .center, .lowFrequency] + rear)
        let planes = levels.map { tone([Stretch($0, 20)]) }
        try expect(try measure(planes, format: format).loudness.integrated, -23)
    }

    /// Signal 9: constant from 3 s on.
    @Test func shortTermIsConstant() throws {
        let samples = Array(repeating: [Stretch(-20, 1.34), Stretch(-30, 1.66)], count: 5).flatMap(\.self)
        try expect(try inStereo(samples).shortTermMaximum, -23)
    }

    /// Signal 10: 3 s of tone with various start times.
    @Test(arguments: 0..<20) func shortTermMaximum(index: Int) throws {
        let stretches = [Stretch(-.infinity, 0.15 * Double(index)), Stretch(-23, 3), Stretch(-.infinity, 1)]
        try expect(try inStereo(stretches).shortTermMaximum, -23)
    }

    /// Signal 12.
    @Test func momentaryIsConstant() throws {
        let samples = Array(repeating: [Stretch(-20, 0.18), Stretch(-30, 0.22)], count: 25).flatMap(\.self)
        try expect(try inStereo(samples).momentaryMaximum, -23)
    }

    /// Signal 13: 400 ms of tone with various start times.
    @Test(arguments: 0..<20) func momentaryMaximum(index: Int) throws {
        let stretches = [Stretch(-.infinity, 0.02 * Double(index)), Stretch(-23, 0.4), Stretch(-.infinity, 1)]
        try expect(try inStereo(stretches).momentaryMaximum, -23)
    }

    /// Signals 15 to 19: a fraction of the sample rate, amplitude, phase in degrees, dBTP.
    @Test(arguments: [
        (4.0, 0.5, 0.0, -6.0), (4, 0.5, 45, -6), (6, 0.5, 60, -6), (8, 0.5, 67.5, -6), (4, 1.41, 45, 3),
    ])
    func truePeak(part: Double, amplitude: Double, phase: Double, expected: Double) throws {
        let count = 48_000
        let samples = (0..<count).map { index in
            // Without the fades, the onset itself would overshoot.
            let fade = min(1, Double(min(index, count - index)) / 4800)
            return Float(fade * amplitude * sin(2 * .pi * (Double(index) / part + phase / 360)))
        }
        let silence = [Float](repeating: 0, count: count)
        let loudness = try measure([samples, silence]).loudness
        let value = try #require(loudness.truePeak)
        #expect((expected - 0.4...expected + 0.2).contains(value), "\(value), not \(expected)")
        #expect(loudness.channels[0].truePeak == value)
        #expect(loudness.channels[1].truePeak == nil && loudness.channels[1].samplePeak == nil)
    }

    // MARK: Tech 3342

    @Test(
        arguments: [
            ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
        ] as [([Double], Double)])
    func range(levels: [Double], expected: Double) throws {
        let loudness = try inStereo(levels.map { Stretch($0, 20) })
        try expect(loudness.range, expected, within: 1)
        let (low, high) = (try #require(loudness.rangeLow), try #require(loudness.rangeHigh))
        #expect(loudness.range == high - low)
    }

    // MARK: Music

    /// FFmpeg's filter is another implementation; it prints tenths, and also uses energy bins of 0.01 LU.
    @Test func agreesWithFFmpeg() throws {
        let path = Fixture.media("radio/bunny.mp3")
        let filter = "ffmpeg -nostats -hide_banner -i '\(path)' -af ebur128=peak=true+sample -f s16le -"
        let outcome = try Command("/bin/sh", ["-c", filter]).run()
        // The line "    I:         -23.7 LUFS", after the title of the summary.
        let summary = try #require(outcome.lines.lastIndex { $0.contains("Summary:") })
        var values: [String: [Double]] = [:]
        for line in outcome.lines[summary...] {
            let words = line.split(separator: " ").suffix(3).map(String.init)
            guard words.count == 3, let value = Double(words[1]) else { continue }
            values[words[0], default: []].append(value)
        }
        let meter = try LoudnessMeter(format: AudioFormat(sampleRate: 44_100, channels: [.left, .right]))
        try outcome.output.withUnsafeBytes { bytes in
            try meter.add(
                AudioBlock(.int16, count: bytes.count / 4, channelCount: 2, planes: [bytes.baseAddress!], start: 0))
        }
        let loudness = meter.finish().loudness
        try expect(loudness.integrated, try #require(values["I:"]?.first), within: 0.06)
        try expect(loudness.relativeThreshold, try #require(values["Threshold:"]?.first), within: 0.06)
        try expect(loudness.rangeThreshold, try #require(values["Threshold:"]?.last), within: 0.1)
        try expect(loudness.range, try #require(values["LRA:"]?.first), within: 0.06)
        try expect(loudness.rangeLow, try #require(values["low:"]?.first), within: 0.06)
        try expect(loudness.rangeHigh, try #require(values["high:"]?.first), within: 0.06)
        let peaks = try #require(values["Peak:"])
        try expect(loudness.samplePeak, peaks[0], within: 0.06)
        try expect(loudness.truePeak, peaks[1], within: 0.06)
    }

    // MARK: Sets, cuts and limits

    /// A set is gated as a whole: signal 3 in three files.
    @Test func setOfAudioFiles() throws {
        let parts = try [Stretch(-36, 10), Stretch(-23, 60), Stretch(-36, 10)].map { stretch in
            let samples = tone([stretch])
            return try measure([samples, samples])
        }
        let set = parts.reduce(into: LoudnessStatistics()) { $0.merge($1) }.loudness
        try expect(set.integrated, -23)
        try expect(set.momentaryMaximum, -23)
        try expect(set.samplePeak, -23, within: 0.01)
        // The percentiles of the short-term loudness: a fifth of it at −36, the rest at −23.
        try expect(set.range, 13, within: 0.1)
        #expect(set.channels.isEmpty)
        #expect(LoudnessStatistics().loudness.integrated == nil)
    }

    /// Bit-identical for any blocks, also at a rate whose 10 ms are not an integer number of samples.
    @Test(arguments: [44_100, 11_025, 8000]) func cutsDoNotMatter(sampleRate: Int) throws {
        var random = SeededRandom(seed: UInt64(sampleRate))
        let format = AudioFormat(sampleRate: sampleRate, channels: [.left, .right])
        let planes = (0..<2).map { _ in
            (0..<5 * sampleRate).map { index in
                Float.random(in: -1...1, using: &random) * Float(index / sampleRate + 1) / 5
            }
        }
        let whole = try measure(planes, format: format, sizes: [1 << 20]).loudness
        for sizes in [[1, 2, 4095], [441], [997, 3]] {
            #expect(try measure(planes, format: format, sizes: sizes).loudness == whole)
        }
        // White noise: BS.1770 has no reference value for it, but one channel has half the energy of two.
        let one = try measure([planes[0], [Float](repeating: 0, count: planes[0].count)], format: format).loudness
        try expect(one.integrated, try #require(whole.integrated) - 3.01, within: 0.1)
    }

    @Test func sampleTypesAgree() throws {
        let samples = tone([Stretch(-23, 4)])
        let reference = try #require(try measure([samples, samples]).loudness.integrated)
        func integrated<Sample>(_ type: AudioBlock.SampleType, _ convert: (Float) -> Sample) throws -> Double? {
            let interleaved = samples.flatMap { [convert($0), convert($0)] }
            let meter = try LoudnessMeter(format: Self.stereo)
            try interleaved.withUnsafeBytes { bytes in
                try meter.add(
                    AudioBlock(type, count: samples.count, channelCount: 2, planes: [bytes.baseAddress!], start: 0))
            }
            return meter.finish().loudness.integrated
        }
        try expect(try integrated(.int16) { Int16($0 * 32_767) }, reference, within: 0.005)
        try expect(try integrated(.int32) { Int32(Double($0) * 2_147_483_648) }, reference, within: 0.001)
        try expect(try integrated(.float32) { $0 }, reference, within: 0)
    }

    @Test func paddingDoesNotCount() throws {
        let samples = [Float](repeating: 0.5, count: 2 * 48_000)
        let meter = try LoudnessMeter(format: Self.stereo)
        try samples.withUnsafeBytes { bytes in
            try meter.add(
                AudioBlock(
                    .float32, count: 48_000, channelCount: 2, planes: [bytes.baseAddress!], start: 0, isPadding: true))
        }
        #expect(meter.finish().loudness.samplePeak == nil)
    }

    @Test func monoIsOneChannel() throws {
        let mono = AudioFormat(sampleRate: 48_000, channels: [.mono])
        try expect(try measure([tone([Stretch(-20, 5)])], format: mono).loudness.integrated, -23)
    }

    @Test func silenceAndShortAudioFilesHaveNone() throws {
        let silence = try inStereo([Stretch(-.infinity, 5)])
        #expect(silence.integrated == nil && silence.range == nil && silence.momentaryMaximum == nil)
        #expect(silence.truePeak == nil && silence.channels.count == 2)
        let quiet = try inStereo([Stretch(-75, 5)])
        #expect(quiet.integrated == nil && quiet.relativeThreshold == nil)
        try expect(quiet.momentaryMaximum, -75)
        let short = try inStereo([Stretch(-20, 0.3)])
        #expect(short.integrated == nil && short.range == nil)
        try expect(short.momentaryMaximum, -20 + 10 * log10(0.75))
        try expect(short.samplePeak, -20, within: 0.01)
        let second = try inStereo([Stretch(-20, 1)])
        try expect(second.integrated, -20)
        #expect(second.range == nil)
    }

    /// The extremes of floating point give numbers that JSON can represent.
    @Test func hugeSamplesStayFinite() throws {
        let samples = (0..<48_000).map { Float.greatestFiniteMagnitude * ($0.isMultiple(of: 2) ? 1 : -1) }
        let loudness = try measure([samples, samples]).loudness
        #expect(try #require(loudness.integrated).isFinite)
        try expect(loudness.samplePeak, 20 * log10(Double(Float.greatestFiniteMagnitude)), within: 0.01)
        #expect(try #require(loudness.truePeak) >= #require(loudness.samplePeak))
    }

    @Test(arguments: [(1000, 2), (3999, 1), (768_001, 2), (48_000, 65), (768_000, 64), (48_000, 0)])
    func rejectsUnsuitableFormats(sampleRate: Int, channels: Int) {
        let names = channels == 0 ? [] : AudioChannel.unnamed(count: channels)
        let error = #expect(throws: MediaError.self) {
            _ = try LoudnessMeter(format: AudioFormat(sampleRate: sampleRate, channels: names))
        }
        #expect(error?.kind == .unsupported && error?.advice != nil)
    }

    /// The shelving filter of the weighting is distorted at the lowest sample rates.
    @Test(arguments: [
        (4000, 0.5), (6000, 0.35), (8000, 0.25), (16_000, 0.1), (96_000, 0.1), (192_000, 0.1), (384_000, 0.1),
        (768_000, 0.1),
    ])
    func everyRateReadsTheSame(sampleRate: Int, tolerance: Double) throws {
        let format = AudioFormat(sampleRate: sampleRate, channels: [.left, .right])
        let samples = tone([Stretch(-23, 1)], sampleRate: sampleRate, frequency: 200)
        let reference = tone([Stretch(-23, 1)], frequency: 200)
        let expected = try #require(try measure([reference, reference]).loudness.integrated)
        try expect(try measure([samples, samples], format: format).loudness.integrated, expected, within: tolerance)
    }
}
