internal import Glibc
internal import Synchronization

/// Clocks for wall time (monotonic) and CPU time, in seconds, and for dates.
package enum Clock {
    package static var wall: Double { read(CLOCK_MONOTONIC) }
    /// Milliseconds since 1970 with a fraction, which never go back: the date when they were first asked for, and the wall
    /// time since then.
    package static var epochMilliseconds: Double { (epoch + wall) * 1000 }
    package static var thread: Double { read(CLOCK_THREAD_CPUTIME_ID) }
    package static var process: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// Seconds as milliseconds, rounded to the microsecond.
    package static func milliseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1000 }

    /// The date at which ``wall`` is 0.
    private static let epoch = read(CLOCK_REALTIME) - wall

    private static func read(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The condition to stop a task: a limit of wall time, or a cancellation.
package struct Deadline: Sendable {
    /// Seconds of wall time that the task may take; infinite for no limit.
    let seconds: Double
    let cancellation: Cancellation
    let start = Clock.wall

    var elapsedSeconds: Double { Clock.wall - start }

    /// Throws `cancelled` after a cancellation and `limit` after the deadline. It reads one atomic flag and one clock.
    func check(step: @autoclosure () -> MediaError.Step) throws(MediaError) {
        try cancellation.check(step: step())
        // The condition is false for a NaN limit, which therefore throws too.
        guard elapsedSeconds <= seconds else {
            throw MediaError(
                .limit, code: .timedOut, step: step(), reason: "took longer than \(seconds.shortDescription) s",
                advice: "raise the limit with \(.maxSeconds)")
        }
    }
}

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
    package func check(step: @autoclosure () -> MediaError.Step) throws(MediaError) {
        if isCancelled { throw .cancelled(step: step()) }
    }

    /// Returns whether work has polled the flag since the last call, which shows that it is alive.
    package func wasPolledSinceLastCall() -> Bool { wasPolled.exchange(false, ordering: .relaxed) }
}
