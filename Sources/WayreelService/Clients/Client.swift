internal import HTTPTypes
package import Hummingbird
internal import Logging
package import NIOCore

/// Who sends a request, as far as limits tell clients apart: the networks of an address.
package struct Client: Hashable, Sendable {
    /// A network with the number of clients that it stands for.
    package struct Network: Hashable, Sendable {
        let prefix: [UInt8]
        let clients: Int
    }

    /// That of the client itself first: an IPv4 address, or the first 64 bits of an IPv6 one. A customer of a provider may
    /// have all /64 networks of a /48, which therefore has the parts of four clients at most.
    package let networks: [Network]

    package init(_ address: HostAddress) {
        let bytes = address.unmapped.bytes
        networks =
            bytes.count == 4
            ? [Network(prefix: bytes, clients: 1)]
            : [
                Network(prefix: Array(bytes.prefix(8)), clients: 1),
                Network(prefix: Array(bytes.prefix(6)), clients: 4),
            ]
    }

    private init() { networks = [Network(prefix: [], clients: 1)] }

    /// All clients without a known address: those of Unix sockets, and those whose proxy forwards no valid address.
    static let unknown = Client()
}

/// Finds the client of a request behind trusted proxies.
struct ClientFinder: Sendable {
    private let proxies: Set<HostAddress>

    init(_ settings: ServiceSettings) { proxies = Set(settings.proxies.compactMap(HostAddress.init)) }

    /// The client with a connection from `peer`. Behind a trusted proxy it is the last forwarded address that is no proxy:
    /// those before it come from the client and cannot be trusted.
    func client(_ peer: SocketAddress?, _ headers: HTTPFields) -> Client {
        guard let peer = Self.address(peer) else { return .unknown }
        guard proxies.contains(peer) else { return Client(peer) }
        let forwarded = headers[values: .xForwardedFor].joined(separator: ",").split(separator: ",")
        let addresses = forwarded.map { HostAddress(String($0.filter { $0 != " " }))?.unmapped }
        guard let last = addresses.last(where: { $0.map { !proxies.contains($0) } ?? true }) else {
            return Client(peer)
        }
        return last.map(Client.init) ?? .unknown
    }

    /// The client of a connection whose requests are not known yet; nil for a proxy's.
    func client(ofConnection peer: SocketAddress?) -> Client? {
        guard let peer = Self.address(peer) else { return .unknown }
        return proxies.contains(peer) ? nil : Client(peer)
    }

    /// Whether a connection is that of a trusted proxy.
    func trusts(_ peer: SocketAddress?) -> Bool { Self.address(peer).map(proxies.contains) ?? false }

    private static func address(_ peer: SocketAddress?) -> HostAddress? {
        peer?.ipAddress.flatMap(HostAddress.init)?.unmapped
    }
}

extension HTTPField.Name {
    fileprivate static var xForwardedFor: Self { Self("X-Forwarded-For")! }
}

/// The context of a request: its connection and the address of the peer.
package struct ServiceContext: RemoteAddressRequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel
    package let remoteAddress: SocketAddress?
    /// Who sends the request, as limits tell clients apart.
    var client: Client

    package init(source: ApplicationRequestContextSource) {
        self.init(source, peer: source.channel.remoteAddress)
    }

    /// The context of a request that comes over no connection of a server, but in the same process. Its client, `peer`,
    /// stays connected.
    package init(inProcess source: ApplicationRequestContextSource, peer: SocketAddress?) {
        self.init(source, peer: peer)
        ClientPresence.begin(channel)
    }

    private init(_ source: ApplicationRequestContextSource, peer: SocketAddress?) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        remoteAddress = peer
        client = .unknown
    }
}

/// Finds the client of each request, before all that limits it, and takes over the id that a trusted proxy gives it.
struct ClientMiddleware: RouterMiddleware {
    let finder: ClientFinder

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.client = finder.client(context.remoteAddress, request.headers)
        if finder.trusts(context.remoteAddress), let id = AnswerHeaders.requestID(of: request.headers) {
            context.logger[metadataKey: "hb.request.id"] = .string(id)
        }
        return try await next(request, context)
    }
}
