internal import AsyncHTTPClient
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Tracing
internal import WayreelCore

/// Images at other servers, where the settings list them.
///
/// Address → on the list → resolved once, to public addresses → connected to what was checked → at most the bytes that are allowed.
/// A redirect is followed where its target passes the same checks.
struct RemoteSources: Sendable {
    private let prefixes: [RemotePrefix]
    private let maxBytes: Int
    private let seconds: Double

    private static let maxRedirects = 3

    init(_ settings: ServiceSettings) {
        prefixes = settings.sources.compactMap(RemotePrefix.init)
        (maxBytes, seconds) = (settings.maxBytes, settings.maxSeconds)
    }

    /// Whether a source in the address of an image is one of another server.
    static func isRemote(_ source: String) -> Bool { source.hasPrefix("https://") || source.hasPrefix("http://") }

    /// The URL of a source. Throws a ``Problem`` where it is damaged or not on the list.
    func url(_ source: String) throws -> RemoteURL {
        guard let url = RemoteURL(source) else {
            throw Problem.badRequest("the source is no http or https URL without user, fragment and spaces")
        }
        guard prefixes.contains(where: { $0.covers(url) }) else {
            throw Problem(
                .forbidden, code: "source", "Images of this server are not allowed",
                detail: "the setting 'sources' lists what is")
        }
        return url
    }

    /// The bytes of the image at `url`. Throws a ``Problem``.
    func fetch(_ url: RemoteURL) async throws -> MediaBytes {
        try await withSpan("fetch", ofKind: .client) { span in
            span.updateAttributes { $0["server.address"] = url.host }
            return try await follow(url)
        }
    }

    private func follow(_ url: RemoteURL) async throws -> MediaBytes {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var url = url
        for _ in 0...Self.maxRedirects {
            switch try await get(url, until: deadline) {
            case .content(let bytes): return bytes
            case .redirect(let location):
                guard let next = url.resolving(location) else { throw Self.fault("redirects to no URL") }
                url = try self.url(next.text)
            }
        }
        throw Self.fault("redirects more than \(Self.maxRedirects) times")
    }

    private enum Answer {
        case content(MediaBytes)
        case redirect(String)
    }

    private func get(_ url: RemoteURL, until deadline: ContinuousClock.Instant) async throws -> Answer {
        let isExact = prefixes.contains { $0.covers(url) && $0.url.isAddress }
        let address = try await NIOThreadPool.singleton.runIfActive { () throws -> String in
            try HostAddress.resolve(url.host, allowsPrivate: isExact)
        }
        // A client of its own, since the addresses of names are settings of a client.
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: .seconds(10)))
        configuration.dnsOverride = [url.host: address]
        configuration.httpVersion = .http1Only
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        let result: Result<Answer, any Error>
        do { result = .success(try await answer(of: client, to: url, until: deadline)) } catch {
            result = .failure(error)
        }
        try? await client.shutdown()
        switch result {
        case .success(let answer): return answer
        case .failure(let problem as Problem): throw problem
        case .failure(is CancellationError): throw CancellationError()
        case .failure(let error as HTTPClientError) where error == .deadlineExceeded || error == .readTimeout:
            throw Self.fault("did not answer in time")
        case .failure: throw Self.fault("cannot be reached")
        }
    }

    private func answer(
        of client: HTTPClient, to url: RemoteURL, until deadline: ContinuousClock.Instant
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url.text)
        request.headers.add(name: "User-Agent", value: "Wayreel/\(WayreelVersion.text)")
        request.headers.add(name: "Accept", value: "image/*")
        let left = max(0, (deadline - ContinuousClock.now) / .seconds(1))
        let response = try await client.execute(request, timeout: .nanoseconds(Int64(left * 1e9)))
        switch response.status.code {
        case 200: break
        case 301, 302, 303, 307, 308:
            guard let location = response.headers.first(name: "Location") else {
                throw Self.fault("redirects to nowhere")
            }
            return .redirect(location)
        case 404, 410: throw Problem.notFound("the other server has no such image")
        case let status: throw Self.fault("answers with status \(status)")
        }
        if let declared = response.headers.first(name: "Content-Length").flatMap(Int.init), declared > maxBytes {
            throw tooLarge
        }
        var bytes: [UInt8] = []
        for try await chunk in response.body {
            guard ContinuousClock.now < deadline else { throw HTTPClientError.deadlineExceeded }
            guard bytes.count + chunk.readableBytes <= maxBytes else { throw tooLarge }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return .content(MediaBytes(bytes[...]))
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
