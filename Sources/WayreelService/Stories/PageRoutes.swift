internal import CInflate
internal import CZlib
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import WayreelCore
internal import WayreelPages

/// A file of a page, with the headers that restrict the page in a browser. It is compressed at its first request.
struct PageAnswer: Sendable {
    private let bytes: [UInt8]
    private let type: String
    private let tag: String
    private let frameAncestors: [String]
    private let permissions: String

    private static let texts = CompressedTexts()

    /// `tag` must be another one if the bytes are.
    init(
        _ bytes: [UInt8], type: String, tag: String, _ settings: ServiceSettings,
        permissions: String = PagePolicy.permissions
    ) {
        (self.bytes, self.type, self.tag, self.permissions) = (bytes, type, tag, permissions)
        frameAncestors = settings.frameAncestors
    }

    init(_ file: PageFile, _ settings: ServiceSettings, permissions: String = PagePolicy.permissions) {
        self.init(file.bytes, type: file.type, tag: file.hash, settings, permissions: permissions)
    }

    func response(to request: Request) throws -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        for (name, value) in PagePolicy.headers(frameAncestors: frameAncestors, permissions: permissions) {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return try Self.texts.text(tag) { bytes }.response(to: request, tag: tag, headers)
    }
}

/// The setting `frame-ancestors`.
enum FrameAncestors {
    /// The sources of a Content-Security-Policy: `none`, `self`, or origins, whose host may begin with `*.`; nil for
    /// another text.
    static func sources(_ text: String) -> [String]? {
        if text == "none" { return ["'none'"] }
        let items = text.split(separator: ",").map(String.init)
        let sources = items.compactMap { item -> String? in
            if item == "self" { return "'self'" }
            let plain = item.replacing("://*.", with: "://", maxReplacements: 1)
            return plain != "*" && AllowedOrigins.isOrigin(plain) ? item : nil
        }
        return !items.isEmpty && sources.count == items.count ? sources : nil
    }
}

/// A text and its gzip encoding, which is made once. Of a large text only the encoding is kept, which nearly all clients
/// take: it is a fifth to a tenth of it, and decompressed in a hundredth of the time that a story is made in.
struct CompressedText: Sendable {
    /// nil of a large text that has an encoding.
    private let plain: [UInt8]?
    private let count: Int
    /// nil if the encoding is not smaller.
    private let gzip: [UInt8]?

    private static let largeBytes = 256 << 10

    init(_ plain: [UInt8]) {
        let bound = czlib_gzip_bound(plain.count)
        let gzip = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = plain.withUnsafeBytes { czlib_gzip($0.baseAddress, $0.count, buffer.baseAddress, bound) }
        }
        let isSmaller = !gzip.isEmpty && gzip.count < plain.count
        // An array made in place keeps the room that it was given.
        self.gzip = isSmaller ? Array(gzip[...]) : nil
        self.plain = isSmaller && plain.count > Self.largeBytes ? nil : plain
        count = plain.count
    }

    /// The memory of both in bytes.
    var cost: Int { (plain?.count ?? 0) + (gzip?.count ?? 0) }

    private func plainBytes() throws(MediaError) -> [UInt8] {
        if let plain { return plain }
        let isLoaded = cinflate_load() == nil
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard isLoaded else { return }
            (gzip ?? []).withUnsafeBytes { bytes in
                _ = cinflate(bytes.baseAddress, bytes.count, buffer.baseAddress, count, &filled)
            }
        }
        guard bytes.count == count else {
            throw MediaError(.io, code: .outOfMemory, step: .answer, reason: "there is no memory for an answer")
        }
        return bytes
    }

    /// Answers with the encoding that `Accept-Encoding` chooses, or 304 if the client has the text. `tag` is the entity
    /// tag of the plain text; `fields` may name what else it varies by.
    ///
    /// Throws a ``Problem`` if the requested range is outside the text.
    func response(to request: Request, tag: String, _ fields: HTTPFields) throws -> Response {
        let tags = (plain: EntityTag(tag), gzip: EntityTag("\(tag)-gzip"))
        let isGzip = gzip != nil && AcceptHeader(request.headers[.acceptEncoding]).quality("gzip", "x-gzip", "*") > 0
        var headers = fields
        headers[.vary] = fields[.vary].map { "Accept-Encoding, \($0)" } ?? "Accept-Encoding"
        headers[.eTag] = (isGzip ? tags.gzip : tags.plain).text
        let known = request.headers[.ifNoneMatch]
        if tags.plain.matches(ifNoneMatch: known) || tags.gzip.matches(ifNoneMatch: known) {
            return Response(status: .notModified, headers: headers)
        }
        if isGzip { headers[.contentEncoding] = "gzip" }
        return try Response(isGzip ? gzip! : plainBytes(), headers, to: request)
    }
}

/// A cache of the most recent texts.
final class CompressedTexts: Sendable {
    private let texts: Mutex<RecentValues<String, CompressedText>>

