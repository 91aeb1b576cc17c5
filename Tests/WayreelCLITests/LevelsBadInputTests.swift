internal import Glibc
internal import TestSupport
internal import Testing

/// Invalid audio: each file gives correct levels or one clear line, never a signal, a partial file or levels without
/// audio.
@Suite struct LevelsBadInputTests {
    private let bench = Workbench()

    private func levels(_ name: String, _ options: String...) throws -> LevelsText {
        expectDone(try bench.command(["levels", name, "-o", "out.json"] + options).run())
        return try bench.levels("out.json")
    }

    @Test(arguments: [
        ("empty.wav", []), ("empty.mp3", []), ("garbage.mp3", nil), ("text.wav", Array("hello\n".utf8)),
        ("headers.wav", WaveFile.linear.bytes([Int16]())),
        ("half.wav", Array(WaveFile.linear.bytes([Int16(1), 1]).dropLast())),
        ("none.wav", WaveFile(channels: 0).bytes([Int16](repeating: 1, count: 900))),
        ("slow.wav", WaveFile(rate: 0).bytes([Int16](repeating: 1, count: 900))),
        ("wide.wav", WaveFile(channels: 65).bytes([Int16](repeating: 1, count: 65))),
        ("odd.wav", WaveFile(format: 0x9999).bytes([Int16](repeating: 1, count: 900))),
        ("list.m3u8", Array("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:4,\nsound.wav\n#EXT-X-ENDLIST\n".utf8)),
        ("list.mp3", Array("ffconcat version 1.0\nfile sound.wav\n".utf8)),
        ("list.sdp", Array("v=0\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 9 RTP/AVP 0\n".utf8)),
        ("broken.dat", [2, 0, 0, 0, 0, 0, 0, 0, 0x44, 0xAC, 0, 0, 0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 2, 0, 0, 0]),
        ("broken.json", Array("{\"version\":2,\"channels\":1,".utf8)), ("other.json", Array("{\"peaks\":[1]}".utf8)),
    ]) func isRefusedInOneLine(_ name: String, _ bytes: [UInt8]?) throws {
        var random = SeededRandom(seed: 3)
        let garbage = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        try bench.write(bytes ?? garbage, to: name)
        // Files named by a playlist must not be opened.
        try bench.write(WaveFile.linear.bytes([Int16](repeating: 1, count: 900)), to: "sound.wav")
        for option in [["-o", "out.json"], ["-o", "out.png"], ["--loudness"], ["--live"]] {
            expectRefused(try bench.command(["levels", name] + option).run(), 1, "error: \(name): ")
        }
        var piped = bench.command(["levels", "-", "-o", "out.json"])
        piped.input = bytes ?? garbage
        expectRefused(try piped.run(), 1, "error: standard input: ")
        #expect(bench.listing() == [name, "sound.wav"].sorted())
    }

    /// FFmpeg's decoder does not return from the first bytes of a JPEG XL file, also while only a plan is made.
    @Test(arguments: [
        ["levels", "cut.jxl", "-o", "out.json"], ["transcode", "cut.jxl", "-o", "out.mp4"],
        ["transcode", "cut.jxl", "-o", "out.mp4", "--plan"],
    ])
    func refusesJPEGXL(arguments: [String]) throws {
        try bench.write(Array(Fixture.imageBytes("rgb.jxl").prefix(141)), to: "cut.jxl")
        var command = bench.command(arguments)
        command.maxSeconds = 30
        expectRefused(try command.run(), 1, "error: cut.jxl: ", "JPEG XL")
    }

    @Test func isNoAudio() throws {
        bench.makeFolder("folder.mp3")
        for (name, words) in [
            ("photo.jpg", "has no audio"), ("Media/captures/frame-1080p.png", "has no audio"),
            ("folder.mp3", "is a directory"),
            ("missing.mp3", "no such file"), ("/dev/null", "the file is empty"), ("Media/SOURCES.md", "is not audio"),
            ("Media/captures/still-photo.heic", "is an image (HEIC), not audio"),
        ] {
            expectRefused(try bench.wayreel("levels", name, "-o", "out.json"), 1, "error: \(name): ", words)
        }
        expectRefused(
            try bench.wayreel("levels", "Media/radio/bunny.mp3", "-o", "out.json", "--track", "2"), 1,
            "no audio track 2",
            "it has 1")
        #expect(bench.listing() == ["folder.mp3"])
    }

