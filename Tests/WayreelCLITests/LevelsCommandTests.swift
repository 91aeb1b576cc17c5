internal import FoundationEssentials
internal import TestSupport
internal import Testing

/// The commands of the documentation, word for word, in a shell.
@Suite struct LevelsCommandTests {
    private let bench = Workbench()

    @Test func makesVisualizerData() throws {
        let run = try expectDone(bench.shell("wayreel levels Media/radio/bunny.mp3 -o levels.json --rate 30"))
        #expect(run.lines.count == 1 && run.errors.hasPrefix("Media/radio/bunny.mp3 → levels.json  30.0 s of audio"))
        let levels = try bench.levels("levels.json")
        #expect(levels.schema == "wayreel.levels" && levels.version == 1 && levels.unit == "dBFS")
        // FFmpeg decodes 1 323 840 samples: 900 buckets of 1470, and 840 more.
        #expect(levels.sampleCount == 1_323_840 && levels.bucketCount == 901)
        #expect(levels.lastBucketSamples == 840 && levels.lastBucketIsPartial)
        #expect(levels.channels.map(\.name) == ["left", "right"])
        for channel in levels.channels {
            let (peak, rms) = (try #require(channel.peak), try #require(channel.rms))
            #expect(peak.count == 901 && rms.count == 901 && channel.meter == nil)
            #expect(zip(peak, rms).allSatisfy { $0 >= $1 && $1 >= -160 })
        }
        // The peaks that FFmpeg's astats measures.
        #expect(levels.channels.compactMap { $0.peak?.max() } == [-3.3, -3.2])
        #expect(bench.listing() == ["levels.json"])
    }

    @Test func appliesBallistics() throws {
        expectDone(try bench.shell("wayreel levels Media/radio/bunny.mp3 -o levels.json --rate 60 --meter apple"))
        let levels = try bench.levels("levels.json")
        for channel in levels.channels {
            let (peak, meter) = (try #require(channel.peak), try #require(channel.meter))
            let hold = try #require(channel.hold)
            #expect(peak.count == 1802 && meter.count == 1802)
            // The meter shows the average power and holds the peak; it falls by 60 dB in 1.24 s.
            #expect(zip(peak, hold).allSatisfy { $1 >= $0 } && zip(meter, hold).allSatisfy { $1 >= $0 })
            let falls = zip(meter, meter.dropFirst()).map { $0 - $1 }
            #expect(try #require(falls.max()) < 60 / 1.24 / 60 + 0.011)
        }
    }

    @Test(arguments: [
        ("-o out.dat --zoom 256 --bits 16 --split-channels", "wav.z256.b16.split.dat"),
        ("-o out.dat --zoom 64", "wav.z64.b8.mono.dat"),
        ("-o out.dat --zoom 256 --bits 8 --amplitude-scale auto", "wav.z256.b8.mono.autoscale.dat"),
        ("-o out.json --format audiowaveform --zoom 256 --bits 8 --split-channels", "wav.z256.b8.split.json"),
        ("-o out.json --format audiowaveform --pixels-per-second 100 --bits 8", "wav.pps100.b8.mono.json"),
    ]) func writesWhatAudiowaveformDoes(_ options: String, _ golden: String) throws {
        let expected = try Fixture.bytes(Fixture.goldenLevels("bunny-4s.\(golden)"))
        expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.wav \(options)"))
        #expect(try bench.bytes(bench.listing()[0]) == expected)
        expectDone(try bench.shell("cat Media/radio/bunny-4s.flac | wayreel levels - \(options)"))
        #expect(try bench.bytes(bench.listing()[0]) == expected)
    }

    @Test func makesPeaksForPlayers() throws {
        struct Peaks: Decodable {
            var duration: Double?
            var peaks: [[Double]]?
            var samples: [Int]?
        }
        func peaks(_ name: String) throws -> Peaks {
            try JSONDecoder().decode(Peaks.self, from: Data(try bench.bytes(name)))
        }
        expectDone(
            try bench.shell("wayreel levels Media/radio/bunny-4s.m4a -o peaks.json --format wavesurfer --points 800"))
        let wavesurfer = try peaks("peaks.json")
        #expect(wavesurfer.duration == 4 && wavesurfer.peaks?.map(\.count) == [800, 800])
        #expect(wavesurfer.peaks?.joined().allSatisfy { abs($0) <= 1 } == true)
        expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.m4a -o cloud.json --format soundcloud"))
        let samples = try #require(try peaks("cloud.json").samples)
        #expect(samples.count == 1800 && samples.allSatisfy { (0...140).contains($0) })
    }

    @Test(arguments: ["waveform", "bars", "strip"], ["light", "dark"])
    func drawsImages(_ style: String, _ theme: String) throws {
        let run = try bench.shell(
            """
            wayreel levels Media/radio/bunny.mp3 -o strip.png -o strip.svg --size 1200x300 --style \(style) --theme \(theme)
            """)
        expectDone(run)
        #expect(try bench.header("strip.png") == ImageFileHeader("png", 1200, 300))
        let svg = try #require(SVGFile(try bench.bytes("strip.svg")))
        #expect(!svg.paths.isEmpty)
    }

    @Test func printsASpreadsheet() throws {
        let run = try expectDone(
            bench.shell(
                "ln -s Media/radio/bunny-4s.m4a talk.mp4; wayreel levels talk.mp4 -o - --format csv < /dev/null"))
        let rows = run.text.split(separator: "\n")
        #expect(rows[0] == "time,samples,left_peak,left_rms,right_peak,right_rms" && rows.count == 121)
        #expect(rows.dropFirst().allSatisfy { $0.split(separator: ",").count == 6 })
        #expect(run.lines.count == 1)
    }

    /// Compared with FFmpeg's ebur128 filter.
    @Test func measuresLoudness() throws {
        let run = try bench.shell("wayreel levels Media/radio/bunny.mp3 Media/radio/bunny-4s.wav --loudness --quiet")
        expectDone(run)
        #expect(run.errors.isEmpty)
        let rows = run.text.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        }
        #expect(rows.map(\.first) == ["integrated", "Media/radio/bunny.mp3", "Media/radio/bunny-4s.wav", "all"])
        #expect(
            rows[1].dropFirst().prefix(2) == ["-23.7", "LUFS"] && rows[2].dropFirst().prefix(2) == ["-20.7", "LUFS"])
        #expect(rows[1].suffix(2) == ["-3.2", "dBFS"] && rows[2].suffix(2) == ["-6.4", "dBFS"])
        // If standard output is used for levels, the table goes to standard error.
        let beside = try expectDone(bench.shell("wayreel levels Media/radio/bunny-4s.wav --loudness -o - --format csv"))
        #expect(beside.errors.contains("-20.7 LUFS") && beside.text.hasPrefix("time,"))
    }

