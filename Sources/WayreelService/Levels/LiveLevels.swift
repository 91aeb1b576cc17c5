internal import Crypto
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelCore
internal import WayreelDocument
internal import WayreelLevels

/// `GET /v1/levels/live`: a WebSocket on which a client streams PCM and gets its levels.
final class LiveLevels: Sendable {
    /// The content of a correct opening handshake.
    struct Handshake {
        let stream: LevelStream
        /// Its place among all streams.
        let place: Reservation
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
    private let streams: Allowance
    private let ownSite: SameOriginCheck
    private let metrics: Metrics
    private let log: ServiceLog?
    private let clients: ClientFinder

    init(_ settings: ServiceSettings, _ plan: MemoryPlan, _ metrics: Metrics, _ log: ServiceLog?) {
        (self.metrics, self.log) = (metrics, log)
        clients = ClientFinder(settings)
        idleSeconds = settings.idleSeconds
        streams = Allowance(plan.liveStreams, clientShare: settings.clientShare)
        ownSite = SameOriginCheck(settings)
    }

    /// The number of open streams.
    var count: Int { streams.load.held }

    /// Whether a client without a stream would be refused one.
    var isFull: Bool { streams.isFull }

    /// Whether a request asks for the WebSocket. ``handshake(_:)`` checks whether it does so correctly.
    static func isUpgrade(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.path.map { $0 == path || $0.hasPrefix(path + "?") } ?? false
    }

    /// Checks the opening handshake (RFC 6455, section 4.2), and reserves a place for the stream of the client with a
    /// connection from `peer`. Throws a ``Problem``, an ``AdmissionFault``, or a `parameter` error for an option.
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
        let client = clients.client(peer, headers)
        let place = try streams.admit(client, seconds: 5) { .liveStreams($0) }
        return Handshake(
            stream: try LevelStream(options), place: place, accept: Data(hash).base64EncodedString(),
            record: LiveRecord(request, from: client, metrics, log))
    }

    /// The answer to a request that was not upgraded.
    func answer(_ request: Request, _ context: ServiceContext) -> Response {
        // Unless the place was given back meanwhile.
        var problem = AdmissionFault.full(.liveStreams(streams.amount), seconds: 5).problem
        do { _ = try handshake(request.head, from: context.remoteAddress) } catch {
            problem = Problem(error, isDisconnected: false)
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
        HeaderText.split(self[values: name].joined(separator: ","), at: ",").contains { $0.lowercased() == element }
    }
}

/// The format of the PCM that a client streams, and of the levels that it gets.
struct LiveLevelsOptions: Sendable {
    /// The format of the interleaved samples.
    enum SampleFormat: String, CaseIterable {
        case s16le, f32le

        var byteCount: Int { self == .s16le ? 2 : 4 }
    }

    var sampleRate = 48_000
    var channelCount = 2
    var format = SampleFormat.s16le
    /// Readings per second.
    var rate: Rational = 30
    var meter: MeterBallistics?
    var unit: LevelUnit?

    /// The maximum number of readings per second: displays show no more.
    private static let maxRate = 120.0

    static let settings: [Setting<LiveLevelsOptions>] = [
        .whole("sample-rate", 8000...192_000, "samples per second") { $0.sampleRate = $1 },
        .whole("channels", 1...8, "channels") { $0.channelCount = $1 },
        .choice("format", SampleFormat.self) { $0.format = $1 },
        .value(
            "rate", "readings per second such as 30 or 30000/1001, at most 120",
            read: { Rational($0).flatMap { $0.value <= maxRate ? $0 : nil } }
        ) { $0.rate = $1 },
        .choice("meter", MeterBallistics.self) { $0.meter = $1 },
        .choice("unit", LevelUnit.self) { $0.unit = $1 },
    ]

    /// The bytes of one sample of each channel.
    var frameBytes: Int { format.byteCount * channelCount }
}

/// The entries of a WebSocket of live levels in the request log and the metrics.
final class LiveRecord {
    /// The value of `X-Request-ID`.
    let id = "\(RequestID())"
    /// The bytes of sent and received messages.
    private(set) var (sentBytes, receivedBytes) = (0, 0)
    private var traffic: Metrics.Traffic?
    private let path: String
    private let metrics: Metrics
    private let log: ServiceLog?
    private let start = ContinuousClock.now

    private let client: Client

    init(_ request: HTTPRequest, from client: Client, _ metrics: Metrics, _ log: ServiceLog?) {
        self.client = client
        path = String(request.path?.split(separator: "?", maxSplits: 1).first ?? "")
        self.metrics = metrics
        self.log = log
    }

    private static let status = 101
    private var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// Counts the answer to the handshake.
    func begin() {
        metrics.count(route: LiveLevels.path, status: Self.status, seconds: seconds)
        traffic = metrics.traffic(route: LiveLevels.path, status: Self.status)
    }

    func count(sent bytes: Int) {
        sentBytes += bytes
        traffic?.count(sent: bytes)
    }

    func count(received bytes: Int) {
        receivedBytes += bytes
        traffic?.count(received: bytes)
    }

    /// Writes the line in the log when the connection is closed.
    func end() {
        log?.write(
            method: "GET", path: path, status: Self.status, bytes: sentBytes, id: id, client: client, seconds: seconds,
            receivedBytes: receivedBytes)
    }
}
