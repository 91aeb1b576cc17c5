internal import ArgumentParser
internal import Glibc
internal import Wayreel

/// How a run of the command ends.
enum Outcome: Error, Equatable {
    case success
    /// Some of the work failed; its reasons have been printed.
    case failed
    case wrongUsage
    case interrupted
    /// Whoever reads standard output has gone, as `head` does: no failure, but not all was told.
    case readerGone
    /// As a program has ended that was run.
    case program(status: Int32)

    /// What `error` means, after its message was printed.
    init(_ error: any Error, message: @autoclosure () -> String, code: @autoclosure () -> ExitCode) {
        switch error {
        case let outcome as Outcome: self = outcome
        case let error as MediaError:
            Console.error("error: \(error)")
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
                Console.error(message())
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

    var status: Int32 {
        switch self {
        case .success: 0
        case .failed: 1
        case .wrongUsage: 2
        case .interrupted: 128 + Interrupt.signal
        // What a shell sees of a program that SIGPIPE has ended.
        case .readerGone: 128 + SIGPIPE
        case .program(let status): status
        }
    }

    /// Throws what a batch has come to, unless all of it is done.
    static func check(_ reports: [TaskReport]) throws(Outcome) {
        if Interrupt.cancellation.isCancelled { throw .interrupted }
        if reports.contains(where: { $0.error?.isOfGoneReader == true }) { throw .readerGone }
        if reports.contains(where: { $0.status == .failed }) { throw .failed }
    }
}

extension MediaError {
    /// Whether a pipe was closed at its other end.
    var isOfGoneReader: Bool { reason == systemReason(EPIPE) }
}
