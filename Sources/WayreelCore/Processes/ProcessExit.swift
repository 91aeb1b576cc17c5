internal import CLinux
internal import Glibc

/// Notices the end of a child process, without reaping it. Several threads may wait.
package final class ProcessExit: Sendable {
    package enum Kind: Sendable {
        /// A pidfd (Linux 5.3); a thread on older kernels.
        case descriptor
        case thread
    }

    /// Becomes readable when the process ends; -1 if the system refuses a pidfd and a thread.
    package let descriptor: Int32
    private let process: pid_t
    /// The thread that waits for the process without a pidfd.
    private let thread: WorkThread?

    package init(of process: Int32, _ kind: Kind = .descriptor) {
        self.process = process
        let watched = kind == .descriptor ? wr_watch_process(process) : -1
        var ends: [Int32] = [-1, -1]
        guard watched < 0, wr_pipe(&ends) == 0 else {
            (descriptor, thread) = (watched, nil)
            return
        }
        let (reader, writer) = (ends[0], ends[1])
        // The thread owns the writing end and closes it, which wakes the waiter.
        let waiting = try? WorkThread("watch") {
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            close(writer)
        }
        if waiting == nil {
            close(reader)
            close(writer)
        }
        (descriptor, thread) = (waiting == nil ? -1 : reader, waiting)
    }

    /// The thread ends with the process, which ends no later than the owner.
    deinit {
        thread?.join()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Waits until the process has ended, or ``Clock/wall`` is `deadline`. Returns whether it has ended.
    @discardableResult
    package func wait(until deadline: Double = .infinity) -> Bool {
        // Without a descriptor, the end is noticed up to a millisecond later.
        let longest = descriptor < 0 ? 1 : 1e6
        while true {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = (deadline - Clock.wall) * 1000
            poll(&waited, 1, Int32(min(max(0, left.rounded(.up)), longest)))
            if waited.revents != 0 || descriptor < 0 && hasEnded { return true }
            if Clock.wall >= deadline { return false }
        }
    }

    /// Asks the system whether the process has ended.
    package var hasEnded: Bool {
        var information = siginfo_t()
        // The call fails if other code has waited for the process.
        let code = waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG)
        return code < 0 && errno != EINTR || information.si_signo == SIGCHLD
    }
}
