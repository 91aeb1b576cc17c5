internal import Glibc
internal import Synchronization
internal import WayreelCore

/// Prevents encoders from using real-time scheduling for their threads.
///
/// In a process of root, SVT-AV1 schedules the thread that opens it and its own threads in real time, which starves
/// other processes.
enum EncoderThreadPriority {
    private static let folder = "/proc/self/task"
    private static let openings = Atomic<UInt32>(0)

    /// Runs `body`, and resets the scheduling of the calling thread and of the threads that `body` has started. Other
    /// threads of the process are not changed.
    static func keep<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        let name = ThreadName.current
        let (policy, priority) = current
        // Threads inherit the name of the thread that starts them. A unique name thus identifies the threads of this
        // encoder.
        let mark = "encoder-\(openings.wrappingAdd(1, ordering: .relaxed).newValue % 1_000_000)"
        defer {
            set(0, policy, priority)
            for thread in Directory.entries(of: folder) where threadName(thread) == mark {
                guard let number = pid_t(thread) else { continue }
                if sched_getscheduler(number) != SCHED_OTHER { set(number, SCHED_OTHER, 0) }
                rename(thread, to: name)
            }
        }
        return try ThreadName.inherited(mark, body)
    }

    private static var current: (policy: Int32, priority: Int32) {
        var parameters = sched_param()
        sched_getparam(0, &parameters)
        return (sched_getscheduler(0), parameters.sched_priority)
    }

    /// `thread` 0 is the calling thread.
    private static func set(_ thread: pid_t, _ policy: Int32, _ priority: Int32) {
        var parameters = sched_param()
        parameters.sched_priority = priority
        sched_setscheduler(thread, policy, &parameters)
    }

    private static func threadName(_ thread: String) -> String? {
        let file = open("\(folder)/\(thread)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        // A newline follows the name.
        return count > 0 ? String(decoding: bytes[..<(count - 1)], as: UTF8.self) : nil
    }

    private static func rename(_ thread: String, to name: String) {
        let file = open("\(folder)/\(thread)/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array(name.utf8)
        _ = write(file, bytes, bytes.count)
    }
}
