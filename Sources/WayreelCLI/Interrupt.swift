internal import Glibc
internal import Wayreel

/// Ctrl-C and its kin: the first asks the running work to stop, so that nothing partial is left; the second ends the process.
enum Interrupt {
    /// Thrown by the first signal.
    static let cancellation = Cancellation()

    /// Before any thread is started: from then on one thread waits for the signals and no other is disturbed. A closed pipe is
    /// an error of `write` instead of a signal.
    static func install() {
        signal(SIGPIPE, SIG_IGN)
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                Interrupt.wait()
                Interrupt.cancellation.cancel()
                Interrupt.wait()
                Interrupt.endProcess()
            }, nil)
        pthread_detach(thread)
    }

    /// Ends the process as an unhandled Ctrl-C would, so that a shell sees that it was interrupted.
    static func endProcess() -> Never {
        signal(SIGINT, SIG_DFL)
        var signals = Self.signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        kill(getpid(), SIGINT)
        exit(128 + SIGINT)
    }

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
        return set
    }

    private static func wait() {
        var signals = Self.signals
        var number: Int32 = 0
        sigwait(&signals, &number)
    }
}
