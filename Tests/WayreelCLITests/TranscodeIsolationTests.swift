internal import Glibc
internal import TestSupport
internal import Testing

/// Batches of untrusted files, each in a separate process.
@Suite struct TranscodeIsolationTests {
    private let bench = Workbench()
    private let clip = "Media/scrapbook/portrait.mp4"
    private let small = ["--screen", "64x64", "--preset", "ultrafast", "--no-sound"]

    /// A named pipe that nobody writes to, kept open.
    private final class EndlessInput {
        let descriptor: Int32

        init(_ path: String) {
            mkfifo(path, 0o600)
            descriptor = open(path, O_RDWR | O_CLOEXEC)
        }

        deinit { close(descriptor) }
    }

    @Test func aCrashFailsItsFileAlone() throws {
        let pipe = bench.path("endless.mov")
        let endless = EndlessInput(pipe)
        let killer = Worker { if let process = try? WorkerProcess.first(on: pipe) { kill(process, SIGSEGV) } }
        let run = try bench.command(
            ["transcode", clip, "endless.mov", "-o", "out", "--report", "report.json"] + small
        ).run()
        killer.join()
        withExtendedLifetime(endless) {}
        #expect(run.ending == .exited(1))
        #expect(run.errors.contains("error: endless.mov: ") && run.errors.contains("SIGSEGV"), "\(run.errors)")
        #expect(bench.listing("out") == ["portrait.mp4"])
        let tasks = try bench.report().tasks
        #expect(tasks.map(\.status) == ["done", "failed"] && tasks[1].error?.kind == "decoding")
        try TranscodedFile(path: bench.path("out/portrait.mp4")).expectPlayable()
    }

    /// Planning is isolated too.
    @Test func aCrashFailsItsPlanAlone() throws {
        let pipe = bench.path("endless.mov")
        let endless = EndlessInput(pipe)
        let killer = Worker { if let process = try? WorkerProcess.first(on: pipe) { kill(process, SIGSEGV) } }
        let run = try bench.command(["transcode", clip, "endless.mov", "--plan", "--isolate"]).run()
        killer.join()
        withExtendedLifetime(endless) {}
        #expect(run.ending == .exited(1))
        #expect(run.errors.contains("error: endless.mov: ") && run.errors.contains("SIGSEGV"), "\(run.errors)")
        #expect(run.text.contains("video:") && run.text.contains("audio:"), "\(run.text)")
        let limited = try bench.wayreel(
            "transcode", "Media/scrapbook/portrait-4k60-vfr.mp4", "--plan", "--max-memory", "50MB")
        #expect(limited.ending == .exited(0) || limited.errors.contains("needs more than 50 MB of memory"))
    }

    @Test func memoryIsLimitedForEach() throws {
        let run = try bench.command(
            [
                "transcode", clip, "Media/scrapbook/portrait-4k60-vfr.mp4", "-o", "out", "--max-memory", "100MB",
                "--jobs",
                "1", "--report", "report.json",
            ] + small
        ).run()
        #expect(run.ending == .exited(1))
        #expect(run.errors.contains("portrait-4k60-vfr.mp4: work: needs more than 100 MB of memory"), "\(run.errors)")
        #expect(bench.listing("out") == ["portrait.mp4"])
        let tasks = try bench.report().tasks
        #expect(tasks[0].peakMemoryBytes < 100_000_000 && tasks[1].error?.kind == "limit")
    }

    @Test(arguments: [SIGINT, SIGKILL]) func noProcessOutlivesTheCommand(_ signal: Int32) throws {
        let pipe = bench.path("endless.mov")
        let endless = EndlessInput(pipe)
        var command = bench.command(["transcode", "endless.mov", clip, "-o", "out", "--jobs", "2"] + small)
        command.signal = (signal, "→")
        let run = try command.run()
        #expect(run.ending == .signalled(signal))
        #expect((run.secondsAfterSignal ?? 99) < 10)
        // The system ends the orphaned process at some later time.
        for _ in 0..<1000 where !WorkerProcess.all(on: pipe).isEmpty { usleep(10_000) }
        #expect(WorkerProcess.all(on: pipe).isEmpty)
        withExtendedLifetime(endless) {}
        #expect(bench.listing("out") == ["portrait.mp4"])
    }

    @Test func nonVideosFailIndividually() throws {
        try bench.write("no video", to: "text.mp4")
        try bench.write("", to: "empty.mov")
        try bench.write("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n", to: "list.mp4")
        let head = try Fixture.bytes(bench.path(clip)).prefix(3000)
        try bench.write(Array(head), to: "cut.mp4")
        let inputs = ["text.mp4", "empty.mov", "list.mp4", "cut.mp4", "missing.mp4", "Media/radio/bunny-4s.mp3", clip]
        let run = try bench.command(["transcode"] + inputs + ["-o", "out"] + small).run()
        #expect(run.ending == .exited(1))
        let errors = run.lines.filter { $0.hasPrefix("error: ") }
        for input in inputs.prefix(5) {
            #expect(errors.count { $0.hasPrefix("error: \(input): ") } == 1, "\(input) in \(run.errors)")
        }
        #expect(!run.errors.contains("root:") && bench.listing("out").contains("portrait.mp4"))
    }

    @Test func costsAsMuchAsReported() throws {
        try expectDone(
            bench.command(
                ["transcode", clip, "-o", "out.mp4", "--isolate", "--report", "report.json"] + small
            ).run())
        let task = try #require(try bench.report().tasks.first)
        #expect(task.cpuMilliseconds > 10 && task.peakMemoryBytes > 20 << 20 && task.streams?.isEmpty == false)
        try expectDone(bench.command(["transcode", clip, "-o", "plain.mp4"] + small).run())
        #expect(try bench.bytes("out.mp4") == bench.bytes("plain.mp4"))
    }
}
