internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Answers 412 to a request whose `If-Match` names none of the entity tags that the content at its address has (RFC 9110,
/// section 13.1.1). `*` matches any content.
///
/// A request that changes something is answered so before it changes anything: its address is asked by `GET` first.
struct Preconditions: RouterMiddleware {
    typealias Context = ServiceContext

    /// Answers requests without any middleware.
    let routes: any HTTPResponder<ServiceContext>

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard let wanted = request.headers[.ifMatch] else { return try await next(request, context) }
        guard [.get, .head].contains(request.method) else {
            try check(wanted, against: try await current(request, context))
            return try await next(request, context)
        }
        let response = try await next(request, context)
        try check(wanted, against: response)
        return response
    }

    /// The answer to `GET` at the address of a request.
    private func current(_ request: Request, _ context: ServiceContext) async throws -> Response {
        var head = request.head
        head.method = .get
        for name in [.ifMatch, .ifNoneMatch, .range, .contentLength, .transferEncoding, .expect] as [HTTPField.Name] {
            head.headerFields[name] = nil
        }
        return try await routes.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())), context: context)
    }

    /// A condition counts only where the request would succeed without it (RFC 9110, section 13.2.1).
    private func check(_ wanted: String, against response: Response) throws {
        switch response.status {
        case let status where status.kind == .successful || status == .notModified:
            if EntityTag.matches(response.headers[.eTag], ifMatch: wanted) { return }
        default: return
        }
        throw Problem(
            .preconditionFailed, code: "precondition", "The content is not the one that If-Match names",
            detail: "get it again, and send its ETag")
    }
}
