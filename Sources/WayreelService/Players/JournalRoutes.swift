internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelPlayback
internal import WayreelSigning

/// Players' journals, synchronised by merge: `GET` and `POST /v1/players/{player}/stories/{story}/journal`, and the
/// same of `/v1/players/{player}/journal`, whose story is that of the document, or `?story=`.
struct JournalRoutes: Sendable {
    let access: PlayerAccess
    let store: JournalStore
    let work: StorageWork
    let queue: RequestQueue
    let settings: ServiceSettings

    /// The journal of a story; without one, a list of all journals.
    func get(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (player, story) = try await target(of: request, context)
        let json = try await work.run { () throws -> [UInt8] in
            if let story { return try store.document(of: player, story: story).json() }
            let documents = try store.documents(of: player).map { (document) throws(MediaError) in
                String(decoding: try document.json(), as: UTF8.self)
            }
            return Array("[\(documents.joined(separator: ","))]\n".utf8)
        }
        return try answer(json, to: request)
    }

    /// Merges the body into the journal, flushes it to disk, and answers with the whole journal.
    func post(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (player, story) = try await target(of: request, context)
        let upload = Upload(noun: "journal", maxBytes: JournalStore.maxBodyBytes, seconds: settings.uploadSeconds)
        let reserved = try upload.reserve(for: request, of: context.client, in: queue)
        defer { withExtendedLifetime(reserved) {} }
        let body = try await reserved.receiveArray(request.body)
        let json = try await work.run(bytes: body.count) { () throws -> [UInt8] in
            let document = try Self.document(body)
            guard JournalStore.isID(document.story), story ?? document.story == document.story else {
                throw Problem.badRequest("the journal is of another story")
            }
            return try store.merge(document, of: player).json()
        }
        return try answer(json, to: request)
    }

    private func target(
        of request: Request, _ context: some RequestContext
    ) async throws -> (player: Player, story: String?) {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query, named: try context.decoded("player"))
        try query.check(allowing: ["story"])
        let story =
            try context.parameters.get("story").map { _ in try context.decoded("story") } ?? query.value("story")
        guard story.map(JournalStore.isID) ?? true else { throw Problem.badRequest("'story' is not a story's id") }
        return (player, story)
    }

    private static func document(_ body: [UInt8]) throws -> JournalDocument {
        do throws(MediaError) { return try JournalDocument(json: body) } catch {
            throw Problem(.unprocessableContent, code: "journal", "The body is not a journal", detail: error.reason)
        }
    }

    private func answer(_ json: [UInt8], to request: Request) throws -> Response {
        let tag = EntityTag(SHA256.hash(data: json).hexadecimal)
        let headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "private, no-cache", .eTag: tag.text,
            .vary: "Authorization",
        ]
        if request.method != .post, tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        return try Response(json, headers, to: request)
    }
}
