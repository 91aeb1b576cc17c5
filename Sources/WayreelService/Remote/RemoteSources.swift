internal import Tracing
internal import WayreelCore

/// Images at other servers, where the settings list them.
///
/// URL → checked against the list → resolved once, to public addresses → fetched from a checked address, up to the
/// maximum size. The target of a redirect has to pass the same checks.
struct RemoteSources: Sendable {
    private let prefixes: [RemotePrefix]
    private let maxBytes: Int
    private let seconds: Double
    private let resolver: NameResolver

    private static let maxRedirects = 3

    init(_ settings: ServiceSettings) {
        prefixes = settings.sources.compactMap(RemotePrefix.init)
        (maxBytes, seconds) = (settings.maxBytes, settings.maxSeconds)
        resolver = NameResolver(names: Set(prefixes.map(\.url.host)).count)
    }

    /// Whether the source of an image is a URL.
    static func isRemote(_ source: String) -> Bool { source.hasPrefix("https://") || source.hasPrefix("http://") }

    /// The URL of a source. Throws if it is malformed or not on the list.
    func url(_ source: String) throws(SourceFault) -> RemoteURL {
        guard let url = RemoteURL(source) else { throw .notURL }
        guard prefixes.contains(where: { $0.covers(url) }) else { throw .notListed }
        return url
    }

    /// Returns the bytes of the image at `url`.
    ///
    /// What it needs is reserved in `memory`, which belongs to `queue`, while it arrives. Throws a ``SourceFault``, an
    /// ``AdmissionFault`` if there is no memory, or a `CancellationError`.
    func fetch(_ url: RemoteURL, _ memory: Reservation, in queue: RequestQueue) async throws -> MediaBytes {
        try await withSpan("fetch", ofKind: .client) { span in
            span.updateAttributes { $0["server.address"] = url.host }
            return try await follow(url) { bytes in try queue.hold(bytes, in: memory) }
        }
    }

    private func follow(
        _ url: RemoteURL, _ reserve: @escaping @Sendable (Int) throws -> Void
    ) async throws -> MediaBytes {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var url = url
        for _ in 0...Self.maxRedirects {
            switch try await get(url, until: deadline, reserve) {
            case .content(let media): return media
            case .redirect(let location):
                guard let next = location.flatMap(url.resolving) else { throw SourceFault.failed(.badRedirect) }
                url = try self.url(next.text)
            case .status(404), .status(410): throw SourceFault.missing
            case .status(let status): throw SourceFault.failed(.status(status))
            }
        }
        throw SourceFault.failed(.tooManyRedirects(Self.maxRedirects))
    }

    private func get(
        _ url: RemoteURL, until deadline: ContinuousClock.Instant, _ reserve: @escaping @Sendable (Int) throws -> Void
    ) async throws -> HTTPFetcher.Answer {
        let isExact = prefixes.contains { $0.covers(url) && $0.url.isAddress }
        let address = try await resolver.address(of: url.host, allowsPrivate: isExact, until: deadline)
        do {
            return try await HTTPFetcher.get(
                url.text, host: url.host, at: address, maxBytes: maxBytes, until: deadline, reserve: reserve)
        } catch let fault as HTTPFetcher.Fault {
            switch fault {
            case .tooLarge: throw SourceFault.tooLarge(maxBytes: maxBytes)
            case .tooSlow: throw SourceFault.failed(.timeout)
            case .unreachable: throw SourceFault.failed(.unreachable)
            }
        }
    }
}

/// The reason for which an image of another server is not fetched.
enum SourceFault: Error, Hashable {
    /// What the other server does, or the name server that is asked for it.
    enum Failure: Hashable {
        case noAddress
        case lookupTimeout
        case unreachable
        case timeout
        case status(Int)
        case badRedirect
        case tooManyRedirects(Int)
    }

    case notURL
    /// The settings do not list it.
    case notListed
    /// Its name has an address of a private network.
    case notPublic
    case missing
    case tooLarge(maxBytes: Int)
    case failed(Failure)
}
