internal import Crypto
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelCore
internal import WayreelImage

/// Images by their address: `GET /v1/images/{signature}/{options}/{source}`.
///
/// Request → signature → options and source → format → key → not modified | cached | prepared → answer.
struct ImageRoutes: Sendable {
    let settings: ServiceSettings
    let resolver: OptionResolver
    let remote: RemoteSources
    let keys: Reloadable<SigningKeys>?
    let sourceKeys: Reloadable<SourceKeys>?
    let cache: ResultCache?
    let work: MediaWork
    let files: StorageWork
    private let shared = SharedWork<HeldBytes>()
    private let recentRequests = RecentImageRequests()

    /// Throws an `io` error if the fallback image cannot be read.
    init(
        _ settings: ServiceSettings, resolver: OptionResolver, keys: Reloadable<SigningKeys>?,
        sourceKeys: Reloadable<SourceKeys>?, cache: ResultCache?, work: MediaWork, files: StorageWork
    ) throws(MediaError) {
        (self.settings, self.resolver, self.keys, self.sourceKeys) = (settings, resolver, keys, sourceKeys)
        (self.cache, self.work, self.files) = (cache, work, files)
        remote = RemoteSources(settings)
        if let path = settings.fallbackImage { _ = try MediaBytes.read(path: path, limit: settings.maxBytes) }
    }

