internal import CLinux
internal import Glibc
internal import Synchronization
package import WayreelMedia
internal import WayreelCore

/// Handles SIGINT, SIGTERM and SIGHUP. The first signal cancels the running work, so that no partial output is left.
/// The process ends when the work has stopped, after a grace period (the work may be blocked on a pipe), or on the
/// second signal.
package enum Interrupt {
    /// Cancelled by the first signal.
    package static let cancellation = Cancellation()

    /// The received signal; SIGINT before any.
    static var signal: Int32 { received.load(ordering: .relaxed) }

    /// Grace period after cancellation in milliseconds.
    private static let gracePeriod: Int32 = 700

    /// Starts a thread that reads signals from a pipe. `sigwait` is not usable, because threads of the Swift runtime do
    /// not keep signals blocked. SIGPIPE is ignored, so that `write` fails instead.
    static func install() {
        Glibc.signal(SIGPIPE, SIG_IGN)
        pipe.store(wr_signal_pipe(), ordering: .relaxed)
        do throws(MediaError) {
            try WorkThread.startDetached(ThreadName.current) {
                guard let number = next() else { return }
                received.store(number, ordering: .relaxed)
                cancellation.cancel()
                var wait = pollfd(fd: pipe.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
                poll(&wait, 1, gracePeriod)
                endProcess()
            }
        } catch {
            // Without a reader for the pipe, signals keep their default action.
            for number in [SIGINT, SIGTERM, SIGHUP] { Glibc.signal(number, SIG_DFL) }
        }
    }

    /// Ends the process by the signal, so that a shell sees that it was interrupted.
    static func endProcess() -> Never {
        RunningWorkers.discardAll()
        OutputFile.discardUnfinished()
        CreatedFolders.removeEmpty()
        Glibc.signal(signal, SIG_DFL)
        kill(getpid(), signal)
        // Another thread may receive the signal a moment later.
        sleep(1)
        _exit(128 + signal)
    }

    private static let received = Atomic<Int32>(SIGINT)
    private static let pipe = Atomic<Int32>(-1)

    /// Waits for a signal. Returns nil without a pipe.
    private static func next() -> Int32? {
        var number: UInt8 = 0
        while true {
            let count = read(pipe.load(ordering: .relaxed), &number, 1)
            if count == 1 { return Int32(number) }
            if count == 0 || errno != EINTR { return nil }
        }
    }
}
