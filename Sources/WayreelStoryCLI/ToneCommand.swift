public import ArgumentParser
public import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct ToneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tone",
        abstract: "Synthesises test signals: sines, square waves, sweeps, noise, loudness test sets.",
        discussion: """
            A sine, five seconds; a square wave whose harmonics end below half the sample rate, so that nothing aliases:
              wayreel tone sine:440 -o a.wav --seconds 5 --level -23dBFS
              wayreel tone square:441 -o square.flac --bits 24
            What aliasing sounds and looks like:
              wayreel tone square:3000 -o aliased.wav --naive --plot aliased.svg
            A sweep, with fades; pink noise; clicks:
              wayreel tone sweep:20..20000:fade=10ms -o sweep.wav --seconds 20
              wayreel tone noise:pink -o - --format raw --seconds 60 | aplay -f S16_LE -r 48000 -
              wayreel tone noise:pink -o pink.wav --loudness -23LUFS
              wayreel tone clicks:2:level=-6dBpeak -o clicks.wav
            Signals add up: a chord, the intermodulation test of SMPTE, one that begins later:
              wayreel tone sine:440 sine:554.37 sine:659.26 -o chord.wav
              wayreel tone sine:60:level=-8dBFS sine:7000:level=-20dBFS -o smpte.wav
              wayreel tone sine:1000:for=2s sine:2000:from=3s -o two.wav
            Left and right a quarter of a wave apart; noise that differs between them:
              wayreel tone sine:440:channels=1 sine:440:phase=90:channels=2 -o phase.wav
              wayreel tone noise:pink:channels=1 noise:pink:channels=2 -o wide.wav
            Two samples a wave, which may be silence; see the samples on the wave:
              wayreel tone sine:24000:phase=30 -o nyquist.wav --plot nyquist.png
            Signals to check loudness meters with, as WAV files and a list of what a meter shows:
              wayreel tone ebu3341 -o ebu3341/
              wayreel tone ebu3342 -o ebu3342/

            Signals: sine, square, saw and triangle with a frequency (440, 1.5k), sweep:20..20000, noise:white, noise:pink, impulse, \
            clicks:2 (a second), silence. Settings follow, each after a colon: level, phase (degrees), channels (1+2), from, for, \
            fade, fade-in, fade-out (2s, 10ms), seed.

            dBFS are of the RMS, relative to a sine whose peak is full scale (AES17): a square wave at 0 dBFS has its peak 3 dB below \
            full scale. dBpeak are of the ideal wave's amplitude. Impulses and clicks take either as their peak.

            Cases 7 and 8 of ebu3341, and 5 and 6 of ebu3342, are recorded programmes, which cannot be synthesised: the EBU has them, at \
            https://tech.ebu.ch/publications/ebu_loudness_test_set

            Exit status: 0 done, 1 failed, 2 wrong usage.
            """)

    @Argument(
        help: "Signals, which are added up; or ebu3341 or ebu3342.",
        completion: .list(Tone.forms + ToneSet.names))
    var signals: [String]

    @Option(
        name: [.short, .long],
        help: "A file that ends in .wav, .flac, .caf, .raw or .pcm; - for standard output; of a set, a folder.",
        completion: .file())
    var output: String?

    @Option(help: "wav, flac, caf or raw (little-endian). (default: by the output's ending; for - wav)")
    var format: ToneFile.Container?

    @Option(help: "How long it lasts, up to 86400. (default: 5)")
    var seconds: Double?

    @Option(
        parsing: .unconditional,
        help: "The level of signals without their own: -23dBFS, -6dBpeak. (default: -20dBFS)")
    var level: Tone.Level?

    @Option(
        parsing: .unconditional,
        help: "Raise or lower all signals together, to this integrated loudness by EBU R 128: -23LUFS, -65 to 20.")
    var loudness: LUFS?

    @Option(help: "Samples a second, 100 to 1000000.")
    var sampleRate = 48_000

    @Option(help: "Channels, 1 to 64. (default: as many as signals name, at least 1)")
    var channels: Int?

    @Option(help: "Bits of a sample: 16, 24, 32, or float. (default: 16; of a set, 24)")
    var bits: ToneSamples?

    @Flag(inversion: .prefixedNo, help: "Dither samples of 16, 24 and 32 bits: triangular, ±1 LSB.")
    var dither = true

    @Option(help: "Of noise and dither: the same seed gives the same bytes. (default: 1)")
    var seed: UInt64?

    @Flag(
        help:
            "Take samples of the ideal waves, whose harmonics alias; allow frequencies above half the sample rate."
    )
    var naive = false

    @Option(
        help: "Draw the first three waves, at least 12 samples, as dots on them, to a file that ends in .svg or .png.",
        completion: .file(extensions: ["svg", "png"]))
    var plot: String?

    @Option(help: "The plot's width and height in pixels, each 200 to 16384. (default: 1200x400)")
    var plotSize: PixelSize?

    @Option(help: "The plot's theme: light or dark. (default: light)")
    var plotTheme: TonePlot.Theme?

    private var plotType: TonePlot.FileType? {
        plot.flatMap { $0.split(separator: ".").last.flatMap { TonePlot.FileType(rawValue: $0.lowercased()) } }
    }

    private var set: ToneSet? {
        signals.count == 1 ? ToneSet(named: signals[0], sampleRate: sampleRate) : nil
    }

    func validate() throws {
        guard output != nil || plot != nil else { throw ValidationError("name an --output, or a --plot") }
        if plot != nil, plotType == nil { throw ValidationError("--plot takes a file that ends in .svg or .png") }
        guard plot != nil || plotSize == nil && plotTheme == nil else {
            throw ValidationError("--plot-size and --plot-theme need a --plot")
        }
        if let output, plot == output { throw ValidationError("--output and --plot are the same file") }
        if set != nil {
            guard output != nil, output != "-" else { throw ValidationError("a set is written to a folder: -o ebu/") }
            guard seconds == nil, level == nil, channels == nil, format == nil, plot == nil, seed == nil,
                loudness == nil, !naive
            else {
                throw ValidationError(
                    "a set has its own signals: only --sample-rate, --bits and --no-dither apply to it")
            }
            return
        }
        if let output {
            guard output == "-" || format != nil || ToneFile.Container(fileName: output) != nil else {
                throw ValidationError(
                    "--output takes a file that ends in .wav, .flac, .caf, .raw or .pcm; or add --format")
            }
        } else if format != nil || bits != nil || !dither {
            throw ValidationError("--format, --bits and --no-dither need an --output")
        }
    }

    func run() throws {
        if let set, let output { return try write(set, to: output) }
        let tones = try signals.map { (text) throws(MediaError) in
            try Tone(parsing: text, level: level ?? .rms(-20))
        }
        var mix = ToneMix(
            tones, sampleRate: sampleRate, channelCount: channels ?? tones.flatMap(\.channels).max() ?? 1,
            seconds: seconds ?? 5, isNaive: naive, seed: seed ?? 1)
        if let loudness {
            mix = try mix.matched(toLoudness: loudness.value, cancellation: Interrupt.cancellation)
        }
        let picture = try plotType.map { (type) throws(MediaError) in
            try TonePlot(size: plotSize ?? PixelSize(width: 1200, height: 400), theme: plotTheme ?? .light)
                .draw(mix, as: type)
        }
        var warnings = try mix.warnings()
        if let output {
            let container = format ?? ToneFile.Container(fileName: output) ?? .wav
            let file = ToneFile(container, samples: bits ?? .int16, hasDither: dither)
            warnings = try file.write(mix, to: output, cancellation: Interrupt.cancellation)
            if output != "-" { Console.error("→ \(output)  \(Self.text(mix, file))".onOneLine) }
        }
        if let plot, let picture {
            try Console.deliver(picture, to: plot)
            Console.error("→ \(plot)".onOneLine)
        }
        for warning in warnings { Self.warn(warning) }
    }

    private func write(_ set: ToneSet, to folder: String) throws {
        try set.write(to: folder, samples: bits ?? .int24, hasDither: dither, cancellation: Interrupt.cancellation)
        Console.error("→ \(folder)  \(set.signals.count) signals, and what meters show in expected.txt".onOneLine)
        Console.error("not synthesised: \(set.missing)")
    }

    private static func text(_ mix: ToneMix, _ file: ToneFile) -> String {
        let samples = file.samples == .float ? "32-bit float" : "\(file.samples.rawValue)-bit"
        let seconds = DecimalNumber.text(mix.seconds.rounded(places: 3))
        return "\(seconds) s, \(mix.sampleRate) Hz, \(mix.channelCount.counted("channel")), \(samples)"
    }

    private static func warn(_ warning: MediaWarning) {
        Console.error("warning: \(warning.message)\(warning.advice.map { "; \($0)" } ?? "")".onOneLine)
    }
}

extension ToneFile.Container: ExpressibleByArgument {}
extension ToneSamples: ExpressibleByArgument {}
extension TonePlot.Theme: ExpressibleByArgument {}

/// `-23LUFS`, `-23`.
struct LUFS: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        let number = argument.lowercased().hasSuffix("lufs") ? argument.dropLast(4) : argument[...]
        guard let value = DecimalNumber.value(number) else { return nil }
        self.value = value
    }
}

extension Tone.Level: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
