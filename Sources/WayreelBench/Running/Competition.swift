internal import Synchronization
internal import WayreelCore

/// Threads that compute all the time, as other programs on a busy machine do.
enum Competition {
    private final class End: Sendable {
        let hasCome = Atomic<Bool>(false)
    }

    /// Runs `body` beside so many threads, which end with it. Throws a `limit` error where there can be none.
    static func run<Result>(threads: Int, _ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        let end = End()
        var started: [WorkThread] = []
        defer {
            end.hasCome.store(true, ordering: .relaxed)
            for thread in started { thread.join() }
        }
        for _ in 0..<threads {
            started.append(try WorkThread("compete") { while !end.hasCome.load(ordering: .relaxed) {} })
        }
        return try body()
    }
}
