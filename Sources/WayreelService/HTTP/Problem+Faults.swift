internal import HTTPTypes
internal import Hummingbird
internal import NIOHTTP1
internal import WayreelCore
internal import WayreelStorage

/// An error that clients are told as a problem.
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

extension AdmissionFault: ProblemConvertible {
    /// Seconds after which a client that holds its part may have room for another job.
    private static let jobSeconds = 30

    var problem: Problem {
        switch self {
        case .full(let part, let seconds): Self.overloaded(part.fullTitle, seconds: seconds)
        case .share(let part):
            Problem(
                .tooManyRequests, code: "client-share", "This client has its part of the server",
                detail: part.clientDetail, retryAfter: part.isJobs ? Self.jobSeconds : 1)
        case .turns: Self.overloaded("Too many requests of this client are waiting", seconds: 1)
        case .oneTimeValues(let seconds):
            Problem(.tooManyRequests, code: "client-rate", "Too many requests", retryAfter: seconds)
        }
    }

    private static func overloaded(_ title: String, seconds: Int) -> Problem {
        Problem(.serviceUnavailable, code: "overloaded", title, retryAfter: seconds)
    }
}

extension AdmissionFault.Part {
    fileprivate var isJobs: Bool {
        if case .jobs = self { true } else { false }
    }

    fileprivate var fullTitle: String {
        switch self {
        case .jobs: "The queue of jobs is full"
        case .fetches: "Too many images of other servers are being fetched"
        case .viewers(let count): "All \(count) places of viewers are taken"
        case .senders(let count): "All \(count) places of streams of sensors are taken"
        default: "The server is overloaded"
        }
    }

    fileprivate var clientDetail: String {
        switch self {
        case .requests(let count): "it may have \(count) requests under way"
        case .memory(let bytes):
            "its uploads, and the answers that it has not read, may have \(bytes) bytes at once"
        case .files(let count): "\(count) of its requests may wait for files"
        case .fetches(let count): "it may fetch \(count) images of other servers at once"
        case .jobs(let count, let bytes):
            "it may have \(count) jobs, and \(bytes) bytes of inputs and results; delete jobs that have ended"
        case .followedJobs(let count): "it may follow \(count) jobs at once"
        case .liveStreams(let count): "it may have \(count) live streams"
        case .senders(let count): "it may send \(count) streams of sensors at once"
        case .viewers(let count): "it may view \(count) streams of sensors at once"
        case .recordings(let count): "\(count) of its recordings may be sent, converted or drawn at once"
        }
    }
}

extension StorageFault: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .full(let quota): return quota.problem
        case .removed(let subject):
            return Problem(.gone, code: "removed", "The \(subject.rawValue) was deleted")
        case .conflict(.request):
            return Problem(
                .unprocessableContent, code: "idempotency", "The Idempotency-Key was used for another request")
        case .conflict(.passkey):
            return Problem(.forbidden, code: "passkey", "The passkey is refused", detail: "it is known already")
        case .damaged(let story, let error):
            var problem = Problem(
                .internalServerError, code: "damaged-journal", "A stored journal cannot be read",
                detail: "that of the story '\(story)'")
            problem.fault = "\(error)"
            return problem
        case .notFound: return .notFound("it was deleted, or never was there")
        case .failed(let error):
            var problem = Problem(error)
            problem.fault = "\(error)"
            return problem
        }
    }
}

extension StorageFault.Quota {
    fileprivate var problem: Problem {
        switch self {
        case .journals(let bytes):
            Self.quota("The player's journals are full", "at most \(bytes) bytes; delete some of them")
        case .stories(let count):
            Self.quota("The player's journals are full", "at most \(count) stories; delete some of them")
        case .journal(let story, let bytes):
            Self.quota("The journal is full", "that of the story '\(story)': at most \(bytes) bytes; delete it")
        case .images(let bytes):
            Self.quota("The player's images are full", "at most \(bytes) bytes are kept; delete captures or notes")
        case .notes(let count):
            Self.quota("The player has too many notes", "at most \(count); delete some of them")
        case .recordings(let count):
            Self.quota("The player has too many recordings", "at most \(count); delete some of them")
        case .samples(let bytes):
            Self.quota(
                "The player's recordings are full", "at most \(bytes) bytes of samples are kept; delete some of them")
        case .allSamples:
            Problem(
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), code: "storage",
                "The server has no room for more recordings")
        case .marks(let count): Self.quota("The recording has too many marks", "at most \(count)")
        case .markTexts(let bytes):
            Self.quota("The marks of the recording are too long", "at most \(bytes) bytes of texts")
        case .removals: Self.quota("The player has deleted too many captures")
        case .passkeys(let count): Self.quota("The player has too many passkeys", "at most \(count)")
        case .accounts:
            Problem(.forbidden, code: "sign-up", "The service takes no new accounts", detail: "it has too many")
        case .pairings:
            Problem(.serviceUnavailable, code: "overloaded", "Too many codes are in use", retryAfter: 60)
        case .wrongCodes:
            Problem(
                .tooManyRequests, code: "client-rate", "Too many wrong codes were sent",
                retryAfter: Int(PairingLimits.seconds))
        }
    }

    private static func quota(_ title: String, _ detail: String? = nil) -> Problem {
        Problem(.forbidden, code: "quota", title, detail: detail)
    }
}

extension SourceFault: ProblemConvertible {
    private static let code = "source"

    var problem: Problem {
        switch self {
        case .notURL: .badRequest("the source is not an http or https URL without user, fragment and spaces")
        case .notListed: Self.forbidden("the setting 'sources' lists what is")
        case .notPublic: Self.forbidden("its address is not a public one")
        case .missing: .notFound("the other server has no such image")
        case .tooLarge(let maxBytes):
            Problem(
                .contentTooLarge, code: MediaError.Code.tooManyBytes.rawValue, "The image is too large",
                detail: "its server sends more than \(maxBytes) bytes")
        case .failed(let failure):
            Problem(.badGateway, code: Self.code, "The image's server failed", detail: failure.detail)
        }
    }

    private static func forbidden(_ detail: String) -> Problem {
        Problem(.forbidden, code: code, "Images of this server are not allowed", detail: detail)
    }
}

extension SourceFault.Failure {
    fileprivate var detail: String {
        switch self {
        case .noAddress: "its name has no address"
        case .lookupTimeout: "its name was not looked up in time"
        case .unreachable: "it cannot be reached"
        case .timeout: "it did not answer in time"
        case .status(let status): "it answers with status \(status)"
        case .badRedirect: "it redirects to no URL"
        case .tooManyRedirects(let most): "it redirects more than \(most) times"
        }
    }
}

extension JobFault: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .interrupted(let starts):
            Problem(
                .serviceUnavailable, code: "interrupted", "The job did not end",
                detail: "the server ended \(starts) times while it ran")
        case .unknownVersion:
            Problem(
                .serviceUnavailable, code: "version", "The job was made by another version of Wayreel",
                detail: "this version cannot read its options; its files are kept until it expires")
        }
    }
}

extension FormFault: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .noBoundary: .badRequest("the form states no boundary of 1 to 70 characters")
        case .noFile: .badRequest("the form holds no file")
        case .damaged: .badRequest("the form is cut off or damaged")
        }
    }
}
