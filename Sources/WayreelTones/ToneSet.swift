internal import Glibc
public import WayreelCore

/// The synthetic test signals of a document about loudness meters, with what a meter shows for each.
///
/// Tones of 1 kHz, and for true peaks of a fraction of the sample rate, of the levels and durations in the document's table.
/// The programmes among the document's cases are recordings, which cannot be synthesised.
public struct ToneSet: Hashable, Sendable {
    public struct Signal: Hashable, Sendable {
        /// The name of its file without an ending: the document's number and that of the case.
        public var name: String
        public var mix: ToneMix
        /// nil for the samples of the mixture; 0 to 3 for a mixture that is synthesised at four times its sample rate and
        /// low-pass filtered to half of it, of whose samples every fourth is taken, from this one on.
        public var offset: Int?
        /// `I = -23.0 ±0.1 LUFS`.
        public var expected: String
    }

    /// `ebu3341`.
    public var name: String
    public var signals: [Signal]
    /// The cases that cannot be synthesised, and why.
    public var missing: String

    public static let names = ["ebu3341", "ebu3342"]
}

extension ToneSet {
    /// EBU Tech 3341 (2016), table 1: loudness and true peak in the mode "EBU Mode".
    public static func ebu3341(sampleRate: Int = 48_000) -> ToneSet {
        let make = SignalMaker(document: "3341", sampleRate: sampleRate)
        let all = "M, S, I"
        var signals = [
            make("01", [(-23, 20)], "\(all) = -23.0 ±0.1 LUFS"),
            make("02", [(-33, 20)], "\(all) = -33.0 ±0.1 LUFS"),
            make("03", [(-36, 10), (-23, 60), (-36, 10)], "I = -23.0 ±0.1 LUFS"),
            make("04", [(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], "I = -23.0 ±0.1 LUFS"),
            make("05", [(-26, 20), (-20, 20.1), (-26, 20)], "I = -23.0 ±0.1 LUFS"),
            make.surround("06", levels: [-28, -28, -24, -30, -30], seconds: 20, "I = -23.0 ±0.1 LUFS"),
            make("09", repeated([(-20, 1.34), (-30, 1.66)], 5), "S = -23.0 ±0.1 LUFS, constant after 3 s"),
        ]
        signals += (0..<20).map { index in
            make(
                "10-\(index + 1)", [(nil, 0.15 * Double(index)), (-23, 3), (nil, 1)], "maximum S = -23.0 ±0.1 LUFS")
        }
        let rising = { (length: Double, delay: Double) in
            (0..<20).flatMap { index in
                let before = delay * Double(index)
                return [(nil, before), (Double(index - 38), length), (nil, length - before)] as [SignalMaker.Stretch]
            }
        }
        signals += [
            make("11", rising(3, 0.15), "maxima of S = -38.0, -37.0, …, -19.0 ±0.1 LUFS, one after the other"),
            make("12", repeated([(-20, 0.18), (-30, 0.22)], 25), "M = -23.0 ±0.1 LUFS, constant after 1 s"),
        ]
        signals += (0..<20).map { index in
            make(
                "13-\(index + 1)", [(nil, 0.02 * Double(index)), (-23, 0.4), (nil, 1)], "maximum M = -23.0 ±0.1 LUFS")
        }
        signals.append(
            make("14", rising(0.4, 0.02), "maxima of M = -38.0, -37.0, …, -19.0 ±0.1 LUFS, one after the other"))
        let peaks = [
            ("15", 4.0, 0.5, 0.0, -6.0), ("16", 4, 0.5, 45, -6), ("17", 6, 0.5, 60, -6), ("18", 8, 0.5, 67.5, -6),
            ("19", 4, 1.41, 45, 3),
        ]
        signals += peaks.map { name, part, amplitude, phase, peak in
            make.truePeak(
                name, part: part, amplitude: amplitude, phase: phase, "maximum true peak = \(peak) +0.2/-0.4 dBTP")
        }
        signals += (0..<4).map { make.cycle("\(20 + $0)", offset: $0, "maximum true peak = 0.0 +0.2/-0.4 dBTP") }
        return ToneSet(name: "ebu3341", signals: signals, missing: "7 and 8 \(programmes)")
    }

    /// EBU Tech 3342 (2016), table 1: loudness range.
    public static func ebu3342(sampleRate: Int = 48_000) -> ToneSet {
        let make = SignalMaker(document: "3342", sampleRate: sampleRate)
        let cases: [(levels: [Double], range: Int)] = [
            ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
        ]
        let signals = cases.enumerated().map { index, item in
            make("0\(index + 1)", item.levels.map { ($0, 20) }, "LRA = \(item.range) ±1 LU")
        }
        return ToneSet(name: "ebu3342", signals: signals, missing: "5 and 6 \(programmes)")
    }

    private static let programmes =
        "are recorded programmes, which cannot be synthesised (the EBU has them: "
        + "https://tech.ebu.ch/publications/ebu_loudness_test_set)"

    private static func repeated(_ stretches: [SignalMaker.Stretch], _ count: Int) -> [SignalMaker.Stretch] {
        Array(repeating: stretches, count: count).flatMap(\.self)
    }

    /// nil for an unknown name.
    public init?(named name: String, sampleRate: Int = 48_000) {
        switch name.lowercased() {
        case "ebu3341": self = .ebu3341(sampleRate: sampleRate)
        case "ebu3342": self = .ebu3342(sampleRate: sampleRate)
        default: return nil
        }
    }

    /// Writes the signals as WAV into a folder, which appears when it is complete, with `expected.txt`: a line for each file
    /// with what a meter shows. An existing folder is replaced if Wayreel wrote all that is in it.
    ///
    /// Throws a `parameter` error for a sample rate out of range, an `io` error, and `cancelled`.
    public func write(
        to folder: String, samples: ToneSamples = .int24, hasDither: Bool = true, cancellation: Cancellation? = nil
    ) throws(MediaError) {
        let file = ToneFile(.wav, samples: samples, hasDither: hasDither)
        for signal in signals { _ = try file.check(signal.mix) }
        let output = try AtomicFolder(folder)
        var lines = ""
        for signal in signals {
            // The longest takes 29 MB.
            let sink = MemorySink()
            _ = try file.writePCM(signal.mix, offset: signal.offset, to: sink, cancellation)
            try output.write(sink.bytes, to: "\(signal.name).wav")
            lines += "\(signal.name).wav  \(signal.expected)\n"
        }
        lines += "Not here: \(missing).\n"
        try output.write(Array(lines.utf8), to: "expected.txt")
        try output.finish()
    }
}

/// Makes the signals of a document.
private struct SignalMaker {
    /// The level of a tone in dBFS, nil for silence, and its seconds.
    typealias Stretch = (level: Double?, seconds: Double)

