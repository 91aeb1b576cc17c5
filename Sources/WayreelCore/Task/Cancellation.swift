internal import Synchronization

/// A flag that any thread may set once and that running work polls.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let wasPolled = Atomic<Bool>(false)

    public init() {}

    public func cancel() { flag.store(true, ordering: .relaxed) }

    public var isCancelled: Bool {
        // Stores only the first time after a reset, so that polling threads share the cache line.
        if !wasPolled.load(ordering: .relaxed) { wasPolled.store(true, ordering: .relaxed) }
        return flag.load(ordering: .relaxed)
    }

    /// Throws `cancelled` after a cancellation.
    package func check(step: String) throws(MediaError) {
        if isCancelled { throw .cancelled(step: step) }
    }

    /// Returns whether work has polled the flag since the last call, which shows that it is alive.
    package func wasPolledSinceLastCall() -> Bool { wasPolled.exchange(false, ordering: .relaxed) }
}
