internal import HTTPTypes

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
        case .turns: Self.overloaded("Too many requests of this player are waiting", seconds: 1)
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
        }
    }
}
