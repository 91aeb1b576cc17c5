internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelDocument
internal import WayreelImage
internal import WayreelEngine
internal import WayreelStorage
internal import WayreelStory

/// Images left at positions: `POST` and `GET /v1/notes`, `GET` and `DELETE /v1/notes/{note}`,
/// `GET /v1/notes/{note}/image`.
struct NoteRoutes: Sendable {
    let access: PlayerAccess
    let resolver: OptionResolver
    let service: NoteService

    private static let maxTextBytes = 2000
    private static let maxListed = 200
    /// The fields of the note itself. All others are options of the image, named as in `/v1/captures`.
    private static let noteFields: Set<String> = ["latitude", "longitude", "visibility", "from", "until", "text"]

    /// A repeated request with the same `Idempotency-Key` makes no second note.
    func post(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query)
        let note = try note(query, id: try Upload.id(of: request), by: player)
        let own = Self.noteFields.union(access.fieldNames)
        let options = try await service.storage.run { () throws -> CaptureOptions in
            var options = ImageOptions()
            for field in query where !own.contains(field.name) { try options.set(field.name, field.value) }
            guard options.expiry == nil, options.disposition == nil else {
                throw Problem.badRequest("'expires' and 'download' belong into addresses")
            }
            try resolver.authorize(options, example: "recipe=NAME")
            return try resolver.captureOptions(options, accept: nil, isSigned: false).options
        }
        // The query as it was sent, not the note: without a `from`, that of a repeated request starts later.
        let draft = NoteService.Draft(
            player: player, note: note, purpose: [player.id, request.uri.query ?? ""], options: options)
        let kept = try await service.receive(draft, request, context)
        return try Response(
            json: ListedNote(kept, to: player), status: .created,
            [.location: "/v1/notes/\(kept.id)", .cacheControl: "no-store"])
    }

    /// The note that a request describes, without its image.
    private func note(_ query: QueryFields, id: String, by player: PlayerIdentity) throws -> NewNote {
        let began = Timestamp.now
        let visibility = query.value("visibility") ?? "self"
        guard let seen = NoteVisibility(visibility) else {
            throw Problem.badRequest("'visibility' takes all, group:NAME or self")
        }
        if case .group(let name) = seen, !player.groups.contains(name) {
            throw Problem(.forbidden, code: "group", "The player is not in this group")
        }
        let start = try query.time("from") ?? began
        let end = try query.time("until")
        guard end.map({ $0 > start }) ?? true else { throw Problem.badRequest("'until' is not after 'from'") }
        let text = query.value("text") ?? ""
        guard text.utf8.count <= Self.maxTextBytes else {
            throw Problem.badRequest("'text' takes at most \(Self.maxTextBytes) bytes")
        }
        return NewNote(
            id: id, author: player.id, fingerprint: "", visibility: seen, place: try Self.place(query), start: start,
            end: end, text: text, began: began)
    }

    private struct Page: Encodable {
        var notes: [ListedNote]
        /// The value of `after` for the next page; none after the last one.
        var next: String?
    }

    /// The notes that the player sees now, nearest first.
    func list(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query)
        try query.check(
            allowing: access.fieldNames.union(["latitude", "longitude", "radius", "limit", "after", "own"]))
        let limit = try Self.number("limit", query, Int.init, 1...Self.maxListed) ?? 50
        let isOwn = query.value("own") ?? "false"
        guard ["true", "false"].contains(isOwn) else { throw Problem.badRequest("'own' takes true or false") }
        let wanted = NoteQuery(
            player: player, center: try Self.place(query),
            radius: try Self.number("radius", query, DecimalNumber.value, 0...NoteQuery.maxRadius) ?? 1000,
            isOwn: isOwn == "true", now: .now, limit: limit + 1, after: try Self.after(query))
        let found = try await service.storage.admit { try await service.stores.notes.notes(wanted) }
        let page = found.prefix(limit)
        let next = found.count > limit ? page.last.map { "\($0.distance)_\($0.note.id)" } : nil
        let json = try CanonicalJSON.bytes(
            Page(notes: page.map { ListedNote($0.note, to: player, distance: $0.distance) }, next: next))
        let memory = try service.media.queue.reserve(json.count, for: RequestRecord.client)
        return Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "private, no-cache", .vary: "Authorization"],
            body: HeldBytes(json, in: memory).body(0..<json.count))
    }

    func get(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (player, note) = try await visible(request, context)
        return try Response(
            json: ListedNote(note, to: player), [.cacheControl: "private, no-cache", .vary: "Authorization"])
    }

    func image(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (_, note) = try await visible(request, context)
        return try await service.storage.admit {
            try await Response(
                image: note.file, of: service.stores.blobs, type: note.type, cacheControl: "private, no-cache",
                to: request)
        }
    }

    func delete(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (player, note) = try await visible(request, context)
        guard player.isCalled(note.author) else {
            throw Problem(.forbidden, code: "player", "This belongs to another player")
        }
        try await service.storage.turn(of: player) {
            try await service.stores.notes.removeNotes([note.id], of: player, at: .now)
        }
        return Response(status: .noContent)
    }

    /// Throws the same ``Problem`` if there is no such note and if the player may not see it.
    private func visible(_ request: Request, _ context: some RequestContext) async throws -> (PlayerIdentity, Note) {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query)
        try query.check(allowing: access.fieldNames)
        let id = try context.decoded("note").lowercased()
        let note = try await service.storage.admit {
            try await service.stores.notes.note(id, to: player, now: .now)
        }
        guard let note else { throw Problem.notFound("no such note") }
        return (player, note)
    }

    // MARK: Values

    private static func number<Value: Comparable>(
        _ name: String, _ query: QueryFields, _ read: (String) -> Value?, _ range: ClosedRange<Value>
    ) throws -> Value? {
        guard let text = query.value(name) else { return nil }
        guard let value = read(text), range.contains(value) else {
            throw Problem.badRequest("'\(name)' takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func place(_ query: QueryFields) throws -> GeoPoint {
        guard let latitude = try number("latitude", query, DecimalNumber.value, -90...90),
            let longitude = try number("longitude", query, DecimalNumber.value, -180...180)
        else { throw Problem.badRequest("'latitude' and 'longitude' are needed") }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    private static func after(_ query: QueryFields) throws -> NotePlace? {
        guard let text = query.value("after") else { return nil }
        let parts = text.split(separator: "_", maxSplits: 1).map(String.init)
        guard parts.count == 2, let distance = DecimalNumber.value(parts[0]),
            (0...NoteQuery.maxRadius).contains(distance)
        else {
            throw Problem.badRequest("'after' takes the 'next' of a page")
        }
        return NotePlace(distance: distance, id: parts[1])
    }
}
