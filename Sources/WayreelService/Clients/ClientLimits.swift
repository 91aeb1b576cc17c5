internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Synchronization
internal import WayreelCore

/// Limits the requests per second of each client by token buckets.
///
/// `client-rate` is the sustained rate of requests that make the service work; bursts may have ten times as many. Pages and
/// the files of stories cost little and come in large numbers, so they have buckets of their own with ten times as many:
/// a visit cannot use up what uploads need, nor the other way round. An IPv6 client is counted in the network of a
/// customer, /48, as well, which has as much as several clients.
final class ClientLimits: RouterMiddleware {
    typealias Context = ServiceContext

    private struct Bucket {
        var tokens: Double
        var filled: ContinuousClock.Instant
    }

    private struct Key: Hashable {
        var network: [UInt8]
        var isForFiles: Bool
    }

    private let rate: Double
    /// The number of requests that may come at once; nil for ten times the rate.
    private let burst: Double?
    private let buckets = Mutex(RecentValues<Key, Bucket>(maxCost: 131_072))
    /// The rate of requests for files, as a multiple of that of all others.
    private static let fileFactor = 10.0
    /// The paths without a limit, which load balancers and Prometheus poll.
    private static let open: Set = ["/health", "/ready", "/metrics"]

    init(rate: Double, burst: Double? = nil) { (self.rate, self.burst) = (rate, burst) }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        if !Self.open.contains(request.uri.path) { try check(context.client, isForFiles: Self.isForFiles(request)) }
        return try await next(request, context)
    }

    /// Counts a request. Throws a ``Problem`` if its client has sent too many.
    func check(_ client: Client, isForFiles: Bool = false) throws {
        guard let seconds = wait(client, isForFiles: isForFiles, at: .now) else { return }
        throw Problem(
            .tooManyRequests, code: "client-rate", "Too many requests",
            detail: "at most \(rate * (isForFiles ? Self.fileFactor : 1)) a second on average",
            retryAfter: Int(seconds.rounded(.up)))
    }

    /// Whether a request is for a page, or for a story and its media. The path is split as the router does.
    private static func isForFiles(_ request: Request) -> Bool {
        guard [.get, .head].contains(request.method) else { return false }
        let parts = request.uri.path.split(separator: "/")
        return parts.first != "v1" || parts.dropFirst().first == "stories"
    }

    /// Returns the seconds until a client may send its next request; nil if it may now.
    private func wait(_ client: Client, isForFiles: Bool, at now: ContinuousClock.Instant) -> Double? {
        buckets.withLock { buckets in
            var filled: [(key: Key, bucket: Bucket)] = []
            var longest: Double?
            for network in client.networks {
                let key = Key(network: network.prefix, isForFiles: isForFiles)
                let factor = (isForFiles ? Self.fileFactor : 1) * Double(network.clients)
                let rate = rate * factor
                let most = burst.map { $0 * factor } ?? max(1, rate * 10)
                var bucket = buckets[key] ?? Bucket(tokens: most, filled: now)
                bucket.tokens = min(most, bucket.tokens + (now - bucket.filled) / .seconds(1) * rate)
                bucket.filled = now
                filled.append((key, bucket))
                if bucket.tokens < 1 { longest = max(longest ?? 0, (1 - bucket.tokens) / rate) }
            }
            for (key, var bucket) in filled {
                // A request that is refused takes nothing from the other network.
                if longest == nil { bucket.tokens -= 1 }
                buckets.keep(bucket, for: key)
            }
            return longest
        }
    }
}

/// Closes the connections of a client that has its part of all connections. Those of proxies are not counted: their
/// requests come from many clients.
final class ConnectionLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    /// What is read from a socket at once, in bytes. A connection whose request has to wait holds ten of these reads.
    private static let readBytes = 16 << 10

    /// TCP_NOTSENT_LOWAT of <netinet/tcp.h>. Without it, the kernel takes up to four megabytes for a client that does not read.
    private static let unsentBytes = NIOBSDSocket.Option(rawValue: 25)

    private let connections: Allowance
    private let clients: ClientFinder
    private var place: Reservation?

    init(_ connections: Allowance, _ clients: ClientFinder) {
        (self.connections, self.clients) = (connections, clients)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        try? context.channel.syncOptions?.setOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readBytes))
        try? context.channel.syncOptions?.setOption(
            .tcpOption(Self.unsentBytes), value: SocketOptionValue(PacedWriter.unsentBytes))
        guard let client = clients.client(ofConnection: context.channel.remoteAddress) else { return }
        do throws(Allowance.Refusal) { place = try connections.reserve(1, for: client) } catch {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { place = nil }

    func channelInactive(context: ChannelHandlerContext) {
        place = nil
        context.fireChannelInactive()
    }
}
