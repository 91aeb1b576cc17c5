internal import ArgumentParser
internal import Glibc
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

extension MediaError {
    /// Whether the error is a closed pipe.
    var isOfGoneReader: Bool { reason == systemReason(EPIPE) }
}
