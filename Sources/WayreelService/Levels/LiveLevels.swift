internal import HTTPTypes
internal import WayreelCore
internal import WayreelDocument
internal import WayreelLevels

/// `GET /v1/levels/live`: a WebSocket on which a client streams PCM and gets its levels.
final class LiveLevels: WebSocketRoom {
    static let path = "/v1/levels/live"

    let idleSeconds: Double
    /// The threads that meter the samples.
    private let threads = WorkPool()
    private let streams: Allowance

    init(_ settings: ServiceSettings, _ plan: MemoryPlan) {
        idleSeconds = settings.idleSeconds
        streams = Allowance(plan.liveStreams, clientShare: settings.clientShare)
    }

    /// The number of open streams.
    var count: Int { streams.load.held }

    /// Whether a client without a stream would be refused one.
    var isFull: Bool { streams.isFull }

    var full: AdmissionFault { .full(.liveStreams(streams.amount), seconds: 5) }

    func hasAddress(_ path: Substring) -> Bool { path == Self.path }

    func enter(_ request: HTTPRequest, from client: Client) throws -> WebSocketEntry {
        let options = try LiveLevelsOptions.settings.read(request.queryText, into: LiveLevelsOptions())
        let place = try streams.admit(client, seconds: 5) { .liveStreams($0) }
        let (stream, threads) = (try LevelStream(options), threads)
        return WebSocketEntry(route: Self.path) { LevelSocket(stream, place, threads) }
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
