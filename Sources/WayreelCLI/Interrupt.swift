internal import Glibc
internal import Synchronization
internal import Wayreel

/// Ctrl-C and its kin: the first asks the running work to stop, so that nothing partial is left; the process ends when it has,
/// and otherwise soon after (it may be waiting for a pipe), or with the second signal.
enum Interrupt {
    /// Thrown by the first signal.
    static let cancellation = Cancellation()

    /// The signal that came, SIGINT before any.
    static var signal: Int32 { received.load(ordering: .relaxed) }

    /// Before any thread is started: from then on one thread waits for the signals and no other is disturbed. A closed pipe is
    /// an error of `write` instead of a signal.
    static func install() {
        Glibc.signal(SIGPIPE, SIG_IGN)
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { _ in
                Interrupt.wait()
                Interrupt.cancellation.cancel()
                Interrupt.waitForAnother()
                Interrupt.endProcess()
            }, nil)
        guard status == 0 else {
            // Nobody waits for the signals: they shall end the process as they do any other.
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            return
        }
        pthread_detach(thread)
    }

    /// Ends the process as the unhandled signal would, so that a shell sees that it was interrupted.
    static func endProcess() -> Never {
        OutputFile.discardUnfinished()
        Glibc.signal(signal, SIG_DFL)
        var signals = Self.signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        kill(getpid(), signal)
        exit(128 + signal)
    }

    private static let received = Atomic<Int32>(SIGINT)

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
        return set
    }

    private static func wait() {
        var signals = Self.signals
        var number = SIGINT
        sigwait(&signals, &number)
        received.store(number, ordering: .relaxed)
    }

    /// Until the second signal, or for as long as work that has been told to stop may take to do so.
    private static func waitForAnother() {
        var signals = Self.signals
        var patience = timespec(tv_sec: 0, tv_nsec: 700_000_000)
        sigtimedwait(&signals, nil, &patience)
    }
}
