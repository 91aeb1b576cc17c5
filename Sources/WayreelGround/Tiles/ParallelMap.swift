internal import Synchronization
internal import WayreelCore

extension TaskContext {
    /// Returns what `body` makes of each index below `count`, in order. It runs on the calling thread and on the task's
    /// other threads, each with a context of its own. Throws the error of the lowest index that failed.
    func map<Result: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int, TaskContext) throws(MediaError) -> Result
    ) throws(MediaError) -> [Result] {
        let next = NextIndex()
        let results = Mutex<[Int: Swift.Result<Result, MediaError>]>([:])
        let run = { @Sendable (task: TaskContext) in
            while case let index = next.take(), index < count {
                let result = Swift.Result { () throws(MediaError) in
                    try task.check()
                    return try body(index, task)
                }
                results.withLock { $0[index] = result }
                // What follows would be lost.
                if case .failure = result { return next.skip(to: count) }
            }
        }
        let workers = (1..<max(1, min(threads, count))).map { _ in
            let own = child()
            let thread = try? WorkThread("map") {
                run(own)
                own.countThread()
            }
            return (own, thread)
        }
        run(self)
        for (own, thread) in workers {
            // With fewer threads, it only takes longer.
            thread?.join()
            merge(own)
        }
        let done = results.withLock { $0 }
        var values: [Result] = []
        values.reserveCapacity(count)
        for index in 0..<count {
            // Those after a failure may be missing.
            if let value = try done[index]?.get() { values.append(value) }
        }
        return values
    }
}

/// The next index that a thread takes.
private final class NextIndex: Sendable {
    private let next = Atomic<Int>(0)

    func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }

    func skip(to count: Int) { next.store(count, ordering: .relaxed) }
}
