import Glibc
import TestSupport
import Testing
import Wayreel

@Suite struct CaptureBatchTests {
    private let photo = Fixture.media("captures/town-coolpix-gps.jpg")
    private let options = CaptureOptions(framing: Framing(screen: PixelSize(width: 64, height: 48)))

    private func tasks(_ outputs: [String]) -> [CaptureTask] {
        outputs.enumerated().map { CaptureTask(input: "in-\($0).jpg", output: $1, options: options) }
    }

    @Test(arguments: [
        ["out/a.jpg", "out/a.jpg"], ["out/a.jpg", "./out/a.jpg"], ["out/a.jpg", "out//a.jpg"],
        ["/none/a.jpg", "/none/./a.jpg"], ["a.jpg", "././a.jpg"], ["/tmp/a.jpg", "/tmp/../tmp/a.jpg"],
    ]) func rejectsCollisions(_ outputs: [String]) {
        let error = #expect(throws: MediaError.self) { try CaptureBatch(tasks(outputs)) }
        #expect(error?.kind == .parameter && error?.subject == outputs[1])
        #expect(error?.reason == "in-0.jpg and in-1.jpg would both be written to it")
    }

    @Test(arguments: [
        ["out/a.jpg", "out/b.jpg"], ["out/a.jpg", "other/a.jpg"], ["/a.jpg", "a.jpg"], ["-", "-"],
        ["out/a.jpg", "out/A.jpg"],
    ]) func acceptsDistinctOutputs(_ outputs: [String]) throws {
        #expect(try CaptureBatch(tasks(outputs)).tasks.count == 2)
    }

    @Test func rejectsToWriteOverAnInput() throws {
        Fixture.withFolder { folder in
            symlink(photo, "\(folder)/link.jpg")
            let tasks = [
                CaptureTask(input: photo, output: "\(folder)/a.jpg", options: options),
                CaptureTask(input: "missing.jpg", output: "\(folder)/link.jpg", options: options),
            ]
            let error = #expect(throws: MediaError.self) { try CaptureBatch(tasks) }
            #expect(error?.kind == .parameter && error?.subject == "\(folder)/link.jpg")
        }
    }

    @Test func reportsEveryTaskWithItsIndex() async throws {
        let folder = TemporaryFolder()
        let inputs = [photo, "missing.jpg", Fixture.media("captures/still-photo.heic"), photo]
        let batch = try CaptureBatch(
            inputs.enumerated().map {
                CaptureTask(input: $1, output: "\(folder.path)/\($0).jpg", options: options)
            })
        var reports: [Int: TaskReport] = [:]
        for await (index, report) in batch.reports(on: WorkPool(workers: 2)) {
            #expect(reports.updateValue(report, forKey: index) == nil)
        }
        #expect(reports.keys.sorted() == [0, 1, 2, 3])
        #expect(reports.mapValues(\.status) == [0: .done, 1: .failed, 2: .done, 3: .done])
        for (index, report) in reports { #expect(report.input.path == inputs[index]) }
        #expect(Fixture.listing(folder.path) == ["0.jpg", "2.jpg", "3.jpg"])
    }

    @Test func cancellingEndsTheBatch() async throws {
        let folder = TemporaryFolder()
        let wisteria = Fixture.media("captures/wisteria-iphone6-8mp.jpg")
        // Enough tasks for half a minute: a busy machine may take a while to return the first report.
        let count = 800
        let batch = try CaptureBatch(
            (0..<count).map { CaptureTask(input: wisteria, output: "\(folder.path)/\($0).jpg", options: options) })
        let cancellation = Cancellation()
        var done = 0
        var cancelled = 0
        for await (_, report) in batch.reports(on: WorkPool(workers: 2), cancellation: cancellation) {
            if report.status == .done { done += 1 }
            if report.error?.kind == .cancelled { cancelled += 1 }
            cancellation.cancel()
        }
        #expect(done >= 1 && done < count / 2 && done + cancelled == count)
        #expect(Fixture.listing(folder.path).count == done)
    }

    @Test func endingTheIterationCancelsTheBatch() async throws {
        let folder = TemporaryFolder()
        let wisteria = Fixture.media("captures/wisteria-iphone6-8mp.jpg")
        let batch = try CaptureBatch(
            (0..<400).map { CaptureTask(input: wisteria, output: "\(folder.path)/\($0).jpg", options: options) })
        let pool = WorkPool(workers: 1)
        let cancellation = Cancellation()
        let reader = Task {
            for await _ in batch.reports(on: pool, cancellation: cancellation) {}
        }
        try await Task.sleep(for: .milliseconds(50))
        reader.cancel()
        await reader.value
        #expect(cancellation.isCancelled)
        try await pool.run { _ in }
        #expect(Fixture.listing(folder.path).count < 200)
    }

    @Test func anEmptyBatchEndsAtOnce() async throws {
        for await _ in try CaptureBatch([]).reports() { Issue.record("there is nothing to report") }
    }
}
