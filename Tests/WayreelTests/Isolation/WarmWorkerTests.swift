import Glibc
import TestSupport
import Testing
import Wayreel

/// Worker processes run one task after the other, and are replaced when they have ended or reached their task limit.
@Suite struct WarmWorkerTests {
    private let folder = TemporaryFolder()
    private let photo = Fixture.media("captures/town-coolpix-gps.jpg")
    private let small = CaptureOptions(framing: Framing(screen: PixelSize(width: 64, height: 48)))

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws {
        let file = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, mode)
        defer { close(file) }
        try bytes.withUnsafeBytes { try #require(Glibc.write(file, $0.baseAddress, $0.count) == bytes.count) }
    }

    /// Returns an isolation whose command is a script that records each started process.
    private func noted(tasksPerProcess: Int = 100, scope: Isolation.Scope = .everyTask) throws -> Isolation {
        let script = "#!/bin/sh\necho $$ >> '\(path("log"))'\nexec '\(Workbench.binary)' \"$@\"\n"
        try write(Array(script.utf8), to: path("command"), mode: 0o755)
        return Isolation(executable: path("command"), scope: scope, tasksPerProcess: tasksPerProcess)
    }

    private var started: [pid_t] {
        let bytes = (try? Fixture.bytes(path("log"))) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { pid_t($0) }
    }

    private func task(_ name: String, input: String? = nil, options: CaptureOptions? = nil) -> CaptureTask {
        CaptureTask(input: input ?? photo, output: path(name), options: options ?? small)
    }

    @Test(arguments: [(100, 1), (2, 2), (1, 4)]) func oneProcessRunsSeveralTasks(
        _ share: Int, _ processes: Int
    ) throws {
        let pipeline = IsolatedPipeline<CaptureTask>(try noted(tasksPerProcess: share))
        for name in ["1.jpg", "2.jpg", "3.jpg", "4.jpg"] {
            let report = pipeline.run(task(name))
            #expect(report.status == .done && report.cpuMilliseconds > 0 && report.cpuMilliseconds < 10_000)
        }
        #expect(started.count == processes)
        #expect(try Fixture.bytes(path("1.jpg")) == Fixture.bytes(path("4.jpg")))
    }

    @Test func aFailureIsAnAnswerLikeAnother() throws {
        let pipeline = IsolatedPipeline<CaptureTask>(try noted())
        #expect(pipeline.run(task("1.jpg", input: path("missing.jpg"))).error?.kind == .io)
        #expect(pipeline.run(task("2.jpg")).status == .done)
        #expect(started.count == 1)
    }

