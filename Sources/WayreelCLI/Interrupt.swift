internal import CLinux
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

    /// How long work that has been told to stop may take to do so, in milliseconds.
    private static let patience: Int32 = 700

    /// From here on signals are read from a pipe by a thread of its own. They are not waited for with `sigwait`, since the
    /// threads of the Swift runtime, the first one too, do not all keep them blocked. A closed pipe is an error of `write`
    /// instead of a signal.
    static func install() {
        Glibc.signal(SIGPIPE, SIG_IGN)
        pipe.store(wr_signal_pipe(), ordering: .relaxed)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { _ in
                guard let number = Interrupt.next() else { return nil }
                Interrupt.received.store(number, ordering: .relaxed)
                Interrupt.cancellation.cancel()
                var wait = pollfd(fd: Interrupt.pipe.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
                poll(&wait, 1, Interrupt.patience)
                Interrupt.endProcess()
            }, nil)
        guard status == 0 else {
            // Nobody reads the pipe: the signals shall end the process as they do any other.
            for number in [SIGINT, SIGTERM, SIGHUP] { Glibc.signal(number, SIG_DFL) }
            return
        }
        pthread_detach(thread)
    }

    /// Ends the process as the unhandled signal would, so that a shell sees that it was interrupted.
    static func endProcess() -> Never {
        RunningWorkers.discardAll()
        OutputFile.discardUnfinished()
        MadeFolders.removeEmpty()
        Glibc.signal(signal, SIG_DFL)
        kill(getpid(), signal)
        exit(128 + signal)
    }

    private static let received = Atomic<Int32>(SIGINT)
    private static let pipe = Atomic<Int32>(-1)

    /// Waits for a signal. nil where there is no pipe to read it from.
    private static func next() -> Int32? {
        var number: UInt8 = 0
        while true {
            let count = read(pipe.load(ordering: .relaxed), &number, 1)
            if count == 1 { return Int32(number) }
            if count == 0 || errno != EINTR { return nil }
        }
    }
}
