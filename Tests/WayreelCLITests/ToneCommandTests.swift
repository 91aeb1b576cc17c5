internal import TestSupport
internal import Testing

/// `wayreel tone`, judged by FFmpeg.
@Suite struct ToneCommandTests {
    private let bench = Workbench()

    /// The samples of a file as FFmpeg decodes them, in 24 bits.
    private func decoded(_ name: String) throws -> [UInt8] {
        try expectDone(bench.shell("ffmpeg -v error -i \(name) -f s24le -")).output
    }

    /// All files with the same samples, and again standard output.
    @Test func containersHoldTheSameSamples() throws {
        let signals = ["sine:440:channels=1", "noise:pink:channels=2", "saw:97.3:level=-30dBFS", "--seconds", "1.2345"]
        for name in ["a.raw", "a.wav", "a.flac", "a.caf", "b.wav"] {
            let run = try bench.command(["tone"] + signals + ["--bits", "24", "-o", name]).run()
            expectDone(run)
            #expect(run.errors == "→ \(name)  1.235 s, 48000 Hz, 2 channels, 24-bit\n", "\(run.errors)")
        }
        let raw = try bench.bytes("a.raw")
        #expect(raw.count == 59_256 * 6)
        for name in ["a.wav", "a.flac", "a.caf"] { #expect(try decoded(name) == raw, "\(name)") }
        #expect(try bench.bytes("a.wav") == bench.bytes("b.wav"))
        let piped = try bench.command(["tone"] + signals + ["--bits", "24", "-o", "-"]).run()
        #expect(try expectDone(piped).output == bench.bytes("a.wav") && piped.errors.isEmpty)
        let flac = try bench.command(["tone"] + signals + ["--bits", "24", "-o", "-", "--format", "flac"]).run()
        #expect(try expectDone(flac).output == bench.bytes("a.flac"))
    }

    @Test(arguments: [("16", "s16"), ("24", "s32"), ("32", "s32"), ("float", "flt")])
    func samplesHaveTheirFormat(bits: String, format: String) throws {
        for name in ["a.wav", "a.caf"] {
            let run = try bench.wayreel(
                "tone", "square:441", "-o", name, "--bits", bits, "--channels", "6", "--sample-rate", "44100",
                "--seconds", "1", "--level", "-23dBFS")
            expectDone(run)
            let entries = "sample_fmt,sample_rate,channels,channel_layout,duration"
            let probe = try bench.shell(
                "ffprobe -v error -show_entries stream=\(entries) -of default=nokey=1:noprint_wrappers=1 \(name)")
            #expect(
                expectDone(probe).text.split(separator: "\n").map(String.init) == [
                    format, "44100", "6", "5.1", "1.000000",
                ],
                "\(probe.text)")
            // The RMS of a full-scale sine, 0 dBFS, is −3.01 dB of FFmpeg's.
            let level = try bench.shell(
                "ffmpeg -hide_banner -i \(name) -af volumedetect -f null - 2>&1 | grep mean_volume")
            #expect(level.text.contains("mean_volume: -26.0 dB"), "\(level.text)")
        }
    }

    @Test func tellsOfHalfTheSampleRate() throws {
        let edge = try expectDone(bench.wayreel("tone", "sine:24000", "-o", "a.wav", "--no-dither"))
        #expect(edge.errors.contains("warning: sine:24000: is half the sample rate, two samples a wave"))
        #expect(edge.errors.contains("all samples are 0, which is silence"))
        #expect(try bench.bytes("a.wav").dropFirst(44).allSatisfy { $0 == 0 })
        let above = try bench.wayreel("tone", "sine:30000", "-o", "b.wav")
        expectRefused(above, 2, "sine:30000", "18000 Hz would be heard", "at most 24000 Hz")
        let naive = try expectDone(bench.wayreel("tone", "sine:30000", "-o", "c.wav", "--naive"))
        #expect(naive.errors.contains("warning: sine:30000: 30000 Hz is above half the sample rate"))
        #expect(bench.listing().sorted() == ["a.wav", "c.wav"])
    }

    @Test func plots() throws {
        let run = try bench.wayreel("tone", "square:5000", "-o", "a.wav", "--naive", "--plot", "a.svg")
        #expect(expectDone(run).errors.hasSuffix("→ a.svg\n"))
        let svg = try #require(SVGFile(bench.bytes("a.svg")))
        #expect(svg.texts["title"] == "Samples of square:5000")
        expectDone(
            try bench.wayreel("tone", "sine:1k", "--plot", "b.png", "--plot-size", "640x300", "--plot-theme", "dark"))
        #expect(try bench.header("b.png") == ImageFileHeader("png", 640, 300))
        #expect(bench.listing().sorted() == ["a.svg", "a.wav", "b.png"])
    }