    @Test func endedWorkersAreReplaced() throws {
        let pipeline = IsolatedPipeline<CaptureTask>(try noted())
        #expect(pipeline.run(task("1.jpg")).status == .done)
        kill(try #require(started.first), SIGKILL)
        // Waits until the system has ended it.
        var info = siginfo_t()
        while waitid(P_PID, id_t(started[0]), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        #expect(pipeline.run(task("2.jpg")).status == .done)
        #expect(started.count == 2)
    }

    @Test func processesEndWithTheirPipeline() throws {
        var pipeline: IsolatedPipeline<CaptureTask>? = IsolatedPipeline(try noted())
        #expect(pipeline?.run(task("1.jpg")).status == .done)
        let process = try #require(started.first)
        #expect(kill(process, 0) == 0)
        pipeline = nil
        #expect(kill(process, 0) != 0 && errno == ESRCH)
    }

    @Test func filesThatOptionsNameAreReadAgainWhenTheyChange() throws {
        let overlay = path("badge.png")
        let options = CaptureOptions(
            framing: small.framing, overlays: [.image(ImageOverlay(path: overlay))], encoding: Encoding(.png))
        let pipeline = IsolatedPipeline<CaptureTask>(try noted())
        for (name, image) in [("1.png", "rgb-8.png"), ("2.png", "rgb-8.png"), ("3.png", "grey-16.png")] {
            try write(try Fixture.imageBytes(image), to: overlay)
            let report = pipeline.run(task(name, options: options))
            #expect(report.status == .done, "\(String(describing: report.error))")
        }
        #expect(started.count == 1)
        #expect(try Fixture.bytes(path("1.png")) == Fixture.bytes(path("2.png")))
        #expect(try Fixture.bytes(path("1.png")) != Fixture.bytes(path("3.png")))
    }

    /// JPEG, PNG and WebP are decoded in this process; formats that a library decodes in one call are not.
    @Test func onlyUninterruptibleTasksAreIsolated() async throws {
        let isolation = try noted(scope: .whereNeeded)
        let plain = try CaptureBatch(
            [
                task("1.jpg"), task("2.jpg", input: Fixture.image("rgb-8.png")),
                task("3.jpg", input: Fixture.image("lossy.webp")),
            ], isolation: isolation)
        for await (_, report) in plain.reports() { #expect(report.status == .done) }
        #expect(started.isEmpty)
        let apart = try CaptureBatch(
            [
                task("4.jpg", input: Fixture.image("rgb.bmp")),
                task("5.jpg", input: Fixture.media("captures/still-photo.heic")),
            ], isolation: isolation)
        for await (_, report) in apart.reports(on: WorkPool(workers: 1)) { #expect(report.status == .done) }
        #expect(started.count == 1)
    }

    @Test func optionsAreCheckedBeforeAnyWork() throws {
        try write(Array("no image".utf8), to: path("badge.png"))
        let options = CaptureOptions(overlays: [.image(ImageOverlay(path: path("badge.png")))])
        let error = #expect(throws: MediaError.self) {
            try CaptureBatch([task("1.jpg", options: options)], isolation: try noted(scope: .whereNeeded))
        }
        #expect(error?.kind == .unsupported && error?.subject == path("badge.png"))
        #expect(started.count == 1)
    }

    @Test(arguments: [
        ("captures/town-coolpix-gps.jpg", Isolation.Scope.everyTask, 1), ("captures/still-photo.heic", .whereNeeded, 1),
        ("captures/town-coolpix-gps.jpg", .whereNeeded, 0),
    ]) func uploadsArePreparedInMemory(_ name: String, _ scope: Isolation.Scope, _ processes: Int) async throws {
        let upload = try Fixture.bytes(Fixture.media(name))
        let pipeline = IsolatedPipeline<CaptureTask>(try noted(scope: scope))
        let here = try await CapturePipeline(small).prepare(upload)
        for _ in 0..<2 {
            let apart = try await pipeline.prepare(upload, small)
            #expect(apart.bytes == here.bytes && apart.size == here.size && apart.sourceSize == here.sourceSize)
            #expect(apart.sourceFormat == here.sourceFormat && apart.steps.map(\.name) == here.steps.map(\.name))
        }
        #expect(started.count == processes)
        // Errors name only paths that the caller knows.
        for bad in [[], Array("no image".utf8), Array(upload.prefix(40))] {
            let error = await #expect(throws: MediaError.self) { try await pipeline.prepare(bad, small) }
            #expect(error?.subject == nil)
        }
    }

    @Test func uploadsDoNotBlockThreads() async throws {
        try StandInLibrary.make(["libjxl.so.0.7"], for: "CJXL", in: folder.path)
        let script = "#!/bin/sh\nLD_LIBRARY_PATH='\(folder.path)' exec '\(Workbench.binary)' \"$@\"\n"
        try write(Array(script.utf8), to: path("command"), mode: 0o755)
        let pipeline = IsolatedPipeline<CaptureTask>(Isolation(executable: path("command"), scope: .whereNeeded))
        var options = small
        options.limits.seconds = 0.5
        let upload = try Fixture.imageBytes("rgb.jxl")
        let error = await #expect(throws: MediaError.self) { try await pipeline.prepare(upload, options) }
        #expect(error?.kind == .limit && error?.reason == "took longer than 0.5 s")
    }

    @Test func probesShareAProcess() throws {
        let probe = IsolatedProbe(try noted(scope: .whereNeeded))
        let heic = Fixture.media("captures/still-photo.heic")
        for _ in 0..<2 {
            guard case .image(let found) = try probe.probe(path: heic) else { throw CancellationError() }
            #expect(found == (try ImageProbe.probe(path: heic)))
        }
        guard case .image = try probe.probe(path: photo) else { throw CancellationError() }
        guard case .media(let clip) = try probe.probe(path: Fixture.media("scrapbook/portrait.mp4")) else {
            throw CancellationError()
        }
        #expect(!clip.media.streams.isEmpty && started.count == 1)
        #expect(throws: MediaError.self) { try probe.probe(path: path("missing.heic")) }
    }
}
