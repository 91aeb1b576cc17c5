internal import HTTPTypes
internal import Hummingbird
package import WayreelCore
internal import WayreelDocument
internal import WayreelImage
internal import WayreelLevels
internal import WayreelTasks
internal import WayreelVideo

/// An error as a client sees it: a problem document (RFC 9457), without paths of the server.
struct Problem: Error, Hashable {
    var status: HTTPResponse.Status
    /// A code for programs, the same in all versions.
    var code: String
    var title: String
    /// The cause of the error in this request, and advice.
    var detail: String?
    /// Seconds after which the same request may succeed.
    var retryAfter: Int?
    /// Further header fields, which the status requires.
    var headers: HTTPFields = [:]
    /// The server's own error that is the cause. It is logged, not sent.
    var fault: String?

    init(
        _ status: HTTPResponse.Status, code: String, _ title: String, detail: String? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.retryAfter = retryAfter
    }

    static func notFound(_ detail: String) -> Problem {
        Problem(.notFound, code: "not-found", "There is nothing at this address", detail: detail)
    }

    /// No route has the path: perhaps because it is that of a service that is not switched on.
    static let unknownAddress = notFound(
        "images need --images, stories and the player --stories, transcodes, jobs, journals and notes --data")

    static func badRequest(_ detail: String) -> Problem {
        Problem(.badRequest, code: "parameter", "The request is wrong", detail: detail)
    }

    /// The status of a request in the log and the metrics whose client closed the connection before the answer. nginx
    /// logs the same status.
    static let clientClosedRequest = Problem(
        HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"), code: "client-closed-request",
        "The client closed the connection")

    /// `byteCount` is the size of the whole content (RFC 9110, section 15.5.17).
    static func unsatisfiableRange(_ byteCount: Int) -> Problem {
        var problem = Problem(
            .rangeNotSatisfiable, code: "range", "There is no such part", detail: "the whole has \(byteCount) bytes")
        problem.headers[.contentRange] = "bytes */\(byteCount)"
        return problem
    }

    /// `allowed` are the methods of the path.
    static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> Problem {
        let list = allowed.map(\.rawValue).sorted().joined(separator: ", ")
        var problem = Problem(
            .methodNotAllowed, code: "method", "The address does not have this method", detail: "it has \(list)")
        problem.headers[.allow] = list
        return problem
    }

    /// `error` is a code of RFC 6750, section 3.1; nil if the request has no token.
    static func unauthorized(_ detail: String, error: String? = nil) -> Problem {
        var problem = Problem(.unauthorized, code: "token", "A player's token is needed", detail: detail)
        // RFC 6750, section 3.
        problem.headers[.wwwAuthenticate] = "Bearer" + (error.map { " error=\"\($0)\"" } ?? "")
        return problem
    }

    // MARK: Errors of the library

    private struct Answer {
        var status: HTTPResponse.Status
        var title: String
        /// Whether the reason concerns the request, so that the client may see it.
        var isToldWhy = true
    }

    private static let answers: [MediaError.Kind: Answer] = [
        .decoding: Answer(status: .unprocessableContent, title: "The media is damaged"),
        .encoding: Answer(status: .unprocessableContent, title: "The image cannot be encoded"),
        .parameter: Answer(status: .badRequest, title: "An option is wrong"),
        .limit: Answer(status: .contentTooLarge, title: "A limit is exceeded"),
        .unsupported: Answer(status: .unsupportedMediaType, title: "The media is not supported"),
        .io: Answer(status: .serviceUnavailable, title: "The server cannot store or read a file", isToldWhy: false),
        .cancelled: Answer(status: .serviceUnavailable, title: "The request was abandoned"),
    ]

    /// RFC 4918, section 11.5.
    private static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")

    /// The answer to an error of the library. Its advice names options as requests do.
    init(_ error: MediaError) {
        if error.code == .notFound {
            self = .notFound("no such image")
            return
        }
        if error.code == .timedOut {
            self.init(
                .serviceUnavailable, code: error.code.rawValue, "The work took too long", detail: error.reason,
                retryAfter: 1)
            return
        }
        if error.code == .diskFull {
            self.init(Self.insufficientStorage, code: "storage", "The server has no room left")
            return
        }
        let answer = Self.answers[error.kind]!
        var named = error.naming { $0.requestName }
        // The subject is a path of the server, which the client must not see.
        named.subject = nil
        self.init(
            answer.status, code: error.code.rawValue, answer.title,
            detail: answer.isToldWhy ? named.description : nil,
            retryAfter: answer.status == .serviceUnavailable ? 1 : nil)
    }
}

extension MediaError.Step {
    static let answer = MediaError.Step(rawValue: "answer")
    static let cache = MediaError.Step(rawValue: "cache")
    static let jobs = MediaError.Step(rawValue: "jobs")
    static let keys = MediaError.Step(rawValue: "keys")
    static let listen = MediaError.Step(rawValue: "listen")
    static let playerKeys = MediaError.Step(rawValue: "player keys")
    static let recordings = MediaError.Step(rawValue: "recordings")
    static let signals = MediaError.Step(rawValue: "signals")
    static let sourceKeys = MediaError.Step(rawValue: "source keys")
    static let tls = MediaError.Step(rawValue: "tls")
    package static let token = MediaError.Step(rawValue: "token")
    static let traces = MediaError.Step(rawValue: "traces")
    static let url = MediaError.Step(rawValue: "url")
}

extension OptionName {
    /// The name of an option in a URL or a query.
    fileprivate var requestName: String { Self.requestNames[self] ?? "another option" }

    /// The names of options that a request, or the server, may have.
    package static let requestNames: [OptionName: String] = [
        .maxInputBytes: ofServer,
        .maxPixels: ofServer,
        .maxSeconds: ofServer,
        .maxFrames: ofServer,
        .maxChannels: ofServer,
        .maxAudioSeconds: ofServer,
        .maxVideoSeconds: ofServer,
        .maxMemory: ofServer,
        .heartbeatTimeout: ofServer,
        .workers: ofServer,
        .page: "page",
        .codec: "codec",
        .crf: "crf",
        .maxFrameRate: "max-fps",
        .track: "track",
        .languages: "audio-languages",
        .keepsAll: "all-audio",
        .rangeStart: "start",
        .rangeEnd: "end",
        .sampleRate: "sample-rate",
        .rateGrid: "rate",
        .samplesGrid: "zoom",
        .format: "format",
        .quality: "quality",
        .maxBytes: "max-bytes",
        .recipe: "recipe",
        .enlarges: "enlarge:true",
    ]

    private static let ofServer = "a setting of the server"
}

extension Problem: HTTPResponseError {
    /// The document. `request` is the id of the answered request.
    func json(request: String? = nil) -> String {
        let fields: [(String, String?)] = [
            ("type", "about:blank"), ("title", title), ("status", nil), ("code", code), ("detail", detail?.onOneLine),
            ("request", request),
        ]
        let members = fields.compactMap { name, value -> String? in
            if name == "status" { return "\"status\":\(status.code)" }
            return value.map { "\"\(name)\":\($0.jsonQuoted)" }
        }
        return "{\(members.joined(separator: ","))}"
    }

    func response(from request: Request, context: some RequestContext) -> Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: json(request: context.id) + "\n")))
    }
}
