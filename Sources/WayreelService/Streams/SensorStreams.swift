internal import Crypto
internal import HTTPTypes
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import WayreelCore
package import WayreelStorage
package import WayreelStreams

/// Keeps recordings of live streams, each for the player who sends it.
package protocol RecordingKeeping: Sendable {
    /// Begins a recording. Throws an error that tells the player why there is none.
    func recorder(
        of player: PlayerIdentity, stream: String, title: String?
    ) async throws -> any StreamRecorder

    /// A recording of a player that is to be played to a viewer, for whom so many bytes of samples are kept. Throws likewise.
    func played(
        _ id: String, of player: PlayerIdentity, ringBytes: Int
    ) async throws -> any StreamPlaying
}

/// A recording that is played to one viewer.
package protocol StreamPlaying: Sendable {
    var stream: LiveStream { get }
    func start()
    /// The viewer has gone.
    func end()
}

/// Live streams of sensors: `/v1/streams/{name}/source`, on which a player's device sends samples, and
/// `/v1/streams/{name}/live`, on which the player views them, as on `/v1/recordings/{id}/live` those of a recording.
///
/// A stream belongs to the player who sends it, and ends some seconds after its sender has gone; a sender that comes back
/// before that continues it.
final class SensorStreams: WebSocketRoom {
    /// Who is let in, and by what.
    enum Access: Sendable {
        case players(PlayerAccess)
        /// Who has a key.
        case key(String)
        /// Everybody on this machine.
        case anyone
    }

    struct Limits: Sendable {
        var streams = 4
        var viewers = 20
        var clientShare = 1.0
        var idleSeconds = 60.0
        /// The bytes of samples that a stream keeps for viewers.
        var ringBytes = MemoryPlan.sensorRingBytes

        init() {}

        init(_ settings: ServiceSettings, _ plan: MemoryPlan) {
            (streams, viewers) = (max(1, plan.sensorStreams), max(1, plan.viewers))
            (clientShare, idleSeconds) = (settings.clientShare, settings.idleSeconds)
        }
    }

    /// A stream of a player.
    struct Key: Hashable, Sendable {
        var player: String
        var name: String
    }

    /// What is sent, or was a moment ago.
    struct Sent: Sendable {
        var stream: LiveStream
        /// The place of the stream among all. Its viewers hold it, too, as long as they hold its samples.
        var place: Reservation?
        /// Grows with each sender.
        var sender = 0
        /// Closes the socket of the sender; nil if it has gone.
        var replace: (@Sendable () -> Void)?
        /// Whether it is a source of the server itself, to which nobody sends.
        var isFixed = false
        /// The filters that its viewers begin with.
        var filters: SignalFilters?
    }

    private enum Role { case live, source, recording }

    let idleSeconds: Double
    /// The threads that read what is sent, and save marks.
    let threads = WorkPool(workers: min(2, WorkPool.availableCores))
    /// The threads that filter what is viewed. No sender waits for the filters of a viewer, and no client for those of more
    /// than one viewer of each other client.
    private let filtering = WorkLane(threads: min(2, WorkPool.availableCores), bytes: 0)
    /// nil where no recordings are kept.
    let recordings: (any RecordingKeeping)?
    private let access: Access
    private let limits: Limits
    private let senders: Allowance
    /// The sockets of senders: beside each that sends, one that takes its place.
    private let sendingSockets: Allowance
    private let viewers: Allowance
    private let sent = Mutex<[Key: Sent]>([:])

    /// The seconds for which a stream waits for its sender to come back.
    static let waitSeconds = 30
    /// The player where there are no accounts.
    private static let everybody = PlayerIdentity(id: "local", groups: [])

    init(_ limits: Limits, access: Access, recordings: (any RecordingKeeping)? = nil) {
        (self.limits, self.access, self.recordings) = (limits, access, recordings)
        idleSeconds = limits.idleSeconds
        senders = Allowance(limits.streams, clientShare: limits.clientShare)
        sendingSockets = Allowance(2 * limits.streams, clientShare: limits.clientShare)
        viewers = Allowance(limits.viewers, clientShare: limits.clientShare)
    }

    var load: (senders: Int, viewers: Int) { (senders.load.held, viewers.load.held) }

    var full: AdmissionFault { .full(.viewers(viewers.amount), seconds: 5) }

    // MARK: Entering

    func hasAddress(_ path: Substring) -> Bool { Self.address(path) != nil }

