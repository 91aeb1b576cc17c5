internal import CLinux
internal import HTTPTypes
package import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import Tracing
package import WayreelCore
package import WayreelStorage
internal import WayreelTasks

/// What a service keeps, behind protocols. What is nil is opened in the folder of `--data`.
package struct ServiceStores: Sendable {
    package var players: (any PlayerStoring)?
    package var accounts: (any AccountStoring)?
    /// nil: in memory.
    package var pairings: (any PairingStoring)?
    /// Inputs and results of jobs are in the folder of `--data` in any case: child processes read and write them.
    package var jobs: (any JobStoring)?

    package init(
        players: (any PlayerStoring)? = nil, accounts: (any AccountStoring)? = nil,
        pairings: (any PairingStoring)? = nil, jobs: (any JobStoring)? = nil
    ) {
        (self.players, self.accounts, self.pairings, self.jobs) = (players, accounts, pairings, jobs)
    }
}

/// The HTTP service: captures and images over HTTP.
package struct Service: Sendable {
    let settings: ServiceSettings
    let images: ImageRoutes?
    let captures: CaptureRoutes
    let stories: StoryRoutes?
    let players: PlayerRoutes?
    private let cache: ResultCache?
    private let plan: MemoryPlan
    private let clients: ClientFinder
    let work: MediaWork
    let files: StorageWork
    private let metrics = Metrics()
    private let log: ServiceLog?
    let jobs: JobRoutes?
    let live: LiveLevels
    let sensors: SensorStreams?
    let sockets: WebSocketRooms
    private let certificate: Reloadable<NIOSSLContext>?
    /// What SIGHUP makes the service read again.
    private let reloadables: [any Reloading]
    private let tracer: ServiceTracer?
    private let spans: SpanSender?
    let description: ServiceDescription

    /// Opens what the settings name. `worker`: the program of child processes, as in `Isolation`.
    ///
    /// Throws an `io` or `parameter` error for a folder, a file of keys or a certificate that cannot be used.
    package init(
        _ settings: ServiceSettings, stores: ServiceStores = ServiceStores(), worker: String = Isolation.ownExecutable
    ) throws(MediaError) {
        self.settings = settings
        log = settings.log ? ServiceLog() : nil
        let plan = try MemoryPlan(settings)
        self.plan = plan
        clients = ClientFinder(settings)
        work = MediaWork(settings, plan, worker: worker)
        files = StorageWork(settings)
        let recipes = try RecipeFolder(settings.recipes)
        let folder = try settings.images.map { (path) throws(MediaError) in try ImageFolder(path) }
        let keys = try settings.keys.map { (path) throws(MediaError) in
            try Reloadable("keys") { () throws(MediaError) in try SigningKeys(path: path) }
        }
        let playerKeys = try settings.playerKeys.map { (path) throws(MediaError) in
            try Reloadable("player-keys") { () throws(MediaError) in try PlayerKeys(path: path) }
        }
        let sourceKeys = try settings.sourceKeys.map { (path) throws(MediaError) in
            try Reloadable("source-keys") { () throws(MediaError) in try SourceKeys(path: path) }
        }
        let cache = try settings.cache.map { (path) throws(MediaError) in
            try ResultCache(path, maxBytes: settings.cacheBytes, maxMemory: settings.cacheMemory)
        }
        self.cache = cache
        let (work, files) = (work, files)
        let resolver = OptionResolver(settings: settings, recipes: recipes, folder: folder)
        images =
            folder == nil && settings.sources.isEmpty
            ? nil
            : try ImageRoutes(
                settings, resolver: resolver, keys: keys, sourceKeys: sourceKeys, cache: cache, work: work, files: files
            )
        let log = log
        let jobs = try settings.data.map { (path) throws(MediaError) -> JobRoutes in
            let queue = try JobQueue(
                data: path, stores.jobs, settings, plan, worker: worker, images: work, files: files, log)
            return JobRoutes(
                settings: settings, queue: queue, recipes: recipes, files: files,
                streams: Allowance(max(1, plan.connections / 2), clientShare: settings.clientShare))
        }
        self.jobs = jobs
        captures = CaptureRoutes(settings: settings, resolver: resolver, work: work, files: files, jobs: jobs)
        let catalog = try settings.stories.map { (path) throws(MediaError) in try StoryCatalog(path) }
        stories = catalog.map { StoryRoutes(stories: $0, files: files, publicURL: settings.publicURL) }
        players = try PlayerRoutes(
            settings, given: stores, keys: playerKeys, resolver: resolver, stories: catalog, images: work, log: log)
        live = LiveLevels(settings, plan)
        sensors =
            settings.hasSensorStreams
            ? SensorStreams(
                .init(settings, plan), access: players?.tokens.map { .players($0) } ?? .anyone,
                recordings: players?.recordings.service) : nil
        sockets = WebSocketRooms(
            rooms: [live as any WebSocketRoom] + (sensors.map { [$0] } ?? []), clients: clients,
            ownSite: SameOriginCheck(settings), metrics: metrics, log: log)
        certificate = try Self.certificate(settings)
        let reloadables: [(any Reloading)?] = [keys, playerKeys, sourceKeys, certificate]
        self.reloadables = reloadables.compactMap(\.self)
        spans = settings.otlp.map { SpanSender(collector: $0) }
        var exporters: [any SpanExporter] = spans.map { [$0] as [any SpanExporter] } ?? []
        if let path = settings.traces { exporters.append(try SpanFile(path)) }
        tracer = exporters.isEmpty ? nil : ServiceTracer(exporters: exporters)
        let parts: [(name: String, isThere: Bool)] = [
            ("images", images != nil), ("keys", settings.keys != nil), ("stories", catalog != nil),
            ("jobs", jobs != nil), ("players", players != nil), ("tokens", players?.hasTokens == true),
            ("passkeys", players?.hasPasskeys == true), ("provider", players?.hasProvider == true),
            ("sensors", sensors != nil),
        ]
        description = ServiceDescription(
            .init(
                names: Set(parts.filter(\.isThere).map(\.name)),
                fallbackStatuses: settings.fallbackImage == nil
                    ? [] : settings.fallbackStatus.map { [$0] } ?? ImageRoutes.statusesOfMissingImages))
    }

    /// Files that the service may have open beside connections: images, results, databases, children.
    private static let ownFiles = 256

    /// Serves until SIGTERM or SIGINT, then ends what is under way. `isReady` is called with the port once connections
    /// are accepted.
    ///
    /// Throws an `io` error where the address cannot be used.
    package func run(isReady: @escaping @Sendable (_ port: Int) -> Void) async throws {
        FreedMemory.share()
        let release = Task { await FreedMemory.release() }
        defer { release.cancel() }
        if let tracer { InstrumentationSystem.bootstrap(tracer) }
        let spans = spans
        let sender = spans.map { spans in Task { await spans.run() } }
        var logger = Logger(label: "wayreel")
        logger.logLevel = .error
        let jobQueue = jobs?.queue
        // A connection that cannot be accepted for want of a file would be tried again and again. Each may have a file that it
        // is sent.
        let maxConnections = min(plan.connections, max(16, (Int(wr_raise_open_files()) - Self.ownFiles) / 2))
        let connections = Allowance(maxConnections, clientShare: settings.clientShare)
        let http = HTTP1Channel.Configuration(sockets, connections, idleSeconds: settings.idleSeconds)
        let certificate = certificate
        let application = Application(
            router: buildRouter(),
            server: HTTPServerBuilder { responder in
                let channel = HTTP1Channel(responder: responder, configuration: http)
                return certificate.map { TLSConnections(channel, certificate: $0) } ?? channel
            },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.listen.host, port: settings.listen.port), backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(maxConnections)),
            onServerRunning: { channel in
                // Streams of events end before the server waits for its answers: it stops listening first.
                if let jobQueue { channel.closeFuture.whenComplete { _ in Task { await jobQueue.stop() } } }
                isReady(channel.localAddress?.port ?? settings.listen.port)
            },
            logger: logger)
        try await begin()
        try ReloadSignal.reload(reloadables)
        let sweeper = jobQueue.map { jobQueue in Task { await jobQueue.sweep() } }
        let noteSweeper = players.map { players in Task { await players.sweep() } }
        defer {
            sweeper?.cancel()
            noteSweeper?.cancel()
        }
        do { try await application.runService() } catch let error as IOError {
            throw MediaError(
                .io, step: .listen, subject: "\(settings.listen.host):\(settings.listen.port)",
                reason: systemReason(error.errnoCode), advice: "choose another address with --listen")
        }
        await jobQueue?.stop()
        await players?.stop()
        sender?.cancel()
        // The spans of the last requests.
        await spans?.flush(seconds: 2, attempts: 1)
        ServiceLog.flush()
    }

    /// Finds what the last server has left, before the first request.
    ///
    /// Throws an `io` error if something that is stored cannot be read.
    package func begin() async throws {
        do {
            try await jobs?.queue.start()
            try await players?.start()
        } catch let fault as StorageFault { throw fault.cause ?? fault }
    }

    /// All that answers requests, as ``run(isReady:)`` serves it, for an `Application` of another kind: a test answers
    /// requests in its own process. ``begin()`` has to run first.
    package func buildRouter() -> Router<ServiceContext> { router().refusingOtherMethods() }

    private func router() -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        if tracer != nil { router.addMiddleware { TracingMiddleware() } }
        router.addMiddleware { ClientMiddleware(finder: clients) }
        let origins = AllowedOrigins(settings)
        if !origins.isEmpty { router.addMiddleware { CrossOrigin(origins: origins) } }
        router.addMiddleware { AnswerMiddleware(metrics: metrics, log: log, memory: work.queue) }
        router.addMiddleware { ExpectContinue() }
        router.addMiddleware { SameOriginCheck(settings) }
        if let rate = settings.clientRate { router.addMiddleware { ClientLimits(rate: rate) } }
        let plain = Router(context: ServiceContext.self)
        addRoutes(to: plain)
        let routes = plain.buildResponder()
        router.addMiddleware { Preconditions(routes: routes) }
        addRoutes(to: router)
        return router
    }

    /// Where live streams are recorded; nil where nothing of players is kept.
    package var recordings: (any RecordingKeeping)? { players?.recordings.service }

    /// The description of what is answered, OpenAPI 3.1 as JSON in UTF-8. Blocks.
    package func openAPI() throws(MediaError) -> [UInt8] { try description.text() }

    /// How memory is divided, a line for each part.
    package var memory: [String] { plan.lines }

    /// The requests that are answered, as `GET /v1/jobs/{job}`; HEAD is there where GET is.
    package var routes: [String] {
        router().routes.filter { $0.method != .head }.map { "\($0.method) \($0.path)" }
    }

    func ready() async throws -> String {
        let full: [(isFull: Bool, name: String)] = [
            (work.queue.isFull, "images, uploads and answers"), (work.fetches.isFull, "images of other servers"),
            (files.isFull, "files"), (jobs?.queue.isFull ?? false, "jobs"), (live.isFull, "live streams"),
        ]
        let names = full.filter(\.isFull).map(\.name)
        guard names.isEmpty else {
            throw Problem(
                .serviceUnavailable, code: "overloaded", "The server is overloaded",
                detail: "there is no room for more: \(names.joined(separator: "; "))", retryAfter: 1)
        }
        guard try await !DiskSpace.isShort(settings, files) else {
            throw Problem(
                .serviceUnavailable, code: "storage", "The server has little room left",
                detail: "free the disks of --data and --cache, or lower --min-free-bytes", retryAfter: 60)
        }
        return "ready\n"
    }

    func metricsResponse() -> Response {
        let gauges = Gauges(
            queue: work.queue.load, liveStreams: live.count, sensors: sensors?.load,
            recordings: players?.recordings.service.live.load, jobs: jobs?.queue.load,
            cache: cache?.usage, spans: spans?.load)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text(gauges))))
    }

    private static func certificate(
        _ settings: ServiceSettings
    ) throws(MediaError) -> Reloadable<NIOSSLContext>? {
        guard let certificate = settings.certificate, let privateKey = settings.privateKey else { return nil }
        return try Reloadable("certificate") { () throws(MediaError) in
            do {
                var configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(file: privateKey, format: .pem)))
                configuration.minimumTLSVersion = .tlsv12
                return try NIOSSLContext(configuration: configuration)
            } catch {
                throw MediaError(
                    .parameter, step: .tls, subject: "\(certificate), \(privateKey)", reason: "\(error)".onOneLine,
                    advice: "name a certificate chain and its key as PEM files")
            }
        }
    }
}
