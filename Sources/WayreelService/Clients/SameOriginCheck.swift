internal import HTTPTypes
internal import Hummingbird

/// Refuses requests that the web page of another site lets a browser send, if nothing in the request shows who sends it.
///
/// A site may let its own name resolve to this machine (DNS rebinding), so without keys hosts whose name has a dot are
/// refused on the loopback. With keys, the names of the service are its operator's. Pages and forms of a site may be sent
/// to any host, but with an `Origin`; the setting `allow-origin` names those that are let in.
struct SameOriginCheck: RouterMiddleware {
    typealias Context = ServiceContext

    /// The requests that the same keys protect.
    private enum Kind {
        /// Journals, captures, notes and recordings of players, who have tokens if the service has their keys or lets them
        /// sign in. A browser adds no token by itself.
        case players
        /// Live streams, and recordings that are played, whose WebSockets a page of any site may open: an `Origin` is
        /// checked in any case.
        case streams
        /// Signing in, which needs no token yet, and accounts.
        case accounts
        /// Stories, pages and what programs watch: the same for everybody.
        case published
        /// Uploads, jobs, live levels and images: no token is required, and keys protect the addresses of images alone.
        case processing

        /// Splits the path as the router does.
        init(path: String) {
            let parts = path.split(separator: "/")
            self =
                switch (parts.first, parts.dropFirst().first) {
                case ("v1", "players"), ("v1", "notes"): .players
                case ("v1", "streams"): .streams
                case ("v1", "recordings"): parts.last == "live" ? .streams : .players
                case ("v1", "account"), ("v1", "sign-in"), ("v1", "sign-up"): .accounts
                case ("v1", "stories") where parts.count > 4 && parts[3] == "events": .players
                case ("v1", "stories"): .published
                case ("v1", _): .processing
                default: .published
                }
        }
    }

    private let isLoopback: Bool
    private let hasKeys: Bool
    private let hasTokens: Bool
    private let origins: AllowedOrigins

    init(_ settings: ServiceSettings) {
        isLoopback = settings.listen.isLoopback
        (hasKeys, hasTokens) = (settings.keys != nil, settings.needsTokens)
        origins = AllowedOrigins(settings)
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        try check(request.head, path: request.uri.path, changes: ![.get, .head].contains(request.method))
        return try await next(request, context)
    }

    /// Throws a ``Problem`` for a host whose name another site may have and, if the request `changes` something or makes
    /// the service work, for the `Origin` of another site.
    func check(_ request: HTTPRequest, path: String, changes: Bool) throws {
        let kind = Kind(path: path)
        let isOpenToNames =
            switch kind {
            case .players, .streams, .accounts: hasTokens
            case .published: hasKeys || hasTokens
            case .processing: hasKeys
            }
        guard !isLoopback || isOpenToNames || request.hostName.map(Self.isLocal) ?? true else {
            throw Problem(
                .misdirectedRequest, code: "host", "Without keys, requests come from this machine",
                detail: "ask for http://localhost, or set keys to be reached by other names")
        }
        if changes, kind != .players || !hasTokens { try checkOrigin(of: request) }
    }

    /// Whether no other site can have the name: an IP address, a name without a dot, or a subdomain of `localhost`.
    private static func isLocal(_ host: Substring) -> Bool {
        !host.contains(".") || host.hasSuffix(".localhost") || HostAddress(String(host)) != nil
    }

    /// Throws a ``Problem`` if a page of another site sends the request. Programs other than browsers send no `Origin`.
    private func checkOrigin(of request: HTTPRequest) throws {
        guard let origin = request.headerFields[.origin], !origins.contains(origin) else { return }
        let host = origin.split(separator: "/").dropFirst().joined(separator: "/")
        guard host.lowercased() == request.authority?.lowercased() else {
            throw Problem(
                .forbidden, code: "origin", "Pages of other sites are not let in",
                detail: "--allow-origin names those that are")
        }
    }
}

extension HTTPRequest {
    /// The host of the request in lower case without its port; an IPv6 address in brackets.
    fileprivate var hostName: Substring? {
        guard let name = authority?.lowercased() else { return nil }
        let port = name.lastIndex(of: ":").flatMap { name[$0...].contains("]") ? nil : $0 }
        return name[..<(port ?? name.endIndex)]
    }
}