    @Test(
        arguments: [
            (["sine:440"], "name an --output"), (["-o", "a.wav"], "signals"),
            (["sine:440", "-o", "a.mp3"], ".wav, .flac"),
            (["sine:440", "-o", "a"], "--format"), (["sine:440", "-o", "a.flac", "--bits", "float"], "FLAC"),
            (["sine:440", "-o", "a.wav", "--bits", "12"], "--bits"),
            (["sien:440", "-o", "a.wav"], "did you mean 'sine'?"),
            (["sine:440", "-o", "a.wav", "--seconds", "0"], "0 seconds"),
            (["sine:440", "-o", "a.wav", "--seconds", "nan"], "seconds"),
            (["sine:440", "-o", "a.wav", "--seconds", "1e9"], "24 hours"),
            (["sine:440", "-o", "a.wav", "--level", "loud"], "--level"),
            (["sine:440", "-o", "a.wav", "--sample-rate", "5"], "sample rate"),
            (["sine:440", "-o", "a.wav", "--channels", "65"], "1 to 64"),
            (["sine:440", "-o", "a.wav", "--plot", "a.gif"], ".svg or .png"),
            (["sine:440", "-o", "a.wav", "--plot-size", "9x9"], "--plot"),
            (["sine:440", "--plot", "a.svg", "--bits", "16"], "--output"), (["ebu3341", "-o", "-"], "folder"),
            (["ebu3341", "-o", "x", "--seconds", "5"], "its own signals"),
            (["ebu3341", "sine:440", "-o", "a.wav"], "ebu3341"),
            (["sine:440", "-o", "no/a.wav"], "no/a.wav"),
        ] as [([String], String)])
    func refuses(arguments: [String], words: String) throws {
        let run = try bench.command(["tone"] + arguments).run()
        #expect(run.ending == .exited(arguments.last == "no/a.wav" ? 1 : 2), "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(bench.listing() == [])
    }

    /// What FFmpeg's ebur128 measures: the last integrated loudness and range, the largest other values.
    private func loudness(_ name: String) throws -> [String: Double] {
        let filter = "ebur128=peak=true:metadata=1,ametadata=print:file=-"
        let run = try bench.shell("ffmpeg -v error -i \(name) -af \(filter) -f null -")
        var values: [String: Double] = [:]
        for line in expectDone(run).text.split(separator: "\n") where line.hasPrefix("lavfi.r128.") {
            let terms = line.dropFirst("lavfi.r128.".count).split(separator: "=")
            guard terms.count == 2, let value = Double(terms[1]), value.isFinite else { continue }
            let isLast = ["I", "LRA"].contains(terms[0])
            values[String(terms[0])] = isLast ? value : max(value, values[String(terms[0])] ?? -.infinity)
        }
        return values
    }

    /// Tolerances of EBU Tech 3341 and 3342, table 1.
    @Test func loudnessMetersAgree() throws {
        let first = try expectDone(bench.wayreel("tone", "ebu3341", "-o", "3341"))
        #expect(
            first.errors.hasPrefix("→ 3341  59 signals") && first.errors.contains("7 and 8 are recorded programmes"))
        expectDone(try bench.wayreel("tone", "ebu3342", "-o", "3342/"))
        let cases: [(file: String, key: String, value: Double, range: ClosedRange<Double>)] = [
            ("3341-01", "I", -23, -0.1...0.1), ("3341-01", "M", -23, -0.1...0.1), ("3341-01", "S", -23, -0.1...0.1),
            ("3341-02", "I", -33, -0.1...0.1), ("3341-03", "I", -23, -0.1...0.1), ("3341-04", "I", -23, -0.1...0.1),
            ("3341-05", "I", -23, -0.1...0.1), ("3341-06", "I", -23, -0.1...0.1), ("3341-10-1", "S", -23, -0.1...0.1),
            ("3341-12", "M", -23, -0.1...0.1), ("3341-13-1", "M", -23, -0.1...0.1), ("3342-01", "LRA", 10, -1...1),
            ("3342-02", "LRA", 5, -1...1), ("3342-03", "LRA", 20, -1...1), ("3342-04", "LRA", 15, -1...1),
        ]
        var measured: [String: [String: Double]] = [:]
        for item in cases {
            if measured[item.file] == nil {
                measured[item.file] = try loudness("\(item.file.prefix(4))/\(item.file).wav")
            }
            let value = try #require(measured[item.file]?[item.key])
            #expect(item.range.contains(value - item.value), "\(item.file): \(item.key) \(value), not \(item.value)")
        }
        expectDone(try bench.wayreel("tone", "noise:pink", "-o", "pink.wav", "--loudness", "-23LUFS"))
        let pink = try #require(try loudness("pink.wav")["I"])
        #expect(abs(pink + 23) < 0.1)
        let peaks = [
            ("15", 0.5), ("16", 0.5), ("17", 0.5), ("18", 0.5), ("19", 1.41), ("20", 1), ("21", 1), ("22", 1),
            ("23", 1),
        ]
        for (file, expected) in peaks {
            // FFmpeg names the true peaks of channels as factors here; −0.4 to +0.2 dB.
            let peak = try #require(try loudness("3341/3341-\(file).wav")["true_peaks_ch0"])
            #expect((0.955 * expected...1.023 * expected).contains(peak), "\(file): \(peak)")
        }
    }
}
