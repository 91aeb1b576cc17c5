import Synchronization
import TestSupport
import Testing
import Wayreel
import WayreelCore

/// Properties of every sequence that a thread fills while a task reads it.
@Suite struct MediaSequenceTests {
    /// A record of a producer's actions.
    private final class Log: Sendable {
        let made = Atomic<Int>(0)
        let ended = Atomic<Int>(0)

        var isEnded: Bool { ended.load(ordering: .sequentiallyConsistent) > 0 }

        /// Gives up after ten seconds.
        func waitForEnd() async throws {
            for _ in 0..<10_000 where !isEnded { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    /// Returns 0, 1, 2, … to `count`, counted when they are produced.
    private func numbers(to count: Int, limit: Int, _ log: Log) -> MediaSequence<Int> {
        MediaSequence(bufferLimit: limit) { (_, emit) throws(MediaError) in
            defer { log.ended.add(1, ordering: .sequentiallyConsistent) }
            for number in 0..<count {
                log.made.add(1, ordering: .sequentiallyConsistent)
                try emit(number)
            }
        }
    }

    @Test(arguments: [1, 2, 5]) func noMoreAreMadeThanTheBufferHolds(limit: Int) async throws {
        let log = Log()
        var taken: [Int] = []
        var most = 0
        for try await number in numbers(to: 40, limit: limit, log) {
            taken.append(number)
            // Gives the producer time to run ahead.
            try await Task.sleep(for: .milliseconds(2))
            most = max(most, log.made.load(ordering: .sequentiallyConsistent) - taken.count)
        }
        #expect(taken == Array(0..<40))
        #expect(most == limit, "a producer that is faster fills the buffer, and no more")
    }

    /// Threads that emit concurrently share the limit; each holds one produced element.
    @Test func severalThreadsMayEmit() async throws {
        let sequence = MediaSequence<Int>(bufferLimit: 3) { (_, emit) throws(MediaError) in
            let threads = try (0..<4).map { (thread) throws(MediaError) in
                try WorkThread("emit") { for number in 0..<50 { try? emit(50 * thread + number) } }
            }
            for thread in threads { thread.join() }
        }
        var taken: [Int] = []
        for try await number in sequence { taken.append(number) }
        #expect(taken.sorted() == Array(0..<200))
    }

    @Test func nothingIsMadeBeforeItIsAskedFor() async throws {
        let log = Log()
        let sequence = numbers(to: 3, limit: 2, log)
        var iterator = sequence.makeAsyncIterator()
        try await Task.sleep(for: .milliseconds(20))
        #expect(log.made.load(ordering: .sequentiallyConsistent) == 0)
        #expect(try await iterator.next() == 0)
        // Each iteration starts anew.
        #expect(try await sequence.reduce(0, +) == 3)
    }

    @Test func leavingTheIterationStopsTheWorkAndFreesIt() async throws {
        let log = Log()
        final class Resource: Sendable {
            let isFreed: Log
            init(_ log: Log) { isFreed = log }
            deinit { isFreed.ended.add(1, ordering: .sequentiallyConsistent) }
        }
        let freed = Log()
        func iterate() async throws {
            let resource = Resource(freed)
            let sequence = MediaSequence<Int>(bufferLimit: 2) { (_, emit) throws(MediaError) in
                defer { log.ended.add(1, ordering: .sequentiallyConsistent) }
                for number in 0..<1_000_000 {
                    try withExtendedLifetime(resource) { () throws(MediaError) in try emit(number) }
                }
            }
            for try await number in sequence where number == 3 { break }
        }
        try await iterate()
        try await log.waitForEnd()
        try await freed.waitForEnd()
        #expect(log.isEnded && freed.isEnded)
    }

    @Test func cancellingTheTaskStopsTheWork() async throws {
        let log = Log()
        let waits = Gate()
        let sequence = MediaSequence<Int>(bufferLimit: 2) { (cancellation, _) throws(MediaError) in
            defer { log.ended.add(1, ordering: .sequentiallyConsistent) }
            while !cancellation.isCancelled { if !waits.isReached { waits.open(); waits.wait() } }
        }
        let task = Task {
            try await sequence.reduce(0, +)
        }
        while !waits.isReached { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        let error = await #expect(throws: MediaError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        try await log.waitForEnd()
        #expect(log.isEnded)
    }

    @Test func theErrorFollowsTheElementsBeforeIt() async throws {
        let sequence = MediaSequence<Int>(bufferLimit: 5) { (_, emit) throws(MediaError) in
            for number in 0..<3 { try emit(number) }
            throw MediaError(.decoding, step: .decode, reason: "is damaged")
        }
        var iterator = sequence.makeAsyncIterator()
        for number in 0..<3 { #expect(try await iterator.next() == number) }
        do {
            _ = try await iterator.next()
            Issue.record("no error is thrown")
        } catch { #expect(error.reason == "is damaged") }
        #expect(try await iterator.next() == nil, "it has ended")
    }

    // MARK: Events

    /// Reports progress as fast as it can.
    private struct Chatter: MediaPipeline {
        let gate: Gate

        func run(_ task: CaptureTask, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation) -> TaskReport
        {
            TaskReport(input: .init(path: task.input), output: .init(path: task.output))
        }

        func run(
            _ task: CaptureTask, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation,
            progress: @escaping @Sendable (TaskProgress) -> Void
        ) -> TaskReport {
            for number in 1...100_000 { progress(TaskProgress(seconds: Double(number), speed: 1)) }
            gate.open()
            return run(task, ifExists: ifExists, threads: threads, cancellation: cancellation)
        }
    }

    @Test func aSlowObserverOfEventsGetsTheLastProgress() async throws {
        let gate = Gate()
        let stream = Chatter(gate: gate).events(of: CaptureTask(input: "in", output: "out"))
        var words: [String] = []
        for await event in stream {
            switch event {
            case .started:
                words.append("started")
                gate.wait()
            case .progress(let state): words.append("\(Int(state.seconds))")
            case .finished: words.append("finished")
            }
        }
        // Some progress may have been read before the observer fell behind.
        #expect(words.first == "started" && words.suffix(2) == ["100000", "finished"] && words.count <= 4, "\(words)")
    }

    /// Several batches may share a cancellation.
    @Test func eventsReadToTheirEndCancelNothing() async throws {
        let cancellation = Cancellation()
        let gate = Gate()
        do {
            let task = CaptureTask(input: "in", output: "out")
            for await _ in Chatter(gate: gate).events(of: task, cancellation: cancellation) {}
        }
        try await Task.sleep(for: .milliseconds(20))
        #expect(!cancellation.isCancelled)
    }
}
