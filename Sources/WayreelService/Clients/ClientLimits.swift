internal import Hummingbird
internal import HTTPTypes
internal import Synchronization

/// Limits the requests per second of each client by a token bucket for each address.
///
/// `client-rate` is the sustained rate; bursts may have ten times as many. IPv6 clients are told apart by /64 networks.
final class ClientLimits: RouterMiddleware {
    typealias Context = ServiceContext

    private struct Bucket {
        var tokens: Double
        var filled: ContinuousClock.Instant
    }

    private let rate: Double
    private let buckets = Mutex(RecentValues<Client, Bucket>(maxCost: 65_536))
    private static let burstSeconds = 10.0
    /// The paths without a limit, which load balancers and Prometheus poll.
    private static let open: Set = ["/health", "/ready", "/metrics"]

    init(rate: Double) { self.rate = rate }

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        if !Self.open.contains(request.uri.path), let seconds = wait(context.client, at: .now) {
            throw Problem(
                .tooManyRequests, code: "client-rate", "Too many requests",
                detail: "at most \(rate) a second on average", retryAfter: Int(seconds.rounded(.up)))
        }
        return try await next(request, context)
    }

    /// Returns the seconds until a client may send its next request; nil if it may now.
    private func wait(_ client: Client, at now: ContinuousClock.Instant) -> Double? {
        buckets.withLock { buckets in
            let most = max(1, rate * Self.burstSeconds)
            var bucket = buckets[client] ?? Bucket(tokens: most, filled: now)
            bucket.tokens = min(most, bucket.tokens + (now - bucket.filled) / .seconds(1) * rate)
            bucket.filled = now
            defer { buckets.keep(bucket, for: client) }
            guard bucket.tokens >= 1 else { return (1 - bucket.tokens) / rate }
            bucket.tokens -= 1
            return nil
        }
    }
}
