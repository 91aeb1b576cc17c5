internal import Crypto
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import NIOPosix
internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks
internal import WayreelSigning

/// Images by their address: `GET /v1/images/{signature}/{options}/{source}`.
///
/// Request → signature → options and source → format → key → not modified | cached | prepared → answer.
struct ImageRoutes: Sendable {
    let settings: ServiceSettings
    let resolver: OptionResolver
    let remote: RemoteSources
    let keys: Reloadable<SigningKeys>?
    let cache: ResultCache?
    let work: ImageWork
    private let shared = SharedWork<[UInt8]>()
    private let recentRequests = RecentImageRequests()

    init(
        _ settings: ServiceSettings, resolver: OptionResolver, keys: Reloadable<SigningKeys>?, cache: ResultCache?,
        work: ImageWork
    ) {
        (self.settings, self.resolver, self.keys) = (settings, resolver, keys)
        (self.cache, self.work) = (cache, work)
        remote = RemoteSources(settings)
    }

    func answer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        // An unread body would hide that the client has disconnected.
        guard request.headers[.transferEncoding] == nil, (request.headers[.contentLength] ?? "0") == "0" else {
            throw Problem.badRequest("a request for an image has no body")
        }
        let wanted = try await resolve(
            ImageRequestKey(request, hasHints: settings.clientHints, keys: keys?.version ?? 0),
            // Without a cache and an `If-None-Match`, the image has to be prepared.
            isPrepared: cache == nil && request.headers[.ifNoneMatch] == nil)
        let tag = EntityTag(wanted.key)
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: "public, max-age=\(settings.maxAge)"]
        if !wanted.vary.isEmpty { headers[.vary] = wanted.vary }
        if settings.clientHints { headers[.acceptCH] = ClientHints.accepted }
        if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = wanted.options.encoding.format.mediaType
        headers[.contentDisposition] = wanted.download
        return try await Response(result(of: wanted, context), headers, to: request)
    }

    private func result(of wanted: ImageRequest, _ context: ServiceContext) async throws -> [UInt8] {
        if let recent = cache?.recent(wanted.key) { return recent }
        if let cache, let cached = try await NIOThreadPool.singleton.runIfActive({ cache.result(for: wanted.key) }) {
            return cached
        }
        // Stops the work if the client disconnects.
        return try await ClientPresence.required(on: context.channel) { try await make(wanted) }
    }

    private func resolve(_ key: ImageRequestKey, isPrepared: Bool) async throws -> ImageRequest {
        let wanted: ImageRequest
        if let recent = recentRequests[key] {
            wanted = recent
        } else {
            // If the queue is full, the request is refused before any further work.
            if isPrepared { try work.queue.check(bytes: 1) }
            let address = try ImageAddress(path: key.path)
            try authorize(address)
            wanted = try await NIOThreadPool.singleton.runIfActive { () throws -> ImageRequest in
                try resolve(address, key)
            }
            recentRequests[key] = wanted
        }
        guard wanted.expiry.map({ $0 >= Int64(time(nil)) }) ?? true else {
            throw Problem(.gone, code: "expired", "The address has expired")
        }
        return wanted
    }

    /// Throws a ``Problem`` for an address without a valid signature, or with options that are not allowed.
    private func authorize(_ address: ImageAddress) throws {
        if let keys {
            guard keys.value.accepts(address.signature, of: address.signed) else {
                throw Problem(
                    .forbidden, code: "signature", "The signature does not fit the address",
                    detail: "sign it with `wayreel url`")
            }
        } else if address.signature != "unsafe" {
            throw Problem.badRequest("no keys are set here: write 'unsafe' in the place of the signature")
        }
        try resolver.authorize(address.options, example: "recipe:NAME")
    }

    /// Blocks.
    private func resolve(_ address: ImageAddress, _ key: ImageRequestKey) throws -> ImageRequest {
        var asked = address.options
        try key.hints?.apply(to: &asked)
        let source = try source(address.source)
        let (options, isNegotiated) = try resolver.captureOptions(asked, accept: key.accept)
        // The result also depends on the files of overlays and filters.
        let files = options.overlays.imagePaths + options.filters.flatMap(\.files)
        let stamps = files.compactMap(FileStamp.init(of:)).map(\.text)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var hash = SHA256()
        hash.update(data: try encoder.encode(options))
        hash.update(
            data: Data((source.identity(settings) + stamps + [WayreelVersion.text]).joined(separator: "\n").utf8))
        let vary = (isNegotiated ? ["Accept"] : []) + (key.hints == nil ? [] : ClientHints.names)
        return ImageRequest(
            source: source, options: options, key: hash.finalize().hexadecimal, download: asked.disposition,
            expiry: asked.expiry, vary: vary.joined(separator: ", "))
    }

    private func source(_ name: String) throws -> ImageSource {
        if RemoteSources.isRemote(name) { return .remote(try remote.url(name)) }
        guard let file = resolver.folder?.file(name) else { throw Problem.notFound("no such image") }
        return .file(file)
    }

    private func make(_ wanted: ImageRequest) async throws -> [UInt8] {
        try await shared.value(for: wanted.key) {
            let image =
                switch wanted.source {
                case .file(let file):
                    try await work.prepare(wanted.options, bytes: file.stamp.bytes) { () throws(MediaError) in
                        try MediaBytes.read(path: file.path, limit: settings.maxBytes)
                    }
                case .remote(let url):
                    try await work.prepare(wanted.options, fetching: { try await remote.fetch(url) })
                }
            if let cache {
                _ = try? await NIOThreadPool.singleton.runIfActive { cache.keep(image.bytes, for: wanted.key) }
            }
            return image.bytes
        }
    }
}
