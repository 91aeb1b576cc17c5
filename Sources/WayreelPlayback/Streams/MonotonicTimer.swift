internal import Glibc
internal import WayreelCore

/// Waits for absolute times of CLOCK_MONOTONIC, in nanoseconds.
enum MonotonicTimer {
    /// The maximum delay of a cancellation, in nanoseconds.
    private static let slice: Int64 = 50_000_000

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Waits until a time. Throws a `cancelled` error.
    static func wait(until due: Int64, _ cancellation: Cancellation) throws(MediaError) {
        while true {
            try cancellation.check(step: "wait")
            let now = now
            guard now < due else { return }
            let until = min(due, now + slice)
            var time = timespec(tv_sec: Int(until / 1_000_000_000), tv_nsec: Int(until % 1_000_000_000))
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
        }
    }
}
