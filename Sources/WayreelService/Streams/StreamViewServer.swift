internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
package import WayreelCore
internal import WayreelStorage
package import WayreelStreams

/// Shows one stream in a browser of this machine: its page, and the page that sends the sensors of a device. Who has the
/// key views it.
package struct StreamViewServer: Sendable {
    /// The name of the stream.
    package static let stream = "view"

    /// What the address of the page ends with, after `#`: no request contains it.
    package let key: String
    private let settings: ServiceSettings
    private let streams: SensorStreams

    private static let (maxConnections, viewers, senders) = (256, 32, 4)
    private static let answerBytes = 64_000_000

    /// Throws a `parameter` error for an address that other machines reach: its connections have no TLS.
    package init(listen: ServiceSettings.Address) throws(MediaError) {
        guard listen.isLoopback else {
            throw MediaError(
                .parameter, step: .listen, subject: listen.host, reason: "is reached from other machines",
                advice: "listen on 127.0.0.1, or use 'wayreel serve' with TLS and players' tokens")
        }
        var settings = ServiceSettings()
        (settings.listen, settings.log, settings.clientShare) = (listen, false, 1)
        self.settings = settings
        key = Secret.make()
        var limits = SensorStreams.Limits()
        (limits.streams, limits.viewers) = (Self.senders, Self.viewers)
        streams = SensorStreams(limits, access: .key(key))
    }

    /// Runs functions later, for streams that are shown.
    package static var later: LiveStream.Later { SensorStreams.later() }

    /// Shows a stream, with the filters that its viewers begin with.
    package func show(_ stream: LiveStream, filters: SignalFilters?) {
        streams.add(stream, named: Self.stream, filters: filters)
    }

    /// Serves until SIGTERM or SIGINT. `isReady` is called with the address of the page.
    ///
    /// Throws an `io` error where the address cannot be used.
    package func run(isReady: @escaping @Sendable (_ address: String) -> Void) async throws {
        var logger = Logger(label: "wayreel")
        logger.logLevel = .error
        let metrics = Metrics()
        let sockets = WebSocketRooms(
            rooms: [streams], clients: ClientFinder(settings), ownSite: SameOriginCheck(settings), metrics: metrics,
            log: nil)
        let connections = Allowance(Self.maxConnections, clientShare: 1)
        let http = HTTP1Channel.Configuration(sockets, connections, idleSeconds: settings.idleSeconds)
        let host = settings.listen.host.contains(":") ? "[\(settings.listen.host)]" : settings.listen.host
        let key = key
        let application = Application(
            router: router(sockets, metrics),
            server: HTTPServerBuilder { HTTP1Channel(responder: $0, configuration: http) },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.listen.host, port: settings.listen.port)),
            onServerRunning: { [port = settings.listen.port] channel in
                isReady("http://\(host):\(channel.localAddress?.port ?? port)/#\(key)")
            },
            logger: logger)
        do { try await application.runService() } catch let error as IOError {
            throw MediaError(
                .io, step: .listen, subject: "\(settings.listen.host):\(settings.listen.port)",
                reason: systemReason(error.errnoCode), advice: "choose another address with --listen")
        }
    }

    private func router(_ sockets: WebSocketRooms, _ metrics: Metrics) -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        let memory = RequestQueue(
            places: Self.maxConnections, bytes: Self.answerBytes, clientShare: 1, workers: 1)
        router.addMiddleware { ClientMiddleware(finder: sockets.clients) }
        router.addMiddleware { AnswerMiddleware(metrics: metrics, log: nil, memory: memory) }
        router.addMiddleware { SameOriginCheck(settings) }
        StreamPageRoutes(settings: settings, isRoot: true).add(to: router)
        for role in ["live", "source"] {
            router.get("v1/streams/:stream/\(role)") { await sockets.answer($0, $1) }
        }
        return router.refusingOtherMethods()
    }
}
