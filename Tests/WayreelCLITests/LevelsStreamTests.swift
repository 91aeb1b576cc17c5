internal import Glibc
internal import TestSupport
internal import Testing

/// Pipes, signals and full disks; and equal output for every kind of input.
@Suite struct LevelsStreamTests {
    private let bench = Workbench()
    private let raw = ["levels", "-", "--raw", "s16le:44100:2"]
    private var pcm: [UInt8] {
        get throws { try Array(Fixture.bytes(Fixture.media("radio/bunny-4s.wav")).dropFirst(78)) }
    }

    @Test(arguments: ["bunny.mp3", "bunny-4s.wav", "bunny-4s.flac", "bunny-4s.m4a", "bunny-4s.ogg", "bunny-4s.opus"])
    func filesAndPipesGiveTheSameBytes(_ name: String) throws {
        let outputs = [
            ("a.csv", ["--readings", "min", "max", "rms", "--unit", "linear", "--decimals", "9"]),
            ("a.dat", ["--bits", "16"]),
            ("a.svg", ["--size", "400x99"]),
        ]
        let together = ["-o", "a.csv", "-o", "a.dat", "-o", "a.svg"] + outputs.flatMap(\.1) + ["--rate", "1000"]
        expectDone(try bench.command(["levels", "Media/radio/\(name)", "--jobs", "1"] + together).run())
        let first = try outputs.map { try bench.bytes($0.0) }
        expectDone(try bench.command(["levels", "Media/radio/\(name)", "--jobs", "4"] + together).run())
        #expect(try outputs.map { try bench.bytes($0.0) } == first)
        for ((output, options), bytes) in zip(outputs, first) {
            var alone = bench.command(["levels", "-", "-o", output, "--rate", "1000"] + options)
            alone.input = try Fixture.bytes(Fixture.media("radio/\(name)"))
            expectDone(try alone.run())
            #expect(try bench.bytes(output) == bytes, "\(output)")
        }
    }

    @Test func readsAndWritesFIFOs() throws {
        let run = try bench.shell(
            """
            mkfifo in out; cat Media/radio/bunny-4s.flac > in & cat out > copy.csv & \
            wayreel levels in -o out --format csv && wait && test -p out && wayreel levels Media/radio/bunny-4s.wav -o file.csv
            """)
        expectDone(run)
        #expect(try bench.bytes("copy.csv") == bench.bytes("file.csv"))
    }

    @Test func endsIfItsReaderIsGone() throws {
        for arguments in [
            ["levels", "Media/radio/bunny.mp3", "-o", "-", "--rate", "1000"],
            ["levels", "Media/radio/bunny.mp3", "--live"],
            ["levels", "Media/radio/bunny-4s.wav", "--loudness"], ["meters"],
            ["levels", "Media/radio/bunny-4s.wav", "-o", "out.json", "--report", "-", "-q"],
        ] {
            var command = bench.command(arguments)
            command.output = .brokenPipe
            let run = try command.run()
            #expect(run.ending == .exited(128 + SIGPIPE), "\(arguments)")
            #expect(run.lines.count <= 1 && !run.errors.contains("Fatal"), "\(run.errors)")
        }
        // This also holds for endless audio.
        var endless = bench.command(raw + ["--live"])
        endless.input = try pcm
        endless.holdsInput = true
        endless.output = .brokenPipe
        #expect(try endless.run().ending == .exited(128 + SIGPIPE))
    }

    @Test func reportsReadingsBeforeTheAudioEnds() throws {
        var command = bench.command(raw + ["--live", "--rate", "60"])
        command.input = try Array(pcm.prefix(4 * 44_100))
        command.holdsInput = true
        command.maxSeconds = 6
        let run = try command.run()
        // The input stays open and never ends; the last bucket is complete except for later samples.
        #expect(run.ending == .timedOut)
        #expect(run.text.split(separator: "\n").count >= 1 + 59)
    }

    @Test(arguments: [
        ["-o", "out.json", "-o", "out.png", "-o", "out.dat"], ["--loudness"], ["-o", "-", "--format", "csv"],
    ]) func leavesNothingWhenInterrupted(_ outputs: [String]) throws {
        var command = bench.command(raw + outputs)
        command.input = try pcm
        command.holdsInput = true
        command.terminalColumns = 60
        command.signal = (SIGINT, "0/1")
        let run = try command.run()
        #expect(run.ending == .signalled(SIGINT) && (run.secondsAfterSignal ?? 99) < 10)
        #expect(run.output.isEmpty && bench.listing() == [])
    }

    @Test func reportsThatADiskIsFull() throws {
        for arguments in [["-o", "-", "--format", "csv"], ["--live"], ["--loudness"]] {
            var command = bench.command(["levels", "Media/radio/bunny-4s.wav", "-q"] + arguments)
            command.output = .file("/dev/full")
            expectRefused(try command.run(), 1, "no space left on device")
        }
        for (output, reason) in [
            ("/dev/full", "no space left on device"), ("/proc/out", "no such file"),
            ("none/out", "create the folder first"),
            ("Media/SOURCES.md/out", "not a directory"),
        ] {
            expectRefused(
                try bench.wayreel("levels", "Media/radio/bunny-4s.wav", "-o", output, "--format", "csv"), 1,
                "error: \(output): write: ", reason)
        }
    }

    /// If one of several outputs cannot be written, none is.
    @Test func failsWhole() throws {
        let run = try bench.wayreel(
            "levels", "Media/radio/bunny-4s.wav", "-o", "a.json", "-o", "none/b.csv", "-o", "c.png")
        expectRefused(run, 1, "none/b.csv: write: ")
        #expect(bench.listing() == [])
    }

    @Test func survivesClosedStreams() throws {
        expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.wav -o out.csv 2>&- 1>&- 0<&-"))
        #expect(try bench.text("out.csv").hasPrefix("time,"))
        expectRefused(try bench.shell("wayreel levels - -o no.csv <&-"), 1, "standard input: read: ")
        expectRefused(
            try bench.shell("wayreel levels Media/radio/bunny-4s.wav -o - --quiet >&-"), 1, "standard output: write: ")
    }
}
