import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelTones

/// The plot of samples on their wave.
@Suite struct TonePlotTests {
    private func svg(_ tones: [Tone], channels: Int = 1, isNaive: Bool = false) throws -> SVGFile {
        let mix = ToneMix(tones, channelCount: channels, seconds: 1, isNaive: isNaive)
        let file = SVGFile(try TonePlot().draw(mix, as: .svg))
        return try #require(file)
    }

    /// Lines of waves: strokes of one part.
    private func lines(_ file: SVGFile) -> [SVGFile.Path] {
        file.paths.filter { ($0.attributes["stroke"]?.hasPrefix("#") ?? false) && $0.parts.count == 1 }
    }

    @Test func drawsThreeWavesWithADotForEachSample() throws {
        let file = try svg([Tone(.sine(hertz: 3000))])
        #expect(file.texts["title"] == "Samples of sine:3000")
        #expect(file.texts["desc"]?.hasPrefix("48 samples at 48000 Hz; channel 1: samples up to 0.100") == true)
        let stems = file.paths.filter { $0.attributes["stroke-opacity"] != nil }
        #expect(stems.count == 1 && stems[0].parts.count == 48)
        let dots = file.paths.filter { $0.attributes["fill"] != "none" && $0.parts.count == 48 }
        #expect(dots.count == 1)
        #expect(lines(file).count == 1)
    }

    /// At half the sample rate, and for samples of ideal waves, there is a second line: what is heard.
    @Test func drawsWhatIsHeard() throws {
        #expect(lines(try svg([Tone(.sine(hertz: 24_000))])).count == 2)
        #expect(lines(try svg([Tone(.square(hertz: 5000))], isNaive: true)).count == 2)
        #expect(lines(try svg([Tone(.square(hertz: 5000))])).count == 1)
        // A sine at half the sample rate with phase 0 is heard as silence: a flat line.
        let heard = try #require(lines(try svg([Tone(.sine(hertz: 24_000))])).last)
        #expect(heard.maxY - heard.minY < 0.01)
    }

    @Test func channelsHaveLanes() throws {
        let tones = [
            Tone(.sine(hertz: 1000), channels: [1]), Tone(.whiteNoise, channels: [2]), Tone(.clicks(perSecond: 1)),
        ]
        let lanes = lines(try svg(tones, channels: 2))
        #expect(lanes.count == 2 && lanes[0].maxY < lanes[1].minY)
        let png = try TonePlot(size: PixelSize(width: 640, height: 300), theme: .dark).draw(
            ToneMix(tones, channelCount: 2, seconds: 1), as: .png)
        #expect(ImageFileHeader(png) == ImageFileHeader("png", 640, 300))
    }

    @Test func drawsTheShortestAndTheLongest() throws {
        for mix in [
            ToneMix([Tone(.impulse)], seconds: 1 / 48_000), ToneMix([Tone(.silence)], seconds: 1),
            ToneMix([Tone(.sine(hertz: 0.001))], seconds: 100),
            ToneMix([Tone(.sine(hertz: 440), start: 59)], seconds: 60),
        ] {
            #expect(SVGFile(try TonePlot().draw(mix, as: .svg)) != nil)
        }
    }

    @Test func refusesSizesAndChannels() throws {
        let mix = ToneMix([Tone(.sine(hertz: 440))], seconds: 1)
        for size in [PixelSize(width: 199, height: 400), PixelSize(width: 16_385, height: 400)] {
            #expect(throws: MediaError.self) { try TonePlot(size: size).draw(mix, as: .svg) }
        }
        let wide = ToneMix([Tone(.sine(hertz: 440))], channelCount: 9, seconds: 1)
        #expect(throws: MediaError.self) { try TonePlot().draw(wide, as: .svg) }
    }
}

/// The sets of EBU Tech 3341 and 3342.
@Suite struct ToneSetTests {
    /// Cases 10 and 13 have 20 files each; 7 and 8 are missing.
    @Test func namesItsSignals() {
        let names = ToneSet.ebu3341().signals.map(\.name)
        #expect(names.count == 59 && Set(names).count == 59)
        #expect(names.first == "3341-01" && names.last == "3341-23" && names.contains("3341-13-20"))
        #expect(ToneSet.ebu3342().signals.map(\.name) == ["3342-01", "3342-02", "3342-03", "3342-04"])
        #expect(ToneSet(named: "EBU3341") == .ebu3341() && ToneSet(named: "ebu3340") == nil)
    }

    /// Durations by the tables.
    @Test(arguments: [
        ("3341-01", 20.0), ("3341-03", 80), ("3341-04", 100), ("3341-05", 60.1), ("3341-06", 20), ("3341-09", 15),
        ("3341-10-20", 6.85), ("3341-11", 120), ("3341-12", 10), ("3341-13-1", 1.4), ("3341-14", 16),
        ("3341-20", 5), ("3341-23", 5),
    ]) func lastsAsLongAsTheTableSays(name: String, seconds: Double) throws {
        let signal = try #require(ToneSet.ebu3341().signals.first { $0.name == name })
        #expect(abs(signal.mix.seconds - seconds) < 1e-9)
        #expect(try signal.mix.warnings().isEmpty)
    }

