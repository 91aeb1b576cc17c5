internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes

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
