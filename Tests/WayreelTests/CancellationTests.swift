import TestSupport
import Testing
import Wayreel

@Suite struct CancellationTests {
    @Test func cancellingTheTaskEndsTheWork() async throws {
        let bytes = try Fixture.bytes(Fixture.media("captures/rooftop-pixel8-gainmap.jpg"))
        let pipeline = try CapturePipeline(CaptureOptions(encoding: Encoding(.png)))
        let work = Task { try await pipeline.prepare(bytes, on: WorkPool(workers: 1)) }
        try await Task.sleep(for: .milliseconds(60))
        work.cancel()
        let error = await #expect(throws: MediaError.self) { try await work.value }
        #expect(error?.kind == .cancelled)
    }

    @Test func cancellingATaskThatWaitsForAThreadEndsItAtOnce() async throws {
        let pool = WorkPool(workers: 1)
        let gate = Gate()
        let first = Task { try await pool.run { _ in gate.wait() } }
        while !gate.isReached { await Task.yield() }
        let second = Task { try await pool.run { _ in neverRun() } }
        try await Task.sleep(for: .milliseconds(20))
        second.cancel()
        let error = await #expect(throws: MediaError.self) { try await second.value }
        #expect(error?.kind == .cancelled)
        gate.open()
        try await first.value
    }

    @Test func aTaskCancelledBeforehandDoesNothing() async throws {
        let pool = WorkPool(workers: 1)
        let work = Task {
            while !Task.isCancelled { await Task.yield() }
            try await pool.run { _ in neverRun() }
        }
        work.cancel()
        let error = await #expect(throws: MediaError.self) { try await work.value }
        #expect(error?.kind == .cancelled)
    }

    @Test func timeIsLimited() async throws {
        let bytes = try Fixture.bytes(Fixture.media("captures/rooftop-pixel8-gainmap.jpg"))
        var options = CaptureOptions(encoding: Encoding(.png))
        options.limits.seconds = 0.05
        let pipeline = try CapturePipeline(options)
        let error = await #expect(throws: MediaError.self) { try await pipeline.prepare(bytes) }
        #expect(error?.kind == .limit)
    }
}

private func neverRun() { Issue.record("this must not run") }
