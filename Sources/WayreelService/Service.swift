internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging
internal import NIOCore
internal import NIOSSL
package import WayreelCore

/// The HTTP service: captures and images over HTTP.
package struct Service: Sendable {
    private let settings: ServiceSettings
    private let images: ImageRoutes?
    private let captures: CaptureRoutes
    private let stories: StoryRoutes?
    private let cache: ResultCache?
    private let work: ImageWork
    private let metrics = Metrics()
    private let tls: TLSConfiguration?

    /// Opens what the settings name.
    ///
    /// Throws an `io` or `parameter` error for a folder, a file of keys or a certificate that cannot be used.
    package init(_ settings: ServiceSettings) throws(MediaError) {
        self.settings = settings
        work = ImageWork(settings)
        let recipes = try RecipeFolder(settings.recipes)
        let folder = try settings.images.map { (path) throws(MediaError) in try ImageFolder(path) }
        let keys = try settings.keys.map { (path) throws(MediaError) in try SigningKeys(path: path) }
        let cache = try settings.cache.map { (path) throws(MediaError) in
            try ResultCache(path, maxBytes: settings.cacheBytes)
        }
        self.cache = cache
        let work = work
        let resolver = OptionResolver(settings: settings, recipes: recipes, folder: folder)
        images = folder.map {
            ImageRoutes(settings, folder: $0, resolver: resolver, keys: keys, cache: cache, work: work)
        }
        captures = CaptureRoutes(settings: settings, resolver: resolver, work: work)
        stories = try settings.stories.map { (path) throws(MediaError) in
            StoryRoutes(shelf: try StoryShelf(path))
        }
        tls = try Self.tls(settings)
    }

    /// Serves until SIGTERM or SIGINT, then ends what is under way. `isReady` is called with the port once connections are accepted.
    ///
    /// Throws an `io` error where the address cannot be used.
    package func run(isReady: @escaping @Sendable (_ port: Int) -> Void) async throws {
        var logger = Logger(label: "wayreel")
        logger.logLevel = .error
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                idleTimeout: .milliseconds(Int64(settings.idleSeconds * 1000)),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
        let application = Application(
            router: router(), server: try tls.map { try .tls(http, tlsConfiguration: $0) } ?? http,
            configuration: ApplicationConfiguration(
                address: .hostname(settings.listen.host, port: settings.listen.port), backlog: 1024),
            onServerRunning: { channel in isReady(channel.localAddress?.port ?? settings.listen.port) },
            logger: logger)
        do { try await application.runService() } catch let error as IOError {
            throw MediaError(
                .io, step: "listen", subject: "\(settings.listen.host):\(settings.listen.port)",
                reason: systemReason(error.errnoCode), advice: "choose another address with --listen")
        }
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.addMiddleware { AnswerMiddleware(metrics: metrics, log: settings.log ? RequestLog() : nil) }
        router.get("health") { _, _ in "ok\n" }
        router.get("ready") { _, _ in try ready() }
        router.get("openapi.json") { request, _ in
            let document = OpenAPI.document(hasImages: images != nil, hasStories: stories != nil)
            return Response(Array(document.utf8), [.contentType: "application/json"], to: request)
        }
        router.get("metrics") { _, _ in metricsResponse() }
        if let images {
            router.get("v1/images/**") { request, context in try await images.answer(request, context) }
        }
        router.post("v1/captures") { request, context in try await captures.answer(request, context) }
        if let stories {
            PlayerPageRoutes().add(to: router)
            router.get("v1/stories") { request, context in try await stories.list(request, context) }
            router.get("v1/stories/:story") { request, context in try await stories.story(request, context) }
            router.get("v1/stories/:story/manifest.json") { request, context in
                try await stories.manifest(request, context)
            }
            router.get("v1/stories/:story/media/**") { request, context in try await stories.media(request, context) }
        }
        return router
    }

    private func ready() throws -> String {
        guard work.queue.load.count < work.queue.maxCount else {
            throw Problem(.serviceUnavailable, code: "overloaded", "The queue is full", retryAfter: 1)
        }
        return "ready\n"
    }

    private func metricsResponse() -> Response {
        let load = work.queue.load
        var gauges: [Metrics.Gauge] = [
            .init(
                name: "wayreel_queue_requests", help: "Requests that are worked on or wait.", value: Double(load.count)),
            .init(name: "wayreel_queue_bytes", help: "Bytes of their inputs.", value: Double(load.bytes)),
            .init(
                name: "wayreel_queue_refused_total", help: "Requests that were refused because the queue was full.",
                type: "counter", value: Double(load.refused)),
            .init(
                name: "process_resident_memory_bytes", help: "Resident memory size in bytes.",
                value: Metrics.residentBytes),
        ]
        if let usage = cache?.usage {
            gauges += [
                .init(name: "wayreel_cache_bytes", help: "Bytes of the result cache.", value: Double(usage.bytes)),
                .init(
                    name: "wayreel_cache_hits_total", help: "Results found in the cache.", type: "counter",
                    value: Double(usage.hits)),
                .init(
                    name: "wayreel_cache_misses_total", help: "Results not found in the cache.", type: "counter",
                    value: Double(usage.misses)),
            ]
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text(gauges))))
    }

    private static func tls(_ settings: ServiceSettings) throws(MediaError) -> TLSConfiguration? {
        guard let certificate = settings.certificate, let privateKey = settings.privateKey else { return nil }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: privateKey, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            return configuration
        } catch {
            throw MediaError(
                .parameter, step: "tls", subject: "\(certificate), \(privateKey)", reason: "\(error)".onOneLine,
                advice: "name a certificate chain and its key as PEM files")
        }
    }
}
