internal import HTTPTypes
internal import Hummingbird
internal import NIOHTTP1
internal import WayreelCore

/// Turns every error into a problem document, counts every request and writes a line about it.
struct AnswerMiddleware<Context: RequestContext>: RouterMiddleware {
    let metrics: Metrics
    let log: RequestLog?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        var response: Response
        do { response = try await next(request, context) } catch {
            response = Self.problem(of: error).response(from: request, context: context)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[Self.requestID] = context.id
        let seconds = (clock.now - start) / .seconds(1)
        metrics.count(route: context.endpointPath ?? "none", status: response.status.code, seconds: seconds)
        log?.write(request, response, id: context.id, seconds: seconds)
        return response
    }

    static var requestID: HTTPField.Name { HTTPField.Name("X-Request-ID")! }

    private static func problem(of error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let error as MediaError: Problem(error)
        case let error as HTTPParserError: Problem(malformed: error)
        case is CancellationError: Problem(MediaError.cancelled(step: "answer"))
        case let error as any HTTPResponseError:
            Problem(error.status, code: "http", error.status.reasonPhrase)
        default: Problem(.internalServerError, code: "internal", "Something is wrong with the server")
        }
    }
}
