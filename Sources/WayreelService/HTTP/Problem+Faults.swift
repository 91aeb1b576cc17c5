internal import Hummingbird
internal import NIOHTTP1
internal import WayreelCore

/// An error that clients are told as a problem: the files `Problem+….swift` say which.
protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

extension Problem: ProblemConvertible {
    var problem: Problem { self }

    /// The answer to any error. `isDisconnected`: the client has closed the connection, which cancels the work for it.
    init(_ error: any Error, isDisconnected: Bool) {
        self =
            switch error {
            case let error as any ProblemConvertible: error.problem
            case let error as MediaError where isDisconnected && error.kind == .cancelled: .clientClosedRequest
            case let error as MediaError: Problem(error)
            case let error as HTTPParserError: Problem(malformed: error)
            case is CancellationError where isDisconnected: .clientClosedRequest
            case is CancellationError: Problem(MediaError.cancelled(step: .answer))
            case let error as any HTTPResponseError where error.status == .notFound: .unknownAddress
            case let error as any HTTPResponseError: Problem(error.status, code: "http", error.status.reasonPhrase)
            default: Problem(.internalServerError, code: "internal", "Something is wrong with the server")
            }
        // What a client is told in full needs no line in the log.
        if !(error is any ProblemConvertible) { fault = "\(error)" }
    }
}
