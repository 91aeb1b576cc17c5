internal import Crypto
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Synchronization
internal import WayreelCore
internal import WayreelTasks

/// `GET /v1/levels/live`: a WebSocket on which a client streams PCM and gets its levels.
final class LiveLevels: Sendable {
    /// The content of a correct opening handshake.
    struct Handshake {
        let stream: LevelStream
        /// The value of `Sec-WebSocket-Accept`.
        let accept: String
        let record: LiveRecord
    }

    static let path = "/v1/levels/live"
    /// The maximum number of bytes of a message, and of a frame.
    static let maxMessageBytes = 256 << 10

    let idleSeconds: Double
    /// The threads that meter the samples.
    let threads = WorkPool()
    private let maxStreams: Int
    private let ownSite: SameOriginCheck
    private let streams = Atomic<Int>(0)
    private let metrics: Metrics
    private let log: ServiceLog?
    private let clients: ClientFinder

    init(_ settings: ServiceSettings, _ metrics: Metrics, _ log: ServiceLog?) {
        (self.metrics, self.log) = (metrics, log)
        clients = ClientFinder(settings)
        idleSeconds = settings.idleSeconds
        maxStreams = settings.liveStreams
        ownSite = SameOriginCheck(settings)
    }

    /// The number of open streams.
    var count: Int { streams.load(ordering: .relaxed) }

    /// Counts a new stream, until ``leave()``. Returns false if the maximum number is open.
    func enter() -> Bool {
        guard streams.wrappingAdd(1, ordering: .relaxed).newValue > maxStreams else { return true }
        leave()
        return false
    }

    func leave() { streams.wrappingSubtract(1, ordering: .relaxed) }

    /// Whether a request asks for the WebSocket. ``handshake(_:)`` checks whether it does so correctly.
    static func isUpgrade(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.path.map { $0 == path || $0.hasPrefix(path + "?") } ?? false
    }

    /// Checks the opening handshake (RFC 6455, section 4.2). Throws a ``Problem``, or a `parameter` error for an
    /// option.
    func handshake(_ request: HTTPRequest, from peer: SocketAddress?) throws -> Handshake {
        let headers = request.headerFields
        guard headers.has(.upgrade, "websocket"), headers.has(.connection, "upgrade"),
            headers[.secWebSocketVersion] == "13", headers[.transferEncoding] == nil,
            headers[.contentLength].map({ $0 == "0" }) ?? true
        else {
            throw Problem(
                .upgradeRequired, code: "upgrade", "This address is a WebSocket",
                detail: "connect with a client of WebSockets, version 13")
        }
        guard let key = headers[.secWebSocketKey], Data(base64Encoded: key)?.count == 16 else {
            throw Problem.badRequest("Sec-WebSocket-Key is not 16 bytes in Base64")
        }
        // A WebSocket reaches its page without the rules of other requests across origins.
        try ownSite.check(request, path: Self.path, changes: true)
        let query = request.path?.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let options = try LiveLevelsOptions.settings.read(query, into: LiveLevelsOptions())
        let hash = Insecure.SHA1.hash(data: Data("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        return Handshake(
            stream: try LevelStream(options), accept: Data(hash).base64EncodedString(),
            record: LiveRecord(request, from: clients.client(peer, headers), metrics, log))
    }

    /// The answer to a request that was not upgraded.
    func answer(_ request: Request, _ context: some RequestContext) -> Response {
        var problem = Problem(
            .serviceUnavailable, code: "overloaded", "The server is overloaded", retryAfter: 5)
        do { _ = try handshake(request.head, from: nil) } catch let error as Problem { problem = error } catch {
            problem = (error as? MediaError).map { Problem($0) } ?? problem
        }
        var response = problem.response(from: request, context: context)
        if problem.status == .upgradeRequired {
            response.headers[.upgrade] = "websocket"
            response.headers[.secWebSocketVersion] = "13"
        }
        // The decoder reads no further after a request that wants another protocol.
        response.headers[.connection] = problem.status == .upgradeRequired ? "close, upgrade" : "close"
        return response
    }
}

extension HTTPFields {
    /// Whether a list has an element, ignoring case.
    fileprivate func has(_ name: HTTPField.Name, _ element: String) -> Bool {
        self[values: name].joined(separator: ",").split(separator: ",").contains {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased() == element
        }
    }
}
