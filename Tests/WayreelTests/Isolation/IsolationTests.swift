import Glibc
import TestSupport
import Testing
import Wayreel

/// Work in separate processes that crash, hang or exceed their limits.
@Suite struct IsolationTests {
    private let isolation = Isolation(executable: Workbench.binary)
    private let folder = TemporaryFolder()
    private let photo = Fixture.media("captures/town-coolpix-gps.jpg")
    private let small = CaptureOptions(framing: Framing(screen: PixelSize(width: 64, height: 48)))

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Writes a script that stands in for the command.
    private func writeCommand(_ script: String) throws {
        try OutputFile.write(Array("#!/bin/sh\n\(script)\n".utf8), to: path("command"))
        #expect(chmod(path("command"), 0o755) == 0)
    }

    @Test func givesTheSameBytesAndReportsTheCost() throws {
        let task = CaptureTask(input: photo, output: path("apart.jpg"), options: small)
        let report = IsolatedPipeline<CaptureTask>(isolation).run(task)
        #expect(report.status == .done && report.error == nil, "\(String(describing: report.error))")
        _ = try CapturePipeline(small).run(CaptureTask(input: photo, output: path("here.jpg"), options: small))
        #expect(try Fixture.bytes(path("apart.jpg")) == Fixture.bytes(path("here.jpg")))
        #expect(report.input.format == "jpeg" && report.output.width == 64 && report.steps.count > 3)
        // The whole process: more than the thread that did the work, less than two cores can do.
        #expect(report.cpuMilliseconds > 1 && report.cpuMilliseconds < 10_000)
        #expect(report.peakMemoryBytes > 1 << 20)
    }

    @Test func memoryMayBeUnlimited() {
        var unlimited = isolation
        unlimited.memoryBytes = .max
        let report = IsolatedPipeline<CaptureTask>(unlimited).run(
            CaptureTask(input: photo, output: path("out.jpg"), options: small))
        #expect(report.status == .done, "\(String(describing: report.error))")
    }

    /// A plan that is made apart equals the one that is made here, and fails as it does.
    @Test func plansApart() throws {
        let clip = Fixture.media("scrapbook/portrait-4k60-vfr.mp4")
        let options = TranscodeOptions(framing: Framing(screen: PixelSize(width: 640, height: 480)))
        let planner = IsolatedPlanner(isolation)
        #expect(try planner.plan(path: clip, options) == TranscodePlan.plan(path: clip, options))
        let error = #expect(throws: MediaError.self) { try planner.plan(path: path("missing.mp4"), options) }
        #expect(error?.code == .notFound && error?.subject == path("missing.mp4"))
        let here = #expect(throws: MediaError.self) { try TranscodePlan.plan(path: path("missing.mp4"), options) }
        #expect(here == error)
    }

    @Test func reportsWhatTheWorkItselfReports() {
        let task = CaptureTask(input: path("missing.jpg"), output: path("out.jpg"), options: small)
        let report = IsolatedPipeline<CaptureTask>(isolation).run(task)
        #expect(report.status == .failed && report.error?.kind == .io)
        #expect(report.error?.reason == "no such file or directory" && report.error?.subject == task.input)
    }

    @Test(arguments: [
        (SIGSEGV, MediaError.Kind.decoding, "SIGSEGV"), (SIGABRT, .decoding, "SIGABRT"),
        (SIGKILL, .limit, "ran out of memory"),
    ]) func aCrashFailsItsTaskAlone(_ signal: Int32, _ kind: MediaError.Kind, _ word: String) throws {
        let endless = try EndlessAudio(in: folder.path)
        let work = endless.measure(isolation)
        let process = try endless.process()
        kill(process, signal)
        let report = work.value()
        #expect(report.status == .failed && report.error?.kind == kind)
        #expect(report.error?.subject == endless.path && report.error?.reason.contains(word) == true)
        #expect(report.cpuMilliseconds > 0 && report.wallMilliseconds > 0)
        #expect(Fixture.listing(folder.path) == ["endless.wav"])
    }

    /// A command of another version, whose messages have other fields, fails the task at once, not after the heartbeat timeout.
    @Test func unreadableAnswersFailTheirTask() throws {
        try writeCommand("read order <&3\necho '{\"answer\":{\"other\":1}}' >&3\nread next <&3")
        let isolation = Isolation(executable: path("command"), heartbeatTimeout: 20, scope: .everyTask)
        let task = CaptureTask(input: photo, output: path("out.jpg"), options: small)
        let report = IsolatedPipeline<CaptureTask>(isolation).run(task)
        #expect(report.status == .failed && report.error?.kind == .io)
        #expect(report.error?.reason.contains("cannot be read") == true, "\(String(describing: report.error))")
        #expect(report.wallMilliseconds < 10_000)
        #expect(Fixture.listing(folder.path) == ["command"])
    }

