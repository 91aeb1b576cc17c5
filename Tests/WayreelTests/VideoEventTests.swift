import TestSupport
import Testing
import Wayreel

/// The events of videos while they are processed.
@Suite struct VideoEventTests {
    private let clip = Fixture.media("scrapbook/bunny-720p-h264-5.1.mp4")
    private let options = TranscodeOptions(
        framing: Framing(screen: PixelSize(width: 64, height: 64), fit: .contain),
        video: VideoSettings(preset: "ultrafast"))

    /// Returns the names of the events, and the states of progress among them.
    private func events(_ stream: AsyncStream<TaskEvent>) async -> (
        names: [String], states: [TaskProgress], TaskReport?
    ) {
        var names: [String] = []
        var states: [TaskProgress] = []
        var report: TaskReport?
        for await event in stream {
            switch event {
            case .started: names.append("started")
            case .progress(let state): states.append(state)
            case .finished(let final):
                names.append("finished")
                report = final
            }
        }
        return (names, states, report)
    }

    @Test(arguments: [false, true]) func reportsProgress(_ isIsolated: Bool) async throws {
        let folder = TemporaryFolder()
        let task = TranscodeTask(input: clip, output: "\(folder.path)/out.mp4", options: options)
        let stream =
            isIsolated
            ? IsolatedPipeline<TranscodeTask>(Isolation(executable: Workbench.binary)).events(of: task)
            : try task.makePipeline().events(of: task)
        let (names, states, report) = await events(stream)
        #expect(names == ["started", "finished"])
        #expect(report?.status == .done, "\(String(describing: report?.error))")
        // 5.28 s of output; fractions never decrease, and follow from the seconds.
        let fractions = states.compactMap(\.fraction)
        #expect(fractions.count == states.count && !states.isEmpty && fractions == fractions.sorted())
        #expect((fractions.last ?? 0) > 0.9)
        for state in states {
            #expect(abs((state.fraction ?? 0) - min(1, state.seconds / 5.28)) < 0.03 && state.speed >= 0)
        }
        #expect(Fixture.listing(folder.path) == ["out.mp4"])
    }

    /// Codecs start threads of their own, so that only the CPU time of the whole process is known: two concurrent tasks
    /// share it, and report that.
    @Test func marksProcessorTimeThatTasksShare() async throws {
        let folder = TemporaryFolder()
        let tasks = (0..<2).map { TranscodeTask(input: clip, output: "\(folder.path)/\($0).mp4", options: options) }
        let pool = WorkPool(workers: 2)
        for await (_, report) in try TaskBatch(tasks).reports(on: pool) {
            #expect(report.status == .done && report.cpuIsShared == true)
        }
        let alone = try await tasks[0].makePipeline().perform(tasks[0])
        #expect(alone.status == .done && alone.cpuIsShared == nil && alone.cpuMilliseconds > 0)
    }

    @Test func leavingTheIterationEndsTheWork() async throws {
        let folder = TemporaryFolder()
        var slow = options
        slow.video.preset = "placebo"
        slow.framing.screen = nil
        // Minutes of work, since a busy machine may take long to deliver the first event, and to stop.
        let long = Fixture.media("scrapbook/bunny-720p-vp8.webm")
        let task = TranscodeTask(input: long, output: "\(folder.path)/out.mp4", options: slow)
        let pool = WorkPool(workers: 1)
        for await event in try task.makePipeline().events(of: task, on: pool) {
            if case .started = event { break }
        }
        // The pool's only thread is soon free again.
        let start = ContinuousClock.now
        try await pool.run { _ in }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(Fixture.listing(folder.path).isEmpty)
    }

    @Test func posterNeedsItsPathAndThePathItsPoster() {
        var withPoster = options
        withPoster.poster = PosterOptions()
        for task in [
            TranscodeTask(input: clip, output: "a.mp4", options: withPoster),
            TranscodeTask(input: clip, output: "a.mp4", poster: "a.jpg", options: options),
        ] {
            let error = #expect(throws: MediaError.self) { try task.makePipeline() }
            #expect(error?.kind == .parameter && error?.reason.contains("poster") == true)
        }
    }
}
