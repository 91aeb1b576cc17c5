internal import Glibc
internal import Synchronization
internal import WayreelCore

/// The worker processes of this process and the outputs that they write.
package enum RunningWorkers {
    private static let outputs = Mutex<[pid_t: [String]]>([:])

    static func note(_ process: pid_t, making paths: [String]) { outputs.withLock { $0[process] = paths } }

    static func forget(_ process: pid_t) { outputs.withLock { _ = $0.removeValue(forKey: process) } }

    /// Kills all workers and removes their unfinished outputs, for a process that exits without waiting for them.
    package static func discardAll() {
        let all = outputs.withLock(\.self)
        for process in all.keys { kill(process, SIGKILL) }
        for (process, paths) in all {
            // It may write until it has ended. WNOWAIT leaves its status to the thread that started it.
            var info = siginfo_t()
            while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            OutputFile.discardUnfinished(of: process, beside: paths)
        }
    }
}