    @Test func metersLiveAudio() throws {
        let run = try expectDone(
            bench.shell(
                "tail -c +79 Media/radio/bunny-4s.wav | wayreel levels - --raw s16le:44100:2 --live --rate 60"))
        let live = run.text.split(separator: "\n")
        // 176 397 samples in buckets of 735.
        #expect(live.count == 1 + 240 && live[0].contains("\"live\":true") && live[240].contains("\"partial\":true"))
        expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.wav -o all.csv --rate 60"))
        let rows = try bench.text("all.csv").split(separator: "\n").dropFirst()
        for (line, row) in zip(live.dropFirst(), rows) {
            let cells = row.split(separator: ",")
            #expect(line.contains("\"peak\":[\(cells[2]),\(cells[4])],\"rms\":[\(cells[3]),\(cells[5])]"), "\(row)")
        }
    }

    /// A block of such a file is longer than the kept readings.
    @Test func tellsEveryReadingOfASlowFile() throws {
        try bench.write([UInt8](repeating: 0xC0, count: 8000 * 60), to: "slow.raw")
        let run = try expectDone(bench.shell("wayreel levels slow.raw --raw u8:8000:1 --live --rate 30"))
        #expect(run.text.split(separator: "\n").count == 1 + 60 * 30 && !run.text.contains("merged"))
    }

    @Test func reportsResults() throws {
        let run = try bench.shell("wayreel levels Media/radio/*.mp3 -o levels/ --rate 30 --report report.json")
        expectDone(run)
        #expect(bench.listing("levels") == ["bunny-4s.json", "bunny.json"])
        let report = try bench.report()
        #expect(report.tasks.map(\.output.path) == ["levels/bunny-4s.json", "levels/bunny.json"])
        for task in report.tasks {
            #expect(task.status == "done" && task.input.format == "mp3" && task.warnings.isEmpty)
            #expect(task.output.bytes == (try bench.bytes(task.output.path)).count)
            #expect(task.steps.map(\.name) == ["detect", "open", "decode and meter", "write"])
            #expect(task.peakMemoryBytes < 64 << 20)
        }
        #expect(abs((report.tasks[1].input.seconds ?? 0) - 30.019) < 0.001)
    }

