internal import Crypto
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import NIOPosix
internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks

/// Images by their address: `GET /v1/images/{signature}/{options}/{source}`.
///
/// Signature → options and source → format → key → not modified | cached | made → answer.
struct ImageRoutes: Sendable {
    let settings: ServiceSettings
    let folder: ImageFolder
    let resolver: OptionResolver
    let keys: SigningKeys?
    let cache: ResultCache?
    let work: ImageWork
    private let shared = SharedWork<[UInt8]>()

    init(
        _ settings: ServiceSettings, folder: ImageFolder, resolver: OptionResolver, keys: SigningKeys?,
        cache: ResultCache?, work: ImageWork
    ) {
        (self.settings, self.folder, self.resolver, self.keys) = (settings, folder, resolver, keys)
        (self.cache, self.work) = (cache, work)
    }

    /// A request that was understood.
    private struct Order: Sendable {
        var file: ImageFolder.File
        var options: CaptureOptions
        /// The SHA-256 of everything that the result depends on.
        var key: String
        /// The value of `Content-Disposition`.
        var download: String?
        /// The request headers that the answer depends on.
        var vary: [String]
    }

    func answer(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let address = try ImageAddress(path: request.uri.path)
        try authorize(address)
        let (order, cached) = try await NIOThreadPool.singleton.runIfActive { () throws -> (Order, [UInt8]?) in
            let order = try self.order(address, request.headers)
            let isKnown = EntityTag(order.key).matches(ifNoneMatch: request.headers[.ifNoneMatch])
            return (order, isKnown ? [] : cache?.result(for: order.key))
        }
        var headers: HTTPFields = [
            .eTag: EntityTag(order.key).text, .cacheControl: "public, max-age=\(settings.maxAge)",
        ]
        if !order.vary.isEmpty { headers[.vary] = order.vary.joined(separator: ", ") }
        // Not modified: no result is empty.
        if let cached, cached.isEmpty { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = FormatNegotiation.mediaType(of: order.options.encoding.format)
        headers[.contentDisposition] = order.download
        let bytes =
            if let cached { cached } else {
                try await request.body.consumeWithCancellationOnInboundClose { _ in try await make(order) }
            }
        return Response(bytes, headers, to: request)
    }

    /// Throws a ``Problem`` for an address that is not signed, has expired, or has options that are not open to all.
    private func authorize(_ address: ImageAddress) throws {
        if let keys {
            guard keys.accepts(address.signature, of: address.signed) else {
                throw Problem(
                    .forbidden, code: "signature", "The signature does not fit the address",
                    detail: "sign it with `wayreel url`")
            }
        } else if address.signature != "unsafe" {
            throw Problem.badRequest("no keys are set here: write 'unsafe' in the place of the signature")
        }
        if let expiry = address.options.expiry, expiry < Int64(time(nil)) {
            throw Problem(.gone, code: "expired", "The address has expired")
        }
        try resolver.authorize(address.options, example: "recipe:NAME")
    }

    /// Blocks.
    private func order(_ address: ImageAddress, _ headers: HTTPFields) throws -> Order {
        guard let file = folder.file(address.source) else { throw Problem.notFound("no such image") }
        let (options, isNegotiated) = try resolver.captureOptions(address.options, accept: headers[.accept])
        // What the files of overlays and filters hold counts as well.
        let files = options.overlays.imagePaths + options.filters.flatMap(\.files)
        let stamps = [file.stamp] + files.compactMap(FileStamp.init(of:))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var hash = SHA256()
        hash.update(data: try encoder.encode(options))
        hash.update(data: Data((stamps.map(\.text) + [file.path, WayreelVersion.text]).joined(separator: "\n").utf8))
        return Order(
            file: file, options: options, key: hash.finalize().hexadecimal, download: address.options.disposition,
            vary: isNegotiated ? ["Accept"] : [])
    }

    private func make(_ order: Order) async throws -> [UInt8] {
        try await shared.value(for: order.key) {
            let image = try await work.prepare(order.options, bytes: order.file.stamp.bytes) { () throws(MediaError) in
                try MediaBytes.read(path: order.file.path, limit: settings.maxBytes)
            }
            if let cache {
                _ = try? await NIOThreadPool.singleton.runIfActive { cache.keep(image.bytes, for: order.key) }
            }
            return image.bytes
        }
    }
}

extension Digest {
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
