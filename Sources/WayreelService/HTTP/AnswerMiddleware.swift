internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import WayreelCore

/// Turns every error into a problem document, and counts and logs every request.
struct AnswerMiddleware: RouterMiddleware {
    typealias Context = ServiceContext

    let metrics: Metrics
    let log: ServiceLog?
    /// The memory of answers.
    let memory: RequestQueue

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        var response: Response
        var fault: String?
        let record = RequestRecord(context.client)
        do {
            response = try await RequestRecord.$current.withValue(record) { try await next(request, context) }
            if request.method != .head {
                let traffic = traffic(response, context)
                try response.pace(on: context.channel.eventLoop, in: memory, for: context.client, counting: traffic)
            }
        } catch {
            let problem = Problem(error, isDisconnected: ClientPresence.isDisconnected(context.channel))
            response = problem.response(from: request, context: context)
            if request.method != .head {
                traffic(response, context).count(sent: response.body.contentLength ?? 0)
            }
            // The cause is logged, not sent.
            if problem.status.kind == .serverError { fault = problem.fault }
        }
        // The headers of an answer to HEAD describe the problem document, which is not sent.
        if request.method == .head { response = response.createHeadResponse() }
        AnswerHeaders.add(to: &response.headers, requestID: context.id)
        let seconds = (clock.now - start) / .seconds(1)
        metrics.count(route: route(context), status: response.status.code, seconds: seconds)
        traffic(response, context).count(received: record.receivedBytes)
        log?.write(
            method: request.method.rawValue, path: request.uri.path, status: response.status.code,
            bytes: response.body.contentLength ?? -1, id: context.id, client: context.client, player: record.player,
            seconds: seconds, fault: fault)
        return response
    }

    private func route(_ context: ServiceContext) -> String { context.endpointPath ?? "none" }

    private func traffic(_ response: Response, _ context: ServiceContext) -> Metrics.Traffic {
        metrics.traffic(route: route(context), status: response.status.code)
    }
}

/// The headers of every answer, also to malformed requests.
enum AnswerHeaders {
    static let requestID = HTTPField.Name("X-Request-ID")!

    static func add(to fields: inout HTTPFields, requestID id: String) {
        fields[.xContentTypeOptions] = "nosniff"
        fields[requestID] = id
    }
}

extension Router<ServiceContext> {
    /// Adds answers with status 405 to all other methods of the paths that were added so far. They list the allowed
    /// methods (RFC 9110, section 15.5.6).
    func refusingOtherMethods() -> Self {
        let methods: [HTTPRequest.Method] = [
            .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
        ]
        for routes in Dictionary(grouping: routes, by: { $0.path.description }).values {
            var allowed = Set(routes.map(\.method))
            if allowed.contains(.get) { allowed.insert(.head) }
            let problem = Problem.methodNotAllowed(Array(allowed))
            for method in methods where !allowed.contains(method) {
                on(routes[0].path, method: method) { _, _ -> Response in throw problem }
            }
        }
        return self
    }
}

/// Sends `100 Continue` to a client that expects it (`Expect: 100-continue`, RFC 9110, section 10.1.1) when a route
/// begins to read the body. A client whose request is refused before that does not send its body.
struct ExpectContinue: RouterMiddleware {
    typealias Context = ServiceContext

    /// The connection of the request that this task answers, if its client waits for `100 Continue`.
    @TaskLocal private static var waiting: (any Channel)?

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard let expectation = request.headers[.expect] else { return try await next(request, context) }
        guard expectation.lowercased() == "100-continue" else {
            throw Problem(.expectationFailed, code: "expect", "100-continue is all that may be expected")
        }
        return try await Self.$waiting.withValue(context.channel) { try await next(request, context) }
    }

    /// Sends `100 Continue` if the client of this task's request waits for it.
    static func sendContinue() {
        waiting?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }
}