    @Test func makesSeveralOutputsInOnePass() throws {
        expectDone(
            try bench.shell("wayreel levels Media/radio/bunny-4s.ogg -o a.dat -o a.png -o a.json --report report.json"))
        let task = try bench.report().tasks[0]
        #expect(task.furtherOutputs?.map(\.format) == ["png", "json"] && task.output.format == "dat")
        for (name, options) in [("a.dat", ""), ("a.png", ""), ("a.json", "")] {
            let whole = try bench.bytes(name)
            expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.ogg -o alone-\(name) \(options) --jobs 1"))
            #expect(try bench.bytes("alone-\(name)") == whole, "\(name)")
        }
        // In a folder, each input has one file per format.
        expectDone(try bench.shell("wayreel levels Media/radio/*.mp3 -o out --format dat --format svg"))
        #expect(bench.listing("out") == ["bunny-4s.dat", "bunny-4s.svg", "bunny.dat", "bunny.svg"])
    }

    /// The edges of points are exact for a file, for a pipe, and for a file that does not declare its length.
    @Test func dividesIntoExactPoints() throws {
        let click = "ffmpeg -v error -f lavfi -i \"aevalsrc='0.5*eq(mod(n,200000),249)':s=50000:d=4\" -c:a pcm_s16le"
        expectDone(try bench.shell("\(click) click.wav"))
        for input in ["wayreel levels click.wav", "cat click.wav | wayreel levels -"] {
            let rows = try bench.shell("\(input) -o - --points 800 --format csv").text.split(separator: "\n")
            // 200 000 samples in 800 points: sample 249 is the last one of the first.
            #expect(rows[1].hasPrefix("0,250,-6.02,") && rows[2].hasPrefix("0.005,250,-160,"), "\(rows[1...2])")
        }
        // Two links of 72 000 samples: 100 points of 1440.
        expectDone(try bench.shell("ffmpeg -v error -f lavfi -i anoisesrc=d=1.5:a=0.3 -c:a libopus -b:a 64k a.opus"))
        expectDone(try bench.shell("cat a.opus a.opus > chain.opus"))
        let points = try bench.shell("wayreel levels chain.opus -o - --points 100 --format csv")
        let zoom = try bench.shell("wayreel levels chain.opus -o - --zoom 1440 --format csv")
        #expect(points.text == zoom.text && zoom.text.split(separator: "\n").count == 101)
    }

    @Test func readsLevelsFiles() throws {
        expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.wav -o fine.dat -o fine.json --zoom 256"))
        expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.wav -o direct.dat -o direct.json --zoom 4096"))
        expectDone(try bench.shell("wayreel levels fine.dat -o coarse.dat --zoom 4096"))
        #expect(try bench.bytes("coarse.dat") == bench.bytes("direct.dat"))
        expectDone(try bench.shell("wayreel levels fine.json -o coarse.json --zoom 4096"))
        let (coarse, direct) = (try bench.levels("coarse.json"), try bench.levels("direct.json"))
        #expect(coarse.channels.map(\.peak) == direct.channels.map(\.peak) && coarse.bucketCount == 44)
        for name in ["fine.dat", "fine.json"] {
            expectDone(try bench.shell("wayreel levels \(name) -o plot.png --style bars"))
            #expect(try bench.header("plot.png") == ImageFileHeader("png", 1200, 300))
        }
        for options in ["--zoom 128", "--rate 1000", "--points 800"] {
            expectRefused(
                try bench.shell("wayreel levels fine.dat -o finer.json \(options)"), 1, "fine.dat: ",
                "use the audio as input")
        }
        #expect(!bench.exists("finer.json"))
    }

    @Test func describesMeters() throws {
        let run = try expectDone(bench.shell("wayreel meters"))
        for name in ["peak", "apple", "ppm1", "ppm2", "vu", "digital"] { #expect(run.text.contains("\(name): ")) }
        expectDone(try bench.shell("wayreel meters --json"))
    }
}
