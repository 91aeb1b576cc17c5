internal import Synchronization
internal import WayreelCore

/// Threads that keep cores busy, like other programs on a loaded machine.
enum BackgroundLoad {
    private final class End: Sendable {
        let hasCome = Atomic<Bool>(false)
    }

    /// Runs `body` beside this number of busy threads, which end with it. Throws a `limit` error if they cannot be
    /// started.
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