    /// Only a program of the same version is used beside another one: neither an older one, nor one that is no worker.
    @Test func tellsWhetherAProgramIsOfThisVersion() throws {
        #expect(isolation.isOfThisVersion())
        try writeCommand("exec '\(Workbench.binary)' \"$@\"")
        #expect(Isolation(executable: path("command")).isOfThisVersion())
        let messages = [
            #"{"answer":{"_0":["0.0.1","1"],"cpuMilliseconds":1}}"#, #"{"answer":{"_0":7,"cpuMilliseconds":1}}"#,
            "none",
        ]
        for message in messages {
            try writeCommand("read request <&3\necho '\(message)' >&3\nread next <&3")
            #expect(!Isolation(executable: path("command")).isOfThisVersion(), "\(message)")
        }
        for program in ["/nothing/here", "/bin/true", "/bin/false"] {
            #expect(!Isolation(executable: program).isOfThisVersion(), "\(program)")
        }
    }

    /// A program that never reads its request, which is larger than a socket holds, blocks nobody.
    @Test func deafProgramsAreEnded() throws {
        try writeCommand("exec sleep 100")
        let task = CaptureTask(
            input: path(String(repeating: "x", count: 4_000_000)), output: path("out.jpg"), options: small)
        let isolation = Isolation(executable: path("command"), heartbeatTimeout: 1)
        let report = IsolatedPipeline<CaptureTask>(isolation).run(task)
        #expect(report.error?.code == .hung, "\(String(describing: report.error?.reason))")
        #expect(report.wallMilliseconds < 10_000)

        let cancellation = Cancellation()
        let canceller = Worker {
            sleep(1)
            cancellation.cancel()
        }
        let patient = Isolation(executable: path("command"))
        let cancelled = IsolatedPipeline<CaptureTask>(patient).run(task, cancellation: cancellation)
        canceller.join()
        #expect(cancelled.error?.kind == .cancelled && cancelled.wallMilliseconds < 10_000)
    }

    @Test func hangingTasksAreEnded() throws {
        let endless = try EndlessAudio(in: folder.path)
        let work = endless.measure(Isolation(executable: Workbench.binary, heartbeatTimeout: 3))
        // Waiting for input does not count as hanging.
        sleep(4)
        #expect(!work.isDone)
        kill(try endless.process(), SIGSTOP)
        let report = work.value()
        #expect(report.error?.kind == .limit && report.error?.reason.contains("no heartbeat for 3 s") == true)
        #expect(report.wallMilliseconds < 60_000)
        #expect(Fixture.listing(folder.path) == ["endless.wav"])
    }

    @Test func memoryIsLimited() throws {
        let endless = try EndlessAudio(in: folder.path)
        let report = endless.measure(Isolation(executable: Workbench.binary, memoryBytes: 2_000_000)).value()
        #expect(report.error?.kind == .limit && report.error?.reason == "needs more than 2 MB of memory")
        #expect(report.peakMemoryBytes > 2_000_000)
    }

    @Test func cancellingEndsItSoon() throws {
        let endless = try EndlessAudio(in: folder.path)
        let cancellation = Cancellation()
        let work = endless.measure(isolation, cancellation)
        let process = try endless.process()
        let start = ContinuousClock.now
        cancellation.cancel()
        let report = work.value()
        #expect(report.error?.kind == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(kill(process, 0) != 0 && errno == ESRCH)
        #expect(Fixture.listing(folder.path) == ["endless.wav"])
    }

    @Test func aStoppedProcessIsEndedAfterCancellation() throws {
        let endless = try EndlessAudio(in: folder.path)
        let cancellation = Cancellation()
        let work = endless.measure(isolation, cancellation)
        kill(try endless.process(), SIGSTOP)
        let start = ContinuousClock.now
        cancellation.cancel()
        #expect(work.value().error?.kind == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func timeIsLimitedInside() throws {
        let endless = try EndlessAudio(in: folder.path)
        let report = endless.measure(isolation, options: EndlessAudio.options(seconds: 0.3)).value()
        #expect(report.error?.kind == .limit && report.error?.advice?.description.contains("limits.seconds") == true)
    }

    @Test(arguments: ["/nothing/here", "/bin/true", "/bin/false"]) func rejectsAnotherExecutable(_ executable: String) {
        let task = CaptureTask(input: photo, output: path("out.jpg"), options: small)
        let report = IsolatedPipeline<CaptureTask>(Isolation(executable: executable)).run(task)
        #expect(report.status == .failed && report.error?.kind == .io, "\(String(describing: report.error))")
    }

    @Test func batchesGoOnAfterACrash() async throws {
        let endless = try EndlessAudio(in: folder.path)
        let audio = Fixture.media("radio/bunny-4s.wav")
        let options = EndlessAudio.options()
        let batch = try LevelsBatch(
            [
                LevelsTask(input: endless.path, outputs: [path("0.json")], options: options),
                LevelsTask(input: audio, outputs: [path("1.json")], options: options),
            ], isolation: isolation)
        // A separate thread: other tests may occupy all threads of tasks, and the batch needs one.
        let killer = Worker { if let process = try? endless.process() { kill(process, SIGBUS) } }
        var reports: [Int: TaskReport] = [:]
        var started: Set<Int> = []
        for await (index, event) in batch.events(on: WorkPool(workers: 1)) {
            switch event {
            case .started: started.insert(index)
            case .progress: break
            case .finished(let report): reports[index] = report
            }
        }
        killer.join()
        #expect(started == [0, 1])
        #expect(reports[0]?.error?.kind == .decoding && reports[1]?.status == .done)
        #expect(Fixture.listing(folder.path) == ["1.json", "endless.wav"])
    }
}
