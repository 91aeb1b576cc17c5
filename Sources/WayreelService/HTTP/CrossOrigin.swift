internal import HTTPTypes
internal import Hummingbird

/// The origins of pages that may use the service from a browser: the setting `allow-origin`.
struct AllowedOrigins: Sendable {
    private let origins: Set<String>

    init(_ settings: ServiceSettings) { origins = Set(settings.allowOrigin.map { $0.lowercased() }) }

    var isEmpty: Bool { origins.isEmpty }
    var isAny: Bool { origins.contains("*") }

    func contains(_ origin: String) -> Bool { isAny || origins.contains(origin.lowercased()) }

    /// Whether a text is `scheme://host` with or without a port, as browsers write an origin, or `*`.
    static func isOrigin(_ text: String) -> Bool {
        text == "*" || text.wholeMatch(of: /https?:\/\/([A-Za-z0-9.\-]+|\[[0-9A-Fa-f:]+\])(:[0-9]{1,5})?/) != nil
    }
}

/// Tells browsers which pages of other sites may read answers (CORS, fetch.spec.whatwg.org), and answers what they ask
/// before a request. No cookies are used, so none are allowed.
struct CrossOrigin: RouterMiddleware {
    typealias Context = ServiceContext

    let origins: AllowedOrigins

    private static let methods = "GET, HEAD, POST, PUT, DELETE"
    private static let headers = """
        Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, Range, Traceparent
        """
    private static let exposed = "Content-Disposition, Content-Range, ETag, Link, Location, Retry-After, X-Request-ID"

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let origin = request.headers[.origin]
        let isAllowed = origin.map(origins.contains) ?? false
        var response: Response
        if isAllowed, request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            response = Response(
                status: .noContent,
                headers: [
                    .accessControlAllowMethods: Self.methods, .accessControlAllowHeaders: Self.headers,
                    .accessControlMaxAge: "7200",
                ])
        } else {
            response = try await next(request, context)
        }
        if isAllowed {
            response.headers[.accessControlAllowOrigin] = origins.isAny ? "*" : origin
            response.headers[.accessControlExposeHeaders] = Self.exposed
        }
        if !origins.isAny {
            response.headers[.vary] = response.headers[.vary].map { "\($0), Origin" } ?? "Origin"
        }
        return response
    }
}
