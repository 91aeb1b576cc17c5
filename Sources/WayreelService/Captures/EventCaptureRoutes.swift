internal import HTTPTypes
internal import Hummingbird
internal import WayreelBundle
internal import WayreelCore
internal import WayreelEngine
internal import WayreelImage
internal import WayreelStorage

/// Captures of events: `POST /v1/stories/{story}/events/{event}/captures`, processed as the event says, kept for the
/// player and recorded in the player's journal; `GET /v1/players/{player}/captures/{id}`; and
/// `POST /v1/stories/{story}/events/{event}/previews`, for browsers that do not show the format of a photo.
struct EventCaptureRoutes: Sendable {
    let access: PlayerAccess
    let stories: StoryCatalog?
    let service: CaptureService

    func post(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query)
        try query.check(allowing: access.fieldNames.union(["screen", "taken", "language"]))
        let (now, screen, language) = (Timestamp.now, query.value("screen"), query.value("language"))
        let taken = try min(now, query.time("taken") ?? now)
        let (story, event) = (try context.decoded("story"), try context.decoded("event"))
        let size = try screen.map { (text) throws(MediaError) in try Screen(parsing: text).size }
        let options = try await service.storage.run {
            try treatment(of: event, in: story, screen: size, language: language)
        }
        let draft = CaptureService.Draft(
            id: try Upload.id(of: request), player: player, story: story, event: event, screen: screen,
            language: language, taken: taken, options: options)
        let kept = try await service.receive(draft, request, context)
        let headers: HTTPFields = [
            .contentType: kept.capture.type, .cacheControl: "no-store",
            .location: CaptureService.address(of: kept.capture),
        ]
        return Response(status: .created, headers: headers, body: kept.image.body(0..<kept.image.bytes.count))
    }

    func get(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query, named: try context.decoded("player"))
        try query.check(allowing: [])
        let id = try context.decoded("capture").lowercased()
        let found = try await service.storage.admit { try await service.stores.captures.capture(id, of: player) }
        guard let found else { throw Problem.notFound("no such capture") }
        return try await service.storage.admit {
            try await Response(
                image: found.file, of: service.stores.blobs, type: found.type,
                cacheControl: "private, max-age=31536000, immutable", to: request)
        }
    }

    /// Answers with the image of the request as it is, as a JPEG of a size for screens, and keeps nothing.
    func preview(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let query = try QueryFields(of: request)
        _ = try await access.player(of: request, query)
        try query.check(allowing: access.fieldNames)
        let (story, event) = (try context.decoded("story"), try context.decoded("event"))
        _ = try await service.storage.run { try treatment(of: event, in: story, screen: nil) }
        let framing = Framing(screen: PixelSize(width: 1600, height: 1600), fit: .contain)
        let options = CaptureOptions(framing: framing, limits: service.settings.limits)
        let (image, type) = try await service.preview(options, request, context)
        return try Response(image, [.contentType: type, .cacheControl: "no-store"], to: request)
    }

    /// The texts over the capture are in the story's language that suits `language` best: a photo is not refused because
    /// the story lost a language while it waited on a device.
    ///
    /// Throws a ``Problem`` if there is no such camera event. Blocks.
    private func treatment(
        of event: String, in story: String, screen: PixelSize?, language: String? = nil
    ) throws -> CaptureOptions {
        let unknown = Problem.notFound("no such camera event")
        guard let entry = stories?.entry(story) else { throw unknown }
        do throws(MediaError) {
            var options = try entry.bundle.captureOptions(
                for: event, screen: screen, language: language.map { entry.story.language(for: [$0]) })
            options.limits = service.settings.limits
            return options
        } catch {
            if error.kind == .parameter { throw unknown }
            throw error
        }
    }
}
