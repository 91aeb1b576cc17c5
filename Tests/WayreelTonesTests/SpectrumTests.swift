import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelTones

/// Band-limited waves have the harmonics of Fourier's series below half the sample rate, and nothing else.
@Suite struct SpectrumTests {
    /// 43 cycles in 2000 samples: harmonics are at multiples of 43, and aliases elsewhere.
    private static let count = 2000
    private static let cycles = 43
    private static let hertz = 48_000.0 * 43 / 2000

    /// The series of each wave, as factors of sines.
    enum Shape: String, CaseIterable {
        case sine, square, sawtooth, triangle

        func wave(_ hertz: Double) -> Tone.Wave {
            switch self {
            case .sine: .sine(hertz: hertz)
            case .square: .square(hertz: hertz)
            case .sawtooth: .sawtooth(hertz: hertz)
            case .triangle: .triangle(hertz: hertz)
            }
        }

        func harmonic(_ k: Int) -> Double {
            let isOdd = k % 2 == 1
            switch self {
            case .sine: return k == 1 ? 1 : 0
            case .square: return isOdd ? 4 / .pi / Double(k) : 0
            case .sawtooth: return (isOdd ? 2 : -2) / .pi / Double(k)
            case .triangle: return isOdd ? (k / 2 % 2 == 0 ? 8 : -8) / (.pi * .pi) / Double(k * k) : 0
            }
        }
    }

    private func samples(_ shape: Shape, isNaive: Bool = false) throws -> [Double] {
        try render(
            [Tone(shape.wave(Self.hertz), level: .peak(-6))], seconds: Double(Self.count) / 48_000, isNaive: isNaive)[0]
    }

    @Test(arguments: Shape.allCases) func hasTheHarmonicsOfTheSeriesOnly(shape: Shape) throws {
        let samples = try samples(shape)
        #expect(samples.count == Self.count)
        let amplitude = pow(10, -6.0 / 20)
        for bin in 0..<Self.count / 2 {
            let found = amplitudes(samples, bin: bin)
            let expected = bin > 0 && bin % Self.cycles == 0 ? amplitude * shape.harmonic(bin / Self.cycles) : 0
            // −120 dB; the samples have 24 bits.
            #expect(abs(found.cosine) < 1e-6 && abs(found.sine - expected) < 1e-6, "\(bin): \(found), not \(expected)")
        }
    }

    /// The same wave without a limit of its band has aliases that are heard.
    @Test(arguments: [Shape.square, .sawtooth, .triangle]) func naiveWavesAlias(shape: Shape) throws {
        let samples = try samples(shape, isNaive: true)
        let aliases = (1..<Self.count / 2).filter { $0 % Self.cycles != 0 }.map { bin in
            let found = amplitudes(samples, bin: bin)
            return hypot(found.cosine, found.sine)
        }
        #expect(aliases.max() ?? 0 > (shape == .triangle ? 1e-4 : 1e-2))
        // The ideal values themselves.
        let amplitude = pow(10, -6.0 / 20)
        for (index, sample) in samples.enumerated() {
            let part = Double(index * Self.cycles % Self.count) / Double(Self.count)
            let ideal =
                switch shape {
                case .sine: sin(2 * .pi * part)
                case .square: part < 0.5 ? 1.0 : -1
                case .sawtooth: part < 0.5 ? 2 * part : 2 * part - 2
                case .triangle: part < 0.25 ? 4 * part : part < 0.75 ? 2 - 4 * part : 4 * part - 4
                }
            #expect(abs(sample - amplitude * ideal) < 1e-6, "\(index)")
        }
    }

    /// Frequencies whose cycle is no whole number of samples: every sample is the sum of the series.
    @Test(arguments: [97.31, 441, 1234.567, 7001.7, 15_000]) func samplesAreTheSumOfTheSeries(hertz: Double) throws {
        for shape in Shape.allCases {
            let samples = try render(
                [Tone(shape.wave(hertz), level: .peak(0), phase: 30)], sampleRate: 44_100, seconds: 0.02)[0]
            let top = Int((22_050 / hertz).rounded(.up)) - 1
            for index in stride(from: 0, to: samples.count, by: 7) {
                let turns = Double(index) * hertz / 44_100 + 30.0 / 360
                let sum = (1...max(top, 1)).reduce(0) { $0 + shape.harmonic($1) * sin(2 * .pi * Double($1) * turns) }
                #expect(abs(samples[index] - sum) < 1e-6, "\(shape) \(index)")
            }
        }
    }

