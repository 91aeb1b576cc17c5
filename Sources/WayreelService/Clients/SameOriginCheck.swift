internal import HTTPTypes
internal import Hummingbird

/// Refuses requests of other sites' web pages, which a browser on this machine would send to the loopback. It is needed
/// without keys, because the service then accepts all requests of its machine.
///
/// A site may let its own name resolve to the loopback (DNS rebinding), so hosts whose name has a dot are refused. Forms
/// of a site may be sent to any host, but with an `Origin`.
struct SameOriginCheck: RouterMiddleware {
    typealias Context = ServiceContext

    /// nil if keys are set or other machines reach the service.
    init?(_ settings: ServiceSettings) {
        guard settings.keys == nil, !settings.needsTokens, settings.listen.isLoopback else { return nil }
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        try checkHost(request.head)
        if ![.get, .head].contains(request.method) { try request.head.checkOrigin() }
        return try await next(request, context)
    }

    /// Throws a ``Problem`` for a host whose name another site may have.
    func checkHost(_ request: HTTPRequest) throws {
        guard request.hostName.map(Self.isLocal) ?? true else {
            throw Problem(
                .misdirectedRequest, code: "host", "Without keys, requests come from this machine",
                detail: "ask for http://localhost, or set keys to be reached by other names")
        }
    }

    /// Whether no other site can have the name: an IP address, a name without a dot, or a subdomain of `localhost`.
    private static func isLocal(_ host: Substring) -> Bool {
        !host.contains(".") || host.hasSuffix(".localhost") || HostAddress(String(host)) != nil
    }
}

extension HTTPRequest {
    /// The host of the request in lower case without its port; an IPv6 address in brackets.
    fileprivate var hostName: Substring? {
        guard let name = authority?.lowercased() else { return nil }
        let port = name.lastIndex(of: ":").flatMap { name[$0...].contains("]") ? nil : $0 }
        return name[..<(port ?? name.endIndex)]
    }

    /// Throws a ``Problem`` if a page of another site sends the request. Programs other than browsers send no `Origin`.
    func checkOrigin() throws {
        guard let origin = headerFields[.origin] else { return }
        let host = origin.split(separator: "/").dropFirst().joined(separator: "/")
        guard host.lowercased() == authority?.lowercased() else {
            throw Problem(.forbidden, code: "origin", "Pages of other sites are not let in")
        }
    }
}
