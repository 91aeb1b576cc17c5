internal import Crypto
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelCore

/// The WebSockets of some addresses: who may open one, and what takes part in it.
protocol WebSocketRoom: Sendable {
    /// The seconds without a frame of the client after which a socket is closed.
    var idleSeconds: Double { get }

    /// Whether an address is one of this room.
    func hasAddress(_ path: Substring) -> Bool

    /// Checks a request whose handshake is right, and reserves a place for `client`.
    ///
    /// Throws a ``Problem``, an ``AdmissionFault``, or a `parameter` error for an option.
    func enter(_ request: HTTPRequest, from client: Client) async throws -> WebSocketEntry

    /// Why an upgrade failed whose request is right: the place was given back meanwhile.
    var full: AdmissionFault { get }
}

/// A place in a room, until it is released.
struct WebSocketEntry: Sendable {
    /// The address in the metrics.
    var route: String
    /// The subprotocol of those that the client offers.
    var subprotocol: String?
    /// The id of the player in the log.
    var player: String?
    /// Whether the client would be let in again: its token may have expired. nil: always.
    var isStillLetIn: (@Sendable () async -> Bool)?
    /// Makes what takes part in the socket, on its event loop.
    var guest: @Sendable () -> any WebSocketGuest
}

/// What takes part in a WebSocket. All is called on the event loop of the socket.
protocol WebSocketGuest: AnyObject {
    /// Whether it gets the frames of a message as they arrive, and not the whole message.
    var takesPieces: Bool { get }

    /// The socket is open: the first messages may be sent.
    func begin(_ socket: WebSocket)

    /// A message, or a piece of it, has arrived.
    func receive(_ data: ByteBuffer, isText: Bool, isLast: Bool, _ socket: WebSocket)

    /// The socket may be written to again.
    func canWrite(_ socket: WebSocket)

    /// The socket is closed.
    func end()
}

/// A handshake that is right, with the place of its socket.
struct WebSocketHandshake: Sendable {
    /// The value of `Sec-WebSocket-Accept`.
    let accept: String
    let entry: WebSocketEntry
    let client: Client
    let idleSeconds: Double
    /// When it began.
    let start: ContinuousClock.Instant

    /// The most bytes of a message, and of a frame.
    static let maxMessageBytes = 256 << 10

    /// Checks the opening handshake (RFC 6455, section 4.2), and returns the value of `Sec-WebSocket-Accept`.
    ///
    /// Throws a ``Problem``.
    static func accept(_ request: HTTPRequest) throws -> String {
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
        let hash = Insecure.SHA1.hash(data: Data("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        return Data(hash).base64EncodedString()
    }
}

/// All WebSockets of a server.
struct WebSocketRooms: Sendable {
    let rooms: [any WebSocketRoom]
    let clients: ClientFinder
    let ownSite: SameOriginCheck
    let metrics: Metrics
    let log: ServiceLog?

    /// The room of a request's address; nil if that is no WebSocket. ``handshake(_:in:from:)`` checks whether it is asked for
    /// correctly.
    func room(of request: HTTPRequest) -> (any WebSocketRoom)? {
        let path = request.pathWithoutQuery
        return rooms.first { $0.hasAddress(path) }
    }

    /// Checks a request for a WebSocket, and reserves a place for the client with a connection from `peer`.
    ///
    /// Throws a ``Problem``, an ``AdmissionFault``, or a `parameter` error for an option.
    func handshake(
        _ request: HTTPRequest, in room: any WebSocketRoom, from peer: SocketAddress?
    ) async throws -> WebSocketHandshake {
        let start = ContinuousClock.now
        let accept = try WebSocketHandshake.accept(request)
        // A WebSocket reaches its page without the rules of other requests across origins.
        try ownSite.check(request, path: String(request.pathWithoutQuery), changes: true)
        let client = clients.client(peer, request.headerFields)
        return WebSocketHandshake(
            accept: accept, entry: try await room.enter(request, from: client), client: client,
            idleSeconds: room.idleSeconds, start: start)
    }

    /// Why a WebSocket would be refused at an address: browsers do not tell their pages, which ask by a plain request then.
    private func refusal(
        of request: HTTPRequest, in room: any WebSocketRoom, _ context: ServiceContext
    ) async -> Problem? {
        do {
            try ownSite.check(request, path: String(request.pathWithoutQuery), changes: true)
            _ = try await room.enter(request, from: clients.client(context.remoteAddress, request.headerFields))
            return nil
        } catch {
            return Problem(error, isDisconnected: false)
        }
    }

    /// The answer to a request that was not upgraded.
    func answer(_ request: Request, _ context: ServiceContext) async -> Response {
        guard let room = room(of: request.head) else {
            return Problem.unknownAddress.response(from: request, context: context)
        }
        // Unless the place was given back meanwhile.
        var problem = room.full.problem
        do { _ = try await handshake(request.head, in: room, from: context.remoteAddress) } catch {
            problem = Problem(error, isDisconnected: false)
        }
        if problem.status == .upgradeRequired, let refused = await refusal(of: request.head, in: room, context) {
            problem = refused
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

extension HTTPRequest {
    var pathWithoutQuery: Substring { path?.split(separator: "?", maxSplits: 1).first ?? "" }

    /// The query, without its question mark.
    var queryText: Substring { path?.split(separator: "?", maxSplits: 1).dropFirst().first ?? "" }
}

/// The entries of a WebSocket in the request log and the metrics.
final class WebSocketRecord {
    /// The value of `X-Request-ID`.
    let id = "\(RequestID())"
    /// The bytes of sent and received messages.
    private(set) var (sentBytes, receivedBytes) = (0, 0)
    private let traffic: Metrics.Traffic
    private let path: String
    private let client: Client
    private let player: String?
    private let log: ServiceLog?
    private let start: ContinuousClock.Instant

    private static let status = 101
    private var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// Counts the answer to the handshake.
    init(_ request: HTTPRequest, _ handshake: WebSocketHandshake, _ rooms: WebSocketRooms) {
        (path, client, player) = (String(request.pathWithoutQuery), handshake.client, handshake.entry.player)
        (log, start) = (rooms.log, handshake.start)
        rooms.metrics.count(
            route: handshake.entry.route, status: Self.status, seconds: (ContinuousClock.now - start) / .seconds(1))
        traffic = rooms.metrics.traffic(route: handshake.entry.route, status: Self.status)
    }

    func count(sent bytes: Int) {
        sentBytes += bytes
        traffic.count(sent: bytes)
    }

    func count(received bytes: Int) {
        receivedBytes += bytes
        traffic.count(received: bytes)
    }

    /// Writes the line in the log when the connection is closed.
    func end() {
        log?.write(
            method: "GET", path: path, status: Self.status, bytes: sentBytes, id: id, client: client, player: player,
            seconds: seconds, receivedBytes: receivedBytes)
    }
}