    /// The RMS in dBFS of AES17, in which a full-scale sine has 0 dBFS.
    @Test(
        arguments: [
            .sine(hertz: 1000), .square(hertz: 1000), .sawtooth(hertz: 1000), .triangle(hertz: 1000),
            .sweep(from: 20, to: 20_000), .whiteNoise,
        ] as [Tone.Wave])
    func levelIsThatOfTheRMS(wave: Tone.Wave) throws {
        let samples = try render([Tone(wave, level: .rms(-23))], seconds: 4)[0]
        #expect(abs((rms(samples) * 2.0.squareRoot()).decibels + 23) < 0.03)
    }

    /// The frequency of the sweep is f₁·(f₂/f₁)^(t/T): its integral over time, by Simpson's rule, is the phase.
    @Test(arguments: [(20.0, 20_000.0), (5000, 50)]) func sweepsExponentially(from: Double, to: Double) throws {
        let samples = try render([Tone(.sweep(from: from, to: to), level: .peak(0))], seconds: 2)[0]
        func frequency(_ time: Double) -> Double { from * pow(to / from, time / 2) }
        var turns = 0.0
        for index in 0..<samples.count - 1 {
            let (start, end) = (Double(index) / 48_000, Double(index + 1) / 48_000)
            #expect(abs(samples[index] - sin(2 * .pi * turns)) < 1e-5, "\(index)")
            turns += (frequency(start) + 4 * frequency((start + end) / 2) + frequency(end)) / 6 / 48_000
        }
    }

    /// −3 dB an octave, ±0.5 dB from 20 Hz to 20 kHz: the same power in each octave.
    @Test func pinkNoiseHasTheSamePowerInEachOctave() throws {
        let size = 16_384
        let samples = try render([Tone(.pinkNoise)], seconds: 30)[0]
        var sums = [Double](repeating: 0, count: size / 2)
        for start in stride(from: 0, to: samples.count - size, by: size) {
            let windowed = (0..<size).map { samples[start + $0] * pow(sin(.pi * (Double($0) + 0.5) / Double(size)), 2) }
            for (bin, power) in powers(windowed).enumerated() { sums[bin] += power }
        }
        // Octaves from 20 Hz on, and the rest up to 20 kHz, by the mean of power times frequency.
        let edges = (0..<10).map { 20 * pow(2, Double($0)) } + [20_000]
        let levels = zip(edges, edges.dropFirst()).map { low, high in
            let bins = sums.indices.filter { (low..<high).contains(Double($0) * 48_000 / Double(size)) }
            return 10 * log10(bins.reduce(0) { $0 + sums[$1] * Double($1) } / Double(bins.count))
        }
        let mean = levels.reduce(0, +) / Double(levels.count)
        for level in levels { #expect(abs(level - mean) < 0.5, "\(levels)") }
        #expect(abs((rms(samples) * 2.0.squareRoot()).decibels + 20) < 0.2)
    }

    @Test func whiteNoiseHasTheSamePowerEverywhere() throws {
        let samples = try render([Tone(.whiteNoise, level: .peak(-6))], seconds: 20)[0]
        let size = 8192
        var bands = [Double](repeating: 0, count: 8)
        for start in stride(from: 0, to: samples.count - size, by: size) {
            for (bin, power) in powers(Array(samples[start..<start + size])).enumerated() {
                bands[bin * 8 / (size / 2)] += power
            }
        }
        let mean = bands.reduce(0, +) / 8
        for band in bands { #expect(abs(10 * log10(band / mean)) < 0.1, "\(bands)") }
        let peak = samples.map(\.magnitude).max() ?? 0
        #expect(peak <= pow(10, -6.0 / 20) && peak > 0.5)
    }
}
