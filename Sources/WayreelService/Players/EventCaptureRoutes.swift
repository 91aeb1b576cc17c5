internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelBundle
internal import WayreelCore
internal import WayreelImage
internal import WayreelEngine
internal import WayreelJournal
internal import WayreelStorage

/// Captures of events: `POST /v1/stories/{story}/events/{event}/captures`, processed as the event says, kept for the
/// player and recorded in the player's journal; `GET /v1/players/{player}/captures/{id}`; and
/// `POST /v1/stories/{story}/events/{event}/previews`, for browsers that do not show the format of a photo.
struct EventCaptureRoutes: Sendable {
    let access: PlayerAccess
    let stories: StoryCatalog?
    let journals: JournalStore
    let keeping: ImageStore

    /// Image → processed → file → row → journal → answer. A repeated request with the same `Idempotency-Key` resumes
    /// where the one before ended.
    func post(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query)
        try query.check(allowing: access.fieldNames.union(["screen", "taken"]))
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let taken = try min(now, Self.time(query) ?? now)
        let (story, event) = (try context.decoded("story"), try context.decoded("event"))
        let screen = query.value("screen")
        let size = try screen.map { (text) throws(MediaError) in try Screen(parsing: text).size }
        let options = try await keeping.storage.run { try treatment(of: event, in: story, screen: size) }
        let id = try keeping.id(of: request)
        let kept = try await keeping.keepOnce(
            request, context, for: player, purpose: [story, event, screen ?? ""], options
        ) {
            let known = try keeping.database.capture(id, of: player)
            try keeping.erasures.checkNotRemoved(id, taken: taken, story: story, of: player)
            guard known == nil else { return known }
            try keeping.database.checkRoom(for: player)
            try journals.checkRoom(for: player, story: story)
            return nil
        } keep: { image, fingerprint in
            // The capture may have been deleted while it was prepared.
            try keeping.erasures.checkNotRemoved(id, taken: taken, story: story, of: player)
            return try keep(image, id: id, story: story, event: event, fingerprint, for: player)
        }
        let memory = try keeping.images.queue.reserve(kept.bytes, for: context.client)
        let bytes = try await keeping.storage.run(for: player) { () throws -> [UInt8] in
            try keeping.erasures.checkNotRemoved(id, taken: taken, story: story, of: player)
            try record(kept, of: player)
            return try keeping.bytes(of: kept.file)
        }
        let headers: HTTPFields = [
            .contentType: kept.type, .cacheControl: "no-store", .location: Self.address(of: kept),
        ]
        return Response(
            status: .created, headers: headers, body: HeldBytes(bytes, in: memory).body(0..<bytes.count))
    }

    func get(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query, named: try context.decoded("player"))
        try query.check(allowing: [])
        let id = try context.decoded("capture")
        let found = try await keeping.storage.run { try keeping.database.capture(id.lowercased(), of: player) }
        guard let found else { throw Problem.notFound("no such capture") }
        return try await keeping.answer(
            found.file, type: found.type, cacheControl: "private, max-age=31536000, immutable", to: request, context)
    }

    /// Answers with the image of the request as it is, as a JPEG of a size for screens, and keeps nothing.
    func preview(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let query = try QueryFields(of: request)
        _ = try await access.player(of: request, query)
        try query.check(allowing: access.fieldNames)
        let (story, event) = (try context.decoded("story"), try context.decoded("event"))
        _ = try await keeping.storage.run { try treatment(of: event, in: story, screen: nil) }
        let framing = Framing(screen: PixelSize(width: 1600, height: 1600), fit: .contain)
        let options = CaptureOptions(framing: framing, limits: keeping.settings.limits)
        let (image, type) = try await keeping.prepare(request, context, options)
        return try Response(image, [.contentType: type, .cacheControl: "no-store"], to: request)
    }

    /// Throws a ``Problem`` if there is no such camera event. Blocks.
    private func treatment(of event: String, in story: String, screen: PixelSize?) throws -> CaptureOptions {
        guard let bundle = stories?.entry(story)?.bundle,
            var options = try Self.ifKnown({ () throws(MediaError) in
                try bundle.captureOptions(for: event, screen: screen)
            })
        else { throw Problem.notFound("no such camera event") }
        options.limits = keeping.settings.limits
        return options
    }

    private static func ifKnown<Value>(_ body: () throws(MediaError) -> Value) throws(MediaError) -> Value? {
        do throws(MediaError) { return try body() } catch {
            guard error.kind == .parameter else { throw error }
            return nil
        }
    }

    /// Keeps the image, or finds the one that a concurrent request with the same id has kept. Blocks.
    private func keep(
        _ image: PreparedCapture, id: String, story: String, event: String, _ fingerprint: String,
        for player: PlayerIdentity
    ) throws -> KeptCapture {
        try keeping.folder.keep(
            image.bytes, id: id, format: image.format.rawValue,
            in: keeping.folder.captureFolder(of: player)
        ) { file in
            try keeping.database.keep(
                KeptCapture(
                    player: player.id, id: id, story: story, event: event, fingerprint: fingerprint, file: file,
                    type: image.format.mediaType, bytes: image.bytes.count,
                    time: Int64(Date().timeIntervalSince1970 * 1000)))
        }
    }

    /// Blocks.
    private func record(_ capture: KeptCapture, of player: PlayerIdentity) throws {
        var news = JournalContents()
        news.captures[capture.id] = .init(
            event: capture.event, file: Self.address(of: capture), timestamp: Timestamp(milliseconds: capture.time))
        try journals.record(JournalDocument(story: capture.story, contents: news), of: player)
    }

    /// When the device took the capture, if the request says it.
    private static func time(_ query: QueryFields) throws -> Timestamp? {
        guard let text = query.value("taken") else { return nil }
        guard let time = Timestamp(text) else {
            throw Problem.badRequest("'taken' takes a time of RFC 3339, such as 2026-11-23T17:05:09Z")
        }
        return time
    }

    private static func address(of capture: KeptCapture) -> String {
        "/v1/players/\(PercentEncoding.encode(capture.player))/captures/\(capture.id)"
    }
}