    /// Case 11: for each i from 0 to 19, i · 0.15 s of silence, 3 s at −38 + i dBFS, silence up to 6 s.
    @Test func levelsRise() throws {
        let signal = try #require(ToneSet.ebu3341().signals.first { $0.name == "3341-11" })
        let samples = try render(signal.mix.tones, channels: 2, seconds: signal.mix.seconds)
        #expect(samples[0] == samples[1])
        for index in 0..<20 {
            let (start, onset) = (index * 288_000, index * 7200)
            #expect(samples[0][start..<start + onset].allSatisfy { $0 == 0 })
            let tone = samples[0][start + onset..<start + onset + 144_000]
            #expect(abs((tone.max() ?? 0).decibels - Double(index - 38)) < 1e-3)
            #expect(samples[0][start + onset + 144_000..<start + 288_000].allSatisfy { $0 == 0 })
        }
    }

    /// Cases 20 to 23 by the table: a sine of fs/6 and half of full scale with one cycle of fs/4 at full scale, synthesised at
    /// 4 fs and downsampled with an offset; the maximum true peak is 0.0 +0.2/−0.4 dBTP.
    @Test func onePeakBetweenSamples() throws {
        let rate = 48_000
        let set = ToneSet.ebu3341(sampleRate: rate)
        let signals = try (0..<4).map { offset in
            let signal = try #require(set.signals.first { $0.name == "3341-\(20 + offset)" })
            #expect(signal.offset == offset)
            let sink = MemorySink()
            _ = try ToneFile(.raw, samples: .float).writePCM(signal.mix, offset: offset, to: sink)
            let samples = sink.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            try #require(samples.count == 2 * 5 * rate)
            let left = stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) }
            #expect(stride(from: 1, to: samples.count, by: 2).map { Double(samples[$0]) } == left)
            return left
        }
        // The cycle begins after 2.5 s. Away from it and from the fades, sample i of offset k is at (i + k/4) samples.
        let start = 120_000
        for (offset, samples) in signals.enumerated() {
            for index in start - 1000..<start - 100 {
                let time = Double(index % 6) + Double(offset) / 4
                #expect(abs(samples[index] - 0.5 * sin(2 * .pi * time / 6)) < 1e-4)
            }
            // After the cycle of 4 samples, the sine begins anew.
            for index in start + 104..<start + 1000 {
                let time = Double((index - start - 4) % 6) + Double(offset) / 4
                #expect(abs(samples[index] - 0.5 * sin(2 * .pi * time / 6)) < 1e-4)
            }
            // What the samples mean between them: their interpolation by sin(πx)/πx, in sixteenths.
            let peak =
                (-16 * 8...16 * 12).map { step -> Double in
                    let time = Double(start) + Double(step) / 16
                    return (start - 400..<start + 404).reduce(0.0) { sum, index in
                        let x = .pi * (time - Double(index))
                        let window = 0.5 + 0.5 * cos(x / 410)
                        return sum + samples[index] * window * (abs(x) < 1e-9 ? 1 : sin(x) / x)
                    }
                }.map(abs).max() ?? 0
            let decibels = 20 * log10(peak)
            #expect((-0.4...0.2).contains(decibels), "case \(20 + offset): \(decibels) dBTP")
        }
        // The samples themselves do not show it, unless one is at the peak.
        #expect((signals[2].map(abs).max() ?? 1) < 0.95)
    }

    @Test func writesAFolderThatAppearsWhenItIsComplete() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/ebu"
        try ToneSet.ebu3342(sampleRate: 8000).write(to: path, samples: .int16)
        #expect(
            Fixture.listing(path).filter { !$0.hasPrefix(".") }
                == ["3342-01.wav", "3342-02.wav", "3342-03.wav", "3342-04.wav", "expected.txt"])
        #expect(try Fixture.text("\(path)/expected.txt").hasPrefix("3342-01.wav  LRA = 10 ±1 LU\n"))
        #expect(try Fixture.bytes("\(path)/3342-01.wav").count == 44 + 40 * 8000 * 4)
        // Again, over its own files; not over others.
        try ToneSet.ebu3342(sampleRate: 8000).write(to: path, samples: .int16)
        try OutputFile.write([1], to: "\(path)/mine.wav")
        #expect(throws: MediaError.self) { try ToneSet.ebu3342(sampleRate: 8000).write(to: path) }
        #expect(throws: MediaError.self) { try ToneSet.ebu3342(sampleRate: 1500).write(to: "\(folder.path)/low") }
    }
}
