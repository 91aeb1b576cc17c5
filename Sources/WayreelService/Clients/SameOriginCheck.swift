internal import HTTPTypes
internal import Hummingbird

/// Keeps web pages of other sites from using a service that trusts everybody on its machine, because it has no keys:
/// their browser would send their requests to the loopback.
///
/// A site can let its own name resolve to the loopback (DNS rebinding), so names with a dot are refused; and its forms
/// may be sent anywhere, with their origin.
struct SameOriginCheck: RouterMiddleware {
    typealias Context = ServiceContext

    /// nil where keys decide who is let in.
    init?(_ settings: ServiceSettings) {
        guard settings.keys == nil, settings.playerKeys == nil, settings.listen.isLoopback else { return nil }
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        try checkHost(request.head)
        if ![.get, .head].contains(request.method) { try request.head.checkOrigin() }
        return try await next(request, context)
    }

    /// Throws a ``Problem`` for a host that may be another site.
    func checkHost(_ request: HTTPRequest) throws {
        guard request.hostName.map(Self.isLocal) ?? true else {
            throw Problem(
                .misdirectedRequest, code: "host", "Without keys, requests come from this machine",
                detail: "ask for http://localhost, or set keys to be reached by other names")
        }
    }

    /// Whether no other site can have the name: an address, a name without a domain, or one below `localhost`.
    private static func isLocal(_ host: Substring) -> Bool {
        !host.contains(".") || host.hasSuffix(".localhost") || HostAddress(String(host)) != nil
    }
}

extension HTTPRequest {
    /// The host that the request names, in lower case without its port; an IPv6 address in brackets.
    fileprivate var hostName: Substring? {
        guard let name = authority?.lowercased() else { return nil }
        let port = name.lastIndex(of: ":").flatMap { name[$0...].contains("]") ? nil : $0 }
        return name[..<(port ?? name.endIndex)]
    }

    /// Throws a ``Problem`` for a page of another site, which may not use the service in the name of its visitor.
    /// Programs that are no browsers send no origin.
    func checkOrigin() throws {
        guard let origin = headerFields[.origin] else { return }
        let host = origin.split(separator: "/").dropFirst().joined(separator: "/")
        guard host.lowercased() == authority?.lowercased() else {
            throw Problem(.forbidden, code: "origin", "Pages of other sites are not let in")
        }
    }
}
