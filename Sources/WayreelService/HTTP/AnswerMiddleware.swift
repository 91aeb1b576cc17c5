internal import HTTPTypes
internal import Hummingbird
internal import NIOHTTP1
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
                try response.pace(on: context.channel.eventLoop, in: memory, for: context.client)
            }
        } catch {
            let isDisconnected = ClientPresence.isDisconnected(context.channel)
            let problem = Self.problem(of: error, isDisconnected: isDisconnected)
            response = problem.response(from: request, context: context)
            // The cause is logged, not sent.
            if problem.status.kind == .serverError {
                fault = if let problem = error as? Problem { problem.fault } else { "\(error)" }
            }
        }
        // The headers of an answer to HEAD describe the problem document, which is not sent.
        if request.method == .head { response = response.createHeadResponse() }
        AnswerHeaders.add(to: &response.headers, requestID: context.id)
        let seconds = (clock.now - start) / .seconds(1)
        metrics.count(route: context.endpointPath ?? "none", status: response.status.code, seconds: seconds)
        log?.write(request, response, context, player: record.player, seconds: seconds, fault: fault)
        return response
    }

    /// `isDisconnected`: the client has closed the connection, which cancels the work for it.
    static func problem(of error: any Error, isDisconnected: Bool) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let error as MediaError: isDisconnected && error.kind == .cancelled ? .clientClosedRequest : Problem(error)
        case let error as HTTPParserError: Problem(malformed: error)
        case is CancellationError where isDisconnected: .clientClosedRequest
        case is CancellationError: Problem(MediaError.cancelled(step: "answer"))
        case let error as any HTTPResponseError where error.status == .notFound: .unknownAddress
        case let error as any HTTPResponseError:
            Problem(error.status, code: "http", error.status.reasonPhrase)
        default: Problem(.internalServerError, code: "internal", "Something is wrong with the server")
        }
    }
}