    let document: String
    let sampleRate: Int

    private func signal(_ name: String, _ tones: [Tone], channels: Int, seconds: Double, _ expected: String)
        -> ToneSet.Signal
    {
        ToneSet.Signal(
            name: "\(document)-\(name)",
            mix: ToneMix(tones, sampleRate: sampleRate, channelCount: channels, seconds: seconds), expected: expected)
    }

    /// Stretches of a stereo tone of 1 kHz, one after the other.
    func callAsFunction(_ name: String, _ stretches: [Stretch], _ expected: String) -> ToneSet.Signal {
        var tones: [Tone] = []
        var start = 0.0
        for stretch in stretches {
            if let level = stretch.level {
                tones.append(Tone(.sine(hertz: 1000), level: .rms(level), start: start, duration: stretch.seconds))
            }
            start += stretch.seconds
        }
        return signal(name, tones, channels: 2, seconds: start, expected)
    }

    /// Left, right, centre and surround channels.
    func surround(_ name: String, levels: [Double], seconds: Double, _ expected: String) -> ToneSet.Signal {
        let tones = levels.enumerated().map { Tone(.sine(hertz: 1000), level: .rms($1), channels: [$0 + 1]) }
        return signal(name, tones, channels: levels.count, seconds: seconds, expected)
    }

    /// A sine of the sample rate over `part`. Without its fades, the onset would overshoot the peak.
    func truePeak(_ name: String, part: Double, amplitude: Double, phase: Double, _ expected: String) -> ToneSet.Signal
    {
        let tone = Tone(
            .sine(hertz: Double(sampleRate) / part), level: .peak(20 * log10(amplitude)), phase: phase, fadeIn: 0.1,
            fadeOut: 0.1)
        return signal(name, [tone], channels: 2, seconds: 5, expected)
    }

    /// A sine of a sixth of the sample rate and half of full scale, in which one cycle of a quarter of the rate is at full
    /// scale. It begins and ends where both sines rise from 0, and peaks between samples that are `offset` quarters of a
    /// sample later.
    func cycle(_ name: String, offset: Int, _ expected: String) -> ToneSet.Signal {
        let rate = Double(sampleRate)
        let (start, seconds) = (Double(sampleRate * 5 / 12 * 6) / rate, 5.0)
        let end = start + 4 / rate
        let half = Tone.Level.peak(20 * log10(0.5))
        let tones = [
            Tone(.sine(hertz: rate / 6), level: half, duration: start, fadeIn: 0.1),
            Tone(.sine(hertz: rate / 4), level: .peak(0), start: start, duration: 4 / rate),
            Tone(.sine(hertz: rate / 6), level: half, start: end, duration: seconds - end, fadeOut: 0.1),
        ]
        var signal = self.signal(name, tones, channels: 2, seconds: seconds, expected)
        signal.offset = offset
        return signal
    }
}
