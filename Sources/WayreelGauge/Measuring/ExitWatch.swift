internal import CLinux
internal import Glibc
internal import WayreelCore

/// A descriptor that becomes readable when a child process ends, without reaping it.
package final class ExitWatch {
    package enum Kind: Sendable {
        /// A pidfd (Linux 5.3); a thread on older kernels.
        case descriptor
        case thread
    }

    private let file: Descriptor?
    private var thread: WorkThread?

    init(of process: pid_t, _ kind: Kind) {
        if kind == .descriptor {
            let number = wr_watch_process(process)
            if number >= 0 {
                file = Descriptor(number)
                return
            }
        }
        let ends = Descriptor.pipe()
        file = ends.first
        guard let writer = ends.last else { return }
        // The thread owns a descriptor and closes it, which wakes the waiter.
        let own = writer.withNumber { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        thread = try? WorkThread("watch") {
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            close(own)
        }
        if thread == nil { close(own) }
    }

    /// The thread ends with the process, which ends no later than the owner.
    deinit { thread?.join() }

    var descriptor: Int32 { file?.number ?? -1 }
}
