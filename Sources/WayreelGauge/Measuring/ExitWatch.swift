internal import CLinux
internal import Glibc
internal import WayreelCore

/// Something to wait for that becomes readable at the end of a child process, which stays there to be waited for.
package final class ExitWatch {
    package enum Kind: Sendable {
        /// The kernel's descriptor of a process (Linux 5.3); a thread where there is none.
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
        // The thread has a descriptor of its own: it closes it, which ends the wait.
        let own = writer.withNumber { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        thread = try? WorkThread("watch") {
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            close(own)
        }
        if thread == nil { close(own) }
    }

    /// The thread ends with the process: at the latest its owner's end is that of the process too.
    deinit { thread?.join() }

    var descriptor: Int32 { file?.number ?? -1 }
}
