internal import Glibc

/// Clocks for wall time (monotonic) and CPU time, in seconds.
package enum Clock {
    package static var wall: Double { read(CLOCK_MONOTONIC) }
    package static var thread: Double { read(CLOCK_THREAD_CPUTIME_ID) }
    package static var process: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// Seconds as milliseconds, rounded to the microsecond.
    package static func milliseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1000 }

    private static func read(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