    @Test func detectsFormatsByContent() throws {
        for (name, sample) in [
            ("mp3.wav", "bunny-4s.mp3"), ("flac.dat", "bunny-4s.flac"), ("wav.json", "bunny-4s.wav"),
        ] {
            try bench.write(try Fixture.bytes(Fixture.media("radio/\(sample)")), to: name)
            #expect(try levels(name).sampleCount == 176_397)
        }
    }

    @Test func silenceIsSilent() throws {
        try bench.write(WaveFile.linear.bytes([Int16](repeating: 0, count: 2 * 44_100)), to: "silence.wav")
        let silence = try levels("silence.wav")
        for channel in silence.channels {
            #expect(channel.peak == [Double](repeating: -160, count: 30) && channel.rms == channel.peak)
        }
        #expect(!silence.lastBucketIsPartial)
        let run = try expectDone(bench.wayreel("levels", "silence.wav", "--loudness", "-o", "out.png", "-o", "out.svg"))
        #expect(run.text.contains("none"))
    }

    @Test func levelsMatchTheSamples() throws {
        // 1500 samples: a bucket of 1470 and one of 30. The left channel is constantly 0.5, the right one alternates
        // between ±0.25.
        let samples = (0..<3000).map { (index) -> Int16 in index % 2 == 0 ? 0x4000 : index % 4 == 1 ? 0x2000 : -0x2000 }
        try bench.write(WaveFile.linear.bytes(samples), to: "steady.wav")
        let decibels = try levels("steady.wav", "--readings", "min", "max", "peak", "rms")
        #expect(decibels.lastBucketSamples == 30 && decibels.lastBucketIsPartial)
        #expect(decibels.channels[0].peak == [-6.02, -6.02] && decibels.channels[0].rms == [-6.02, -6.02])
        #expect(decibels.channels[1].peak == [-12.04, -12.04] && decibels.channels[1].rms == [-12.04, -12.04])
        let linear = try levels("steady.wav", "--unit", "linear", "--readings", "min", "max")
        #expect(linear.channels[1].min == [-0.25, -0.25] && linear.channels[1].max == [0.25, 0.25])
        let integers = try levels("steady.wav", "--unit", "int16", "--readings", "min", "max")
        #expect(integers.channels[1].min == [-8192, -8192] && integers.channels[0].max == [16384, 16384])
    }

    @Test func oversAreKeptUnlessClamped() throws {
        try bench.write(WaveFile.floats.bytes([Float](repeating: 2, count: 2000)), to: "over.wav")
        #expect(try levels("over.wav").channels[0].peak == [6.02])
        #expect(try levels("over.wav", "--clamp").channels[0].peak == [0])
    }

    @Test func invalidSamplesAreSilent() throws {
        try bench.write(
            WaveFile.floats.bytes([.nan, .infinity, -.infinity, 0.5] + [Float](repeating: 0, count: 996)), to: "nan.wav"
        )
        let run = try expectDone(bench.wayreel("levels", "nan.wav", "-o", "out.json"))
        #expect(run.lines.count == 2 && run.errors.hasPrefix("nan.wav: decode: "))
        #expect(run.errors.contains("NaN or infinite"))
        #expect(try bench.levels("out.json").channels.map(\.peak) == [[-160], [-6.02]])
        expectRefused(
            try bench.wayreel("levels", "nan.wav", "-o", "no.json", "--fail-on", "warning"), 1, "nan.wav: decode: ",
            "NaN or infinite")
        #expect(!bench.exists("no.json"))
    }

    @Test func takesUnusualRatesAndChannels() throws {
        try bench.write(WaveFile(rate: 384_000).bytes([Int16](repeating: 0x4000, count: 768_000)), to: "fast.wav")
        let fast = try levels("fast.wav")
        #expect(fast.bucketCount == 30 && fast.channels[1].peak?.allSatisfy { $0 == -6.02 } == true)
        try bench.write(WaveFile(channels: 64).bytes([Int16](repeating: 0x4000, count: 64 * 100)), to: "wide.wav")
        #expect(try levels("wide.wav", "--channels", "all").channels.count == 64)
        #expect(try levels("wide.wav").channels.count == 2)
        try bench.write(WaveFile.linear.bytes([Int16(0x4000), 0]), to: "short.wav")
        #expect(try levels("short.wav").channels.map(\.peak) == [[-6.02], [-160]])
    }

