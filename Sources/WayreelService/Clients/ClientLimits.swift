internal import Hummingbird
internal import HTTPTypes
internal import Synchronization

/// Limits the requests per second of each client by a token bucket for each address.
///
/// `client-rate` is the sustained rate; bursts may have ten times as many, unless another number is given. IPv6 clients are told apart by /64 networks.
final class ClientLimits: RouterMiddleware {
    typealias Context = ServiceContext

    private struct Bucket {
        var tokens: Double
        var filled: ContinuousClock.Instant
    }

    private let rate: Double
    private let burst: Double
    private let proxies: Set<HostAddress>
    private let buckets = Mutex(RecentValues<[UInt8], Bucket>(maxCost: 65_536))
    /// The paths without a limit, which load balancers and Prometheus poll.
    private static let open: Set = ["/health", "/ready", "/metrics"]

    init(rate: Double, burst: Double? = nil, proxies: [HostAddress]) {
        (self.rate, self.burst, self.proxies) = (rate, burst ?? max(1, rate * 10), Set(proxies))
    }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        if !Self.open.contains(request.uri.path) { try check(request, context) }
        return try await next(request, context)
    }

    /// Counts a request. Throws a ``Problem`` if its client has sent too many.
    func check(_ request: Request, _ context: ServiceContext) throws {
        guard let client = client(of: request, context), let seconds = wait(client, at: .now) else { return }
        throw Problem(
            .tooManyRequests, code: "client-rate", "Too many requests",
            detail: "at most \(rate) a second on average", retryAfter: Int(seconds.rounded(.up)))
    }

    /// Returns the seconds until a client may send its next request; nil if it may now.
    private func wait(_ client: [UInt8], at now: ContinuousClock.Instant) -> Double? {
        buckets.withLock { buckets in
            var bucket = buckets[client] ?? Bucket(tokens: burst, filled: now)
            bucket.tokens = min(burst, bucket.tokens + (now - bucket.filled) / .seconds(1) * rate)
            bucket.filled = now
            defer { buckets.keep(bucket, for: client) }
            guard bucket.tokens >= 1 else { return (1 - bucket.tokens) / rate }
            bucket.tokens -= 1
            return nil
        }
    }

    /// The network of the client: that of the peer or, behind trusted proxies, of the last forwarded address that is no
    /// proxy. Those before it come from the client and cannot be trusted.
    func client(of request: Request, _ context: ServiceContext) -> [UInt8]? {
        guard let peer = context.remoteAddress?.ipAddress.flatMap(HostAddress.init)?.unmapped else { return nil }
        guard proxies.contains(peer) else { return peer.network }
        let forwarded = request.headers[values: .xForwardedFor].joined(separator: ",").split(separator: ",")
        let addresses = forwarded.map { HostAddress(String($0.filter { $0 != " " }))?.unmapped }
        // All clients whose proxy forwards no valid address share one bucket.
        guard let last = addresses.last(where: { $0.map { !proxies.contains($0) } ?? true }) else {
            return peer.network
        }
        return last?.network ?? []
    }
}

extension HostAddress {
    /// The network of one client: an IPv4 address, or the first 64 bits of an IPv6 one.
    fileprivate var network: [UInt8] { Array(bytes.prefix(8)) }
}

extension HTTPField.Name {
    fileprivate static var xForwardedFor: Self { Self("X-Forwarded-For")! }
}
