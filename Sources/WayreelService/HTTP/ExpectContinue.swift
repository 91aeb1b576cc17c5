internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes

/// Answers 100 to a client that waits with its body (`Expect: 100-continue`, RFC 9110, section 10.1.1) when somebody
/// begins to read it: a body that is refused before is never sent.
struct ExpectContinue: RouterMiddleware {
    typealias Context = ServiceContext

    /// The connection of the request that this task answers, where its client waits.
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

    /// Asks the client for the body, where it waits.
    static func askForBody() {
        waiting?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }
}