    /// An image that cannot be had is answered with the fallback image, if there is one.
    func answer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        do { return try await image(request, context) } catch {
            guard let path = settings.fallbackImage else { throw error }
            let problem = Problem(error, isDisconnected: ClientPresence.isDisconnected(context.channel))
            guard Self.statusesOfMissingImages.contains(problem.status.code),
                let answer = try? await fallback(path, for: problem, request, context)
            else { throw error }
            return answer
        }
    }

    /// There is none, it is too large, not an image, damaged, or its server fails.
    static let statusesOfMissingImages: Set = [404, 413, 415, 422, 502]
    /// Seconds for which browsers may keep a fallback image: the real one may come.
    private static let fallbackAge = 60

    private func image(_ request: Request, _ context: ServiceContext) async throws -> Response {
        // An unread body would hide that the client has disconnected.
        guard request.headers[.transferEncoding] == nil, (request.headers[.contentLength] ?? "0") == "0" else {
            throw Problem.badRequest("a request for an image has no body")
        }
        let wanted = try await resolve(
            requestKey(of: request),
            // Without a cache and a condition, the image has to be prepared.
            isPrepared: cache == nil && request.headers[.ifNoneMatch] == nil
                && request.headers[.ifModifiedSince] == nil, for: context.client)
        let tag = EntityTag(wanted.key)
        // No cache may answer after the address has expired.
        let maxAge = min(Int64(settings.maxAge), wanted.expiry.map { $0 - Int64(time(nil)) } ?? .max)
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: "public, max-age=\(max(0, maxAge))"]
        if !wanted.vary.isEmpty { headers[.vary] = wanted.vary }
        if settings.clientHints { headers[.acceptCH] = ClientHints.accepted }
        headers[.lastModified] = wanted.lastModified.map(HTTPDate.text)
        if let canonical = wanted.canonical { headers[.link] = "<\(canonical)>; rel=\"canonical\"" }
        // A date counts only without a tag (RFC 9110, section 13.1.3).
        let known = request.headers[.ifModifiedSince].flatMap(HTTPDate.seconds)
        let isUnchanged =
            request.headers[.ifNoneMatch].map { tag.matches(ifNoneMatch: $0) }
            ?? (known.flatMap { known in wanted.lastModified.map { $0 <= known } } ?? false)
        if isUnchanged { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = wanted.options.encoding.format.mediaType
        headers[.contentDisposition] = wanted.download
        return try await Response(result(of: wanted, context), headers, to: request)
    }

    /// The fallback image with the options of a request.
    private func fallback(
        _ path: String, for problem: Problem, _ request: Request, _ context: ServiceContext
    ) async throws -> Response {
        let (address, key) = (try ImageAddress(path: request.uri.path), requestKey(of: request))
        let wanted = try await files.run { () throws -> ImageRequest in
            guard let stamp = FileStamp(of: path) else { throw problem }
            return try resolve(address, key, source: .file(ImageFolder.File(path: path, stamp: stamp)))
        }
        let held = try await result(of: wanted, context)
        var headers: HTTPFields = [
            .contentType: wanted.options.encoding.format.mediaType, .contentLength: "\(held.bytes.count)",
            .cacheControl: "public, max-age=\(min(Self.fallbackAge, settings.maxAge))", .fallbackImage: problem.code,
        ]
        if !wanted.vary.isEmpty { headers[.vary] = wanted.vary }
        let status = settings.fallbackStatus.map { HTTPResponse.Status(code: $0) } ?? problem.status
        return Response(status: status, headers: headers, body: held.body(0..<held.bytes.count))
    }

    private func requestKey(of request: Request) -> ImageRequestKey {
        ImageRequestKey(
            request, hasHints: settings.clientHints, keys: (keys?.version ?? 0) + (sourceKeys?.version ?? 0))
    }

    private func result(of wanted: ImageRequest, _ context: ServiceContext) async throws -> HeldBytes {
        if let recent = cache?.recent(wanted.key) {
            return HeldBytes(recent, in: try work.queue.reserve(recent.count, for: context.client))
        }
        if let cache, let bytes = try await files.run({ cache.byteCount(for: wanted.key) }) {
            let memory = try work.queue.reserve(bytes, for: context.client)
            if let cached = try await files.run({ cache.result(for: wanted.key) }) {
                return try HeldBytes(cached, in: memory, of: work.queue)
            }
        }
        // Stops the work if the client disconnects.
        return try await ClientPresence.required(on: context.channel) { try await make(wanted, for: context.client) }
    }

    private func resolve(
        _ key: ImageRequestKey, isPrepared: Bool, for client: Client
    ) async throws -> ImageRequest {
        let wanted: ImageRequest
        if let recent = recentRequests[key] {
            wanted = recent
        } else {
            // If the queue is full, the request is refused before any further work.
            if isPrepared { try work.queue.check(client) }
            let address = try ImageAddress(path: key.path)
            try authorize(address)
            try Self.check(expiry: address.options.expiry)
            wanted = try await files.run { () throws -> ImageRequest in try resolve(address, key) }
            recentRequests[key] = wanted
        }
        try Self.check(expiry: wanted.expiry)
        return wanted
    }

    private static func check(expiry: Int64?) throws {
        guard expiry.map({ $0 >= Int64(time(nil)) }) ?? true else {
            throw Problem(.gone, code: "expired", "The address has expired")
        }
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
    /// `source`: another one than that of the address.
    private func resolve(
        _ address: ImageAddress, _ key: ImageRequestKey, source: ImageSource? = nil
    ) throws -> ImageRequest {
        var asked = address.options
        try key.hints?.apply(to: &asked)
        let source = try source ?? self.source(address.source)
        let (options, isNegotiated) = try resolver.captureOptions(asked, accept: key.accept, isSigned: keys != nil)
        // The result also depends on the files of overlays and filters.
        let files = options.overlays.imagePaths + options.filters.flatMap(\.files)
        let stamps = files.compactMap(FileStamp.init(of:)).map(\.text)
        let versions = [WayreelVersion.text, "\(WayreelVersion.generation)"]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var hash = SHA256()
        hash.update(data: try encoder.encode(options))
        hash.update(
            data: Data((source.identity(settings) + stamps + versions).joined(separator: "\n").utf8))
        let vary = (isNegotiated ? ["Accept"] : []) + (key.hints == nil ? [] : ClientHints.names)
        var wanted = ImageRequest(
            source: source, options: options, key: hash.finalize().hexadecimal, download: asked.disposition,
            expiry: asked.expiry, vary: vary.joined(separator: ", "))
        if case .file(let file) = source {
            let recipe = asked.recipe.flatMap(resolver.recipes.path)
            let changes = ([file.path, recipe] + files).compactMap { $0.flatMap(HTTPDate.modified) }
            // A date in the future would be wrong for all that comes before it.
            wanted.lastModified = changes.max().map { min($0, time(nil)) }
            if !SourceKeys.isEncrypted(address.source) || sourceKeys == nil {
                let path = address.source.split(separator: "/").map { PercentEncoding.encode(String($0)) }
                wanted.canonical = settings.canonical.map { $0 + path.joined(separator: "/") }
            }
        }
        return wanted
    }

    private func source(_ name: String) throws -> ImageSource {
        var name = name
        if let sourceKeys, SourceKeys.isEncrypted(name) {
            guard let source = sourceKeys.value.decrypt(name) else {
                throw Problem.badRequest("no key that is known here has encrypted the source")
            }
            name = source
        }
        if RemoteSources.isRemote(name) { return .remote(try remote.url(name)) }
        guard let file = resolver.folder?.file(name) else { throw Problem.notFound("no such image") }
        return .file(file)
    }

    /// The result belongs to all clients that wait for it; its memory is counted as that of the first one.
    private func make(_ wanted: ImageRequest, for client: Client) async throws -> HeldBytes {
        do {
            return try await shared.value(for: wanted.key) { try await prepared(wanted, for: client) }
        } catch let fault as AdmissionFault where fault.isShare {
            // It may be another client that has its part.
            return try await shared.value(for: "\(wanted.key) \(client.networks[0].prefix)") {
                try await prepared(wanted, for: client)
            }
        }
    }

    private func prepared(_ wanted: ImageRequest, for client: Client) async throws -> HeldBytes {
        let memory: Reservation
        let image: PreparedCapture
        switch wanted.source {
        case .file(let file):
            memory = try work.queue.reserve(min(file.stamp.bytes, settings.maxBytes), for: client)
            image = try await work.prepare(wanted.options, for: client) { () throws(MediaError) in
                try MediaBytes.read(path: file.path, limit: settings.maxBytes)
            }
        case .remote(let url):
            memory = try work.queue.reserve(0, for: client)
            image = try await work.prepare(
                wanted.options, for: client, fetching: { try await remote.fetch(url, memory, in: work.queue) })
        }
        if let cache {
            _ = try? await files.run { cache.keep(image.bytes, for: wanted.key) }
        }
        return try HeldBytes(image.bytes, in: memory, of: work.queue)
    }
}

extension HTTPField.Name {
    fileprivate static var link: Self { Self("Link")! }
    /// The code of the problem for which the fallback image answers.
    fileprivate static var fallbackImage: Self { Self("Fallback-Image")! }
}
