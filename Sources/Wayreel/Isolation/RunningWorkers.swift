internal import Glibc
internal import Synchronization
internal import WayreelCore

/// The processes that work for this one, with what they make.
package enum RunningWorkers {
    private static let outputs = Mutex<[pid_t: [String]]>([:])

    static func note(_ process: pid_t, making paths: [String]) { outputs.withLock { $0[process] = paths } }

    static func forget(_ process: pid_t) { outputs.withLock { _ = $0.removeValue(forKey: process) } }

    /// Kills them all and removes what they have left, for a process that is about to end without waiting for them.
    package static func discardAll() {
        let all = outputs.withLock(\.self)
        for process in all.keys { kill(process, SIGKILL) }
        for (process, paths) in all {
            // Until it has ended it may write. Whoever started it still learns how it has.
            var info = siginfo_t()
            while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            OutputFile.discardUnfinished(of: process, beside: paths)
        }
    }
}
