internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import Synchronization
internal import WayreelCore
package import WayreelMedia

/// Why the command exits.
package enum ExitReason: Error, Equatable {
    case success
    /// Some tasks failed; their errors have been printed.
    case failed
    case wrongUsage
    case interrupted
    /// The reader of standard output is gone, as with `head`. This is not a failure, but the output is incomplete.
    case readerGone
    /// The exit status of a program that was run.
    case program(status: Int32)

    /// Maps an error whose message has been printed.
    init(_ error: any Error, message: @autoclosure () -> String, code: @autoclosure () -> ExitCode) {
        switch error {
        case let reason as ExitReason: self = reason
        case let error as MediaError:
            Console.error("error: \(error.withFlags)")
            self =
                switch error.kind {
                case .parameter: .wrongUsage
                case .cancelled: .interrupted
                default: error.isOfGoneReader ? .readerGone : .failed
                }
        case let code as ExitCode: self = code == .success ? .success : .failed
        default:
            let code = code()
            guard code == .success else {
                Console.error(message().onItsLines)
                self = code == .validationFailure ? .wrongUsage : .failed
                return
            }
            do {
                try Console.output(message())
                self = .success
            } catch {
                self.init(error, message: "", code: .failure)
            }
        }
    }

    package var status: Int32 {
        switch self {
        case .success: 0
        case .failed: 1
        case .wrongUsage: 2
        case .interrupted: 128 + Interrupt.signal
        // The status that a shell reports for SIGPIPE.
        case .readerGone: 128 + SIGPIPE
        case .program(let status): status
        }
    }

    /// Throws the result of a batch unless all tasks are done.
    package static func check(_ reports: [TaskReport]) throws(ExitReason) {
        if Interrupt.cancellation.isCancelled { throw .interrupted }
        if reports.contains(where: { $0.error?.isOfGoneReader == true }) { throw .readerGone }
        if reports.contains(where: { $0.status == .failed }) { throw .failed }
    }
}

extension ErrorSite {
    /// Options, inputs or outputs that do not fit together.
    static let usage = ErrorSite(.parameter, step: .plan)
}

extension MediaError {
    /// Whether the error is a closed pipe.
    var isOfGoneReader: Bool { reason == systemReason(EPIPE) }
}

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
