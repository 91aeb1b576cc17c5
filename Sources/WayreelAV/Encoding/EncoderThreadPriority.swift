internal import Glibc
internal import WayreelCore

/// Threads as the system schedules them by default.
enum EncoderThreadPriority {
    private static let folder = "/proc/self/task"

    /// Runs `body`, after which neither the calling thread nor those that it has started are ahead of all others.
    ///
    /// SVT-AV1 has the thread that opens it and its own scheduled in real time where the process is root's, which then leaves
    /// no time to any other process.
    static func keep<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        let before = Set(OutputFolder.entries(of: folder))
        let (policy, priority) = current
        defer {
            set(0, policy, priority)
            for thread in OutputFolder.entries(of: folder) where !before.contains(thread) {
                if let number = pid_t(thread), sched_getscheduler(number) != SCHED_OTHER { set(number, SCHED_OTHER, 0) }
            }
        }
        return try body()
    }

    private static var current: (policy: Int32, priority: Int32) {
        var parameters = sched_param()
        sched_getparam(0, &parameters)
        return (sched_getscheduler(0), parameters.sched_priority)
    }

    /// 0 stands for the calling thread.
    private static func set(_ thread: pid_t, _ policy: Int32, _ priority: Int32) {
        var parameters = sched_param()
        parameters.sched_priority = priority
        sched_setscheduler(thread, policy, &parameters)
    }
}
