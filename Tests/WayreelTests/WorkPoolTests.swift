import Glibc
import TestSupport
import Testing
import Wayreel

@Suite struct WorkPoolTests {
    @Test func returnsResultsAndErrors() async throws {
        let pool = WorkPool(workers: 2)
        #expect(try await pool.run { _ in 42 } == 42)
        let error = await #expect(throws: MediaError.self) {
            try await pool.run { (_) throws(MediaError) -> Int in
                throw MediaError(.decoding, step: .decode, reason: "asked for")
            }
        }
        #expect(error?.reason == "asked for")
    }

    @Test func runsEveryJobOfALongQueue() async throws {
        let pool = WorkPool(workers: 1)
        let gate = Gate()
        let order = Log<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run { _ in gate.wait() } }
            while !gate.isReached { await Task.yield() }
            // More jobs than the queue holds before it compacts.
            for number in 0..<3000 {
                group.addTask { try await pool.run { _ in order.note(number) } }
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(order.entries.sorted() == Array(0..<3000))
    }

    @Test func startsJobsInOrder() async throws {
        let pool = WorkPool(workers: 1)
        let order = Log<Int>()
        for round in 0..<3 {
            let gate = Gate()
            let blocker = Task { try await pool.run { _ in gate.wait() } }
            while !gate.isReached { await Task.yield() }
            var waiting: [Task<Void, any Error>] = []
            for number in 0..<5 {
                waiting.append(Task { try await pool.run { _ in order.note(round * 5 + number) } })
                try await Task.sleep(for: .milliseconds(10))
            }
            gate.open()
            try await blocker.value
            for task in waiting { try await task.value }
        }
        #expect(order.entries == Array(0..<15))
    }

    @Test(arguments: [1, 2, 5]) func runsOneJobPerWorker(_ workers: Int) async throws {
        let pool = WorkPool(workers: workers)
        #expect(pool.workers == workers)
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<workers * 2 { group.addTask { try await pool.run { _ in gate.wait() } } }
            while gate.arrivals < workers { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: .milliseconds(20))
            #expect(gate.arrivals == workers)
            gate.open()
            try await group.waitForAll()
        }
        #expect(gate.arrivals == workers * 2)
    }

    @Test func ownsItsThreads() async throws {
        let threads = Log<Substring>()
        do {
            let pool = WorkPool(workers: 3)
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await pool.run { _ in
                            threads.note(threadNumber())
                            gate.wait()
                        }
                    }
                }
                while gate.arrivals < 3 { try await Task.sleep(for: .milliseconds(1)) }
                gate.open()
                try await group.waitForAll()
            }
            withExtendedLifetime(pool) {}
        }
        let own = Set(threads.entries)
        #expect(own.count == 3)
        for _ in 0..<500 where own.contains(where: { access("/proc/self/task/\($0)", F_OK) == 0 }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(!own.contains { access("/proc/self/task/\($0)", F_OK) == 0 })
    }

    @Test func takesAtLeastOneWorker() async throws {
        #expect(WorkPool(workers: 0).workers == 1)
        #expect(WorkPool.availableCores >= 1)
    }
}

/// Returns the number of the calling thread, as in /proc/self/task.
private func threadNumber() -> Substring {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = max(0, readlink("/proc/thread-self", &buffer, buffer.count))
    let path = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.split(separator: "/").last ?? ""
}
