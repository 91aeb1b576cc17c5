internal import HTTPTypes
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

    /// The URL of a source. Throws a ``Problem`` if it is malformed or not on the list.
    func url(_ source: String) throws -> RemoteURL {
        guard let url = RemoteURL(source) else {
            throw Problem.badRequest("the source is not an http or https URL without user, fragment and spaces")
        }
        guard prefixes.contains(where: { $0.covers(url) }) else {
            throw Problem(
                .forbidden, code: "source", "Images of this server are not allowed",
                detail: "the setting 'sources' lists what is")
        }
        return url
    }

    /// Returns the bytes of the image at `url`. Throws a ``Problem``.
    ///
    /// What it needs is reserved in `memory`, which belongs to `queue`, while it arrives.
    func fetch(_ url: RemoteURL, _ memory: Reservation, in queue: RequestQueue) async throws -> MediaBytes {
        try await withSpan("fetch", ofKind: .client) { span in
            span.updateAttributes { $0["server.address"] = url.host }
            return try await follow(url) { bytes in
                do throws(Allowance.Refusal) { try memory.grow(to: bytes) } catch { throw queue.memoryProblem(error) }
            }
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
                guard let next = location.flatMap(url.resolving) else { throw Self.fault("redirects to no URL") }
                url = try self.url(next.text)
            case .status(404), .status(410): throw Problem.notFound("the other server has no such image")
            case .status(let status): throw Self.fault("answers with status \(status)")
            }
        }
        throw Self.fault("redirects more than \(Self.maxRedirects) times")
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
            case .tooLarge: throw tooLarge
            case .tooSlow: throw Self.fault("did not answer in time")
            case .unreachable: throw Self.fault("cannot be reached")
            }
        }
    }

    private static func fault(_ reason: String) -> Problem {
        Problem(.badGateway, code: "source", "The image's server failed", detail: "it \(reason)")
    }

    private var tooLarge: Problem {
        Problem(
            .contentTooLarge, code: MediaError.Code.tooManyBytes.rawValue, "The image is too large",
            detail: "its server sends more than \(maxBytes) bytes")
    }
}