    private static func address(_ path: Substring) -> (name: Substring, role: Role)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "v1" else { return nil }
        switch (parts[2], parts[4]) {
        case ("streams", "live"): return (parts[3], .live)
        case ("streams", "source"): return (parts[3], .source)
        case ("recordings", "live"): return (parts[3], .recording)
        default: return nil
        }
    }

    func enter(_ request: HTTPRequest, from client: Client) async throws -> WebSocketEntry {
        guard let (name, role) = Self.address(request.pathWithoutQuery) else { throw Problem.unknownAddress }
        guard SensorSample.isName(name) else {
            throw Problem.badRequest("the name of a stream is of 1 to 64 letters, digits, - and _")
        }
        let offered = HeaderText.split(
            request.headerFields[values: .secWebSocketProtocol].joined(separator: ","), at: ","
        ).map { String($0) }
        let `protocol` = role == .source ? "wayreel-source" : "wayreel-live"
        guard offered.isEmpty || offered.contains(`protocol`) else {
            throw Problem.badRequest("the subprotocol of this address is \(`protocol`)")
        }
        let (player, isStillLetIn) = try await player(of: request, offered)
        let key = Key(player: player.id, name: String(name))
        let known = sent.withLock { $0[key] }
        var entry: WebSocketEntry
        switch role {
        case .live:
            guard let known else { throw Problem.notFound("nobody sends the stream '\(name)' now") }
            let place = try viewers.admit(client, seconds: 5) { .viewers($0) }
            let (threads, filtering) = (threads, filtering)
            entry = WebSocketEntry(route: "/v1/streams/{stream}/live") {
                StreamViewing(
                    known.stream, [place, known.place].compactMap(\.self), threads, filtering: filtering,
                    for: client, filters: known.filters)
            }
        case .recording:
            guard let recordings else { throw Problem.unknownAddress }
            let places = [
                try viewers.admit(client, seconds: 5) { .viewers($0) },
                // It keeps samples as a stream that is sent.
                try senders.admit(client, seconds: 5) { .senders($0) },
            ]
            let played = try await recordings.played(
                name.lowercased(), of: player, ringBytes: limits.ringBytes)
            let (threads, filtering) = (threads, filtering)
            entry = WebSocketEntry(route: "/v1/recordings/{recording}/live") {
                RecordingViewing(
                    played,
                    StreamViewing(
                        played.stream, places, threads, filtering: filtering, for: client, filters: nil))
            }
        case .source:
            guard known?.isFixed != true else {
                throw Problem(.conflict, code: "stream", "The server itself sends this stream")
            }
            // A sender that comes back has the place of its stream.
            let place = try known?.place ?? senders.admit(client, seconds: 5) { .senders($0) }
            let socket = try sendingSockets.admit(client, seconds: 5) { .senders($0) }
            entry = WebSocketEntry(route: "/v1/streams/{stream}/source") { [self] in
                StreamSending(self, key, player, place, socket: socket)
            }
        }
        entry.isStillLetIn = isStillLetIn
        entry.subprotocol = offered.isEmpty ? nil : `protocol`
        if case .players = access { entry.player = RequestRecord.pseudonym(of: player.id) }
        return entry
    }

    /// Returns whose token the request has: in a header or, since a page cannot set that for a WebSocket, as the
    /// subprotocol `bearer.TOKEN`; and whether it is still valid, asked later.
    private func player(
        of request: HTTPRequest, _ offered: [String]
    ) async throws -> (player: PlayerIdentity, isStillLetIn: (@Sendable () async -> Bool)?) {
        let (scheme, prefix) = ("bearer ", "bearer.")
        let header = request.headerFields[.authorization].flatMap {
            $0.lowercased().hasPrefix(scheme) ? String($0.dropFirst(scheme.count)) : nil
        }
        let token = header ?? offered.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        switch access {
        case .anyone: return (Self.everybody, nil)
        case .key(let key):
            // Digests are compared in constant time.
            guard SHA256.hash(data: Array((token ?? "").utf8)) == SHA256.hash(data: Array(key.utf8)) else {
                throw Problem.unauthorized("open the address that the command has printed")
            }
            return (Self.everybody, nil)
        case .players(let access):
            guard let token, let accounts = access.accounts else {
                throw Problem.unauthorized("send a token as 'Authorization: Bearer …' or the subprotocol 'bearer.…'")
            }
            let player = try await access.caller(token: token, accounts).player
            return (player, { await access.stillLetsIn(token, as: player, accounts) })
        }
    }

    // MARK: Streams

    /// Adds a stream that the server itself sends.
    func add(_ stream: LiveStream, named name: String, filters: SignalFilters?) {
        let key = Key(player: Self.everybody.id, name: name)
        sent.withLock { $0[key] = Sent(stream: stream, isFixed: true, filters: filters) }
    }

    /// What the stream of earlier senders says of itself; nil if there is none.
    func head(of key: Key) -> SignalHead? { sent.withLock { $0[key]?.stream }?.head }

    /// Begins a stream, or continues the one of an earlier sender, whose socket is closed.
    ///
    /// `replace` closes the socket of this sender. Returns the stream and the number of the sender.
    func begin(
        _ key: Key, _ head: SignalHead, _ place: Reservation, replace: @escaping @Sendable () -> Void
    ) -> (stream: LiveStream, sender: Int) {
        let limits = SignalHub.Limits(bytes: limits.ringBytes)
        let (found, earlier) = sent.withLock { sent in
            var found = sent[key] ?? Sent(stream: LiveStream(head, limits: limits, later: Self.later()), place: place)
            let earlier = found.replace
            found.sender += 1
            found.replace = replace
            sent[key] = found
            return (found, earlier)
        }
        earlier?()
        return (found.stream, found.sender)
    }

    /// Notes that a sender has gone. Its stream ends later, unless another sender comes.
    func end(_ key: Key, sender: Int) {
        let isLast = sent.withLock { sent in
            guard sent[key]?.sender == sender else { return false }
            sent[key]?.replace = nil
            return true
        }
        guard isLast else { return }
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .seconds(Int64(Self.waitSeconds))) { [self] in
            let ended = sent.withLock { sent -> Sent? in
                guard let found = sent[key], found.sender == sender, found.replace == nil else { return nil }
                return sent.removeValue(forKey: key)
            }
            ended?.stream.end()
        }
    }

    /// Runs functions later on one event loop.
    static func later() -> LiveStream.Later {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return { milliseconds, body in
            loop.scheduleTask(in: .microseconds(Int64(max(0, min(milliseconds, 1e9)) * 1000)), body)
        }
    }
}