    @Test(arguments: ["wav", "flac", "mp3", "m4a", "ogg", "opus"]) func truncatedAtEveryTwentieth(_ kind: String) throws
    {
        let whole = try Fixture.bytes(Fixture.media("radio/bunny-4s.\(kind)"))
        bench.makeFolder("in")
        let names = (0..<20).map { "in/\($0 < 10 ? "0" : "")\($0).\(kind)" }
        for (part, name) in names.enumerated() {
            try bench.write(Array(whole.prefix(whole.count * part / 20)), to: name)
        }
        for tolerance in ["none", "missing", "warning"] {
            let run = try bench.command(
                ["levels", "-o", tolerance, "--report", "report.json", "--fail-on", tolerance] + names
            ).run()
            #expect(run.ending == .exited(1), "\(run.errors)")
            let tasks = try bench.report().tasks
            for task in tasks {
                if let error = task.error {
                    #expect(error.kind == "decoding" || error.kind == "unsupported", "\(error)")
                    // Only the failure is reported.
                    #expect(run.lines.filter { $0.contains(task.input.path) }.map { $0.hasPrefix("error: ") } == [true])
                } else {
                    #expect(try bench.levels(task.output.path).sampleCount > 0)
                    #expect(tolerance != "warning" || task.warnings.isEmpty)
                }
            }
            #expect(bench.listing(tolerance).count == tasks.count { $0.error == nil })
            #expect(tasks[0].error != nil)
            // These formats declare their length in the header.
            if ["wav", "flac", "mp3"].contains(kind) {
                #expect((tasks[10].error == nil) == (tolerance == "none"))
                #expect((tasks[17].error == nil) == (tolerance != "warning"))
                #expect(tasks[17].warnings.contains { $0.message.contains("the file says that it is 4") })
            }
        }
    }

    /// A program that writes to a pipe cannot go back to write the length.
    @Test(arguments: [0, UInt32.max, 0xFFFF_FFF0, 0x7FFF_F000, 0x7FFF_FFFF]) func ignoresDeclaredLengthsOfPipes(
        _ declared: UInt32
    ) throws {
        try bench.write(WaveFile(declaredBytes: declared).bytes([Int16](repeating: 1, count: 2 * 1470)), to: "pipe.wav")
        for line in ["wayreel levels pipe.wav -o out.json", "cat pipe.wav | wayreel levels - -o out.json"] {
            let run = try expectDone(bench.shell(line))
            #expect(run.lines.count == 1, "\(run.errors)")
            #expect(try bench.levels("out.json").sampleCount == 1470)
        }
    }

    /// Zeros of a sparse file, which are −1 in unsigned 8 bits.
    @Test func takesTwelveHours() throws {
        let count = 12 * 3600 * 8000
        let header = WaveFile(channels: 1, rate: 8000, bits: 8, declaredBytes: UInt32(count)).bytes([UInt8]())
        try bench.write(header, to: "long.wav")
        try #require(truncate(bench.path("long.wav"), header.count + count) == 0)
        expectDone(
            try bench.wayreel(
                "levels", "long.wav", "-o", "out.dat", "-o", "out.png", "--zoom", "8000", "--report", "report.json"))
        let task = try bench.report().tasks[0]
        #expect(task.input.seconds == 43_200 && task.peakMemoryBytes < 64 << 20)
        // A header of 20 bytes, then the lowest and the highest sample of each second.
        let data = try bench.bytes("out.dat")
        #expect(data.count == 20 + 43_200 * 2 && data[20..<22].elementsEqual([0x80, 0x80]))
        expectRefused(
            try bench.wayreel("levels", "long.wav", "-o", "no.dat", "--max-hours", "11.9"), 1, "long.wav: decode: ",
            "longer than the limit", "--max-hours")
        #expect(!bench.exists("no.dat"))
    }

    @Test func keepsToItsLimits() throws {
        expectRefused(
            try bench.wayreel("levels", "Media/radio/bunny-4s.mp3", "-o", "out.json", "--max-channels", "1"), 1,
            "has 2 channels", "--max-channels")
        expectRefused(
            try bench.wayreel("levels", "Media/radio/bunny.mp3", "-o", "out.json", "--max-seconds", "0.0001"), 1,
            "took longer", "--max-seconds")
        expectRefused(
            try bench.wayreel("levels", "/dev/zero", "--raw", "s16le:8000:1", "-o", "out.json", "--max-hours", "1"), 1,
            "longer than the limit", "--max-hours")
        expectRefused(
            try bench.wayreel("levels", "Media/radio/bunny-4s.wav", "-o", "out.json", "--rate", "44101"), 1,
            "44101 readings per second", "44100")
        #expect(bench.listing() == [])
    }
}