    /// `maxBytes` limits the memory of all texts, `maxTextBytes` that of one, by default to a quarter of it.
    init(maxBytes: Int = 8 << 20, maxTextBytes: Int? = nil) {
        texts = Mutex(RecentValues(maxCost: maxBytes, maxValueCost: maxTextBytes))
    }

    /// The text of a name, if it is there.
    subscript(name: String) -> CompressedText? { texts.withLock { $0[name] } }

    /// Returns the text of a name, which must be another one if the content is. `make` creates a missing text. Blocks.
    func text(_ name: String, _ make: () throws -> [UInt8]) rethrows -> CompressedText {
        if let known = self[name] { return known }
        let made = CompressedText(try make())
        texts.withLock { $0.keep(made, cost: made.cost, for: name) }
        return made
    }
}

/// The page that documents the requests and tries them, made of `/openapi.json` in the browser: `GET /api` and its
/// files.
struct APIPageRoutes: Sendable {
    let settings: ServiceSettings

    func add(to router: Router<ServiceContext>) {
        for file in PageFile.apiPage {
            let answer = PageAnswer(file, settings)
            guard file.path == "index.html" else {
                router.get(RouterPath("api/\(file.path)")) { request, _ in try answer.response(to: request) }
                continue
            }
            router.get("api") { request, _ in
                // Its links are relative to the folder that it is in, so that it works below any prefix of a proxy.
                guard !request.uri.path.hasSuffix("/") else {
                    return Response(status: .permanentRedirect, headers: [.location: "../api"])
                }
                return try answer.response(to: request)
            }
        }
    }
}

/// The pages that show live streams of sensors, and send those of a device: `GET /streams`, `GET /sensors`, and their
/// files below `/streams/`.
struct StreamPageRoutes: Sendable {
    let settings: ServiceSettings
    /// Whether the page that shows streams is at `/`, too.
    var isRoot = false

    func add(to router: Router<ServiceContext>) {
        let pages = ["index.html": "streams", "sensors.html": "sensors"]
        for file in PageFile.streamsPage {
            let answer = PageAnswer(file, settings, permissions: PagePolicy.sensorPermissions)
            guard let page = pages[file.path] else {
                router.get(RouterPath("streams/\(file.path)")) { request, _ in try answer.response(to: request) }
                continue
            }
            router.get(RouterPath(page)) { request, _ in
                // Their links are relative to the folder that they are in, so that they work below any prefix of a proxy.
                guard !request.uri.path.hasSuffix("/") else {
                    return Response(status: .permanentRedirect, headers: [.location: "../\(page)"])
                }
                return try answer.response(to: request)
            }
            if isRoot, page == "streams" { router.get("/") { request, _ in try answer.response(to: request) } }
        }
    }
}

/// The page of the web player: `GET /`, its files, and `player.json`. The page, its manifest and `player.json` have the
/// face of the house whose stories there are.
final class PlayerPageRoutes: Sendable {
    /// Whether the service keeps journals and captures.
    let hasPlayers: Bool
    /// Whether players sign in.
    let hasAccounts: Bool
    let settings: ServiceSettings
    let stories: StoryCatalog
    let files: StorageWork
    private let latest = Mutex<FacedPage?>(nil)

    init(hasPlayers: Bool, hasAccounts: Bool, settings: ServiceSettings, stories: StoryCatalog, files: StorageWork) {
        (self.hasPlayers, self.hasAccounts, self.settings) = (hasPlayers, hasAccounts, settings)
        (self.stories, self.files) = (stories, files)
    }

    /// The files of the page that depend on the house's face.
    private struct FacedPage: Sendable {
        var face: HouseFace?
        /// By their paths.
        var answers: [String: PageAnswer]
    }

    private static let faced: Set = ["index.html", "player.webmanifest"]

    func add(to router: Router<ServiceContext>) {
        for file in PageFile.player where !Self.faced.contains(file.path) {
            let answer = PageAnswer(file, settings)
            router.get(RouterPath(file.path)) { request, _ in try answer.response(to: request) }
        }
        for (address, path) in [("/", "index.html"), ("player.json", "player.json")] + Self.faced.map({ ($0, $0) }) {
            router.get(RouterPath(address)) { [self] request, _ in
                guard let answer = try await page().answers[path] else { throw Problem.unknownAddress }
                return try answer.response(to: request)
            }
        }
    }

    private func page() async throws -> FacedPage {
        try await files.run { [self] () throws -> FacedPage in
            let face = HouseFace.shared(by: stories.all().map(\.face))
            if let known = latest.withLock({ $0 }), known.face == face { return known }
            let page = PlayerFiles(face)
            var answers: [String: PageAnswer] = [:]
            for file in page.files where Self.faced.contains(file.path) {
                answers[file.path] = PageAnswer(file, settings)
            }
            let manifest = PlayerManifest(page, service: true, players: hasPlayers, accounts: hasAccounts)
            answers["player.json"] = PageAnswer(
                manifest.json, type: "application/json", tag: manifest.version, settings)
            let made = FacedPage(face: face, answers: answers)
            latest.withLock { $0 = made }
            return made
        }
    }
}
