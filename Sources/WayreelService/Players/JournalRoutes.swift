internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelEngine
internal import WayreelJournal
internal import WayreelStorage

/// Players' journals, synchronised by merge: `GET` and `POST /v1/players/{player}/stories/{story}/journal`, and the
/// same of `/v1/players/{player}/journal`, whose story is that of the document, or `?story=`.
///
/// With `?since=`, the answer has only what changed since the cursor of an earlier answer; without it, the whole journal.
struct JournalRoutes: Sendable {
    let access: PlayerAccess
    let store: any JournalStoring
    let erasure: PlayerErasure
    let work: StorageWork
    let queue: RequestQueue
    let settings: ServiceSettings
    let log: ServiceLog?

    /// The milliseconds by which the time of an erasure on a device may be in the future, since clocks differ.
    private static let clockTolerance: Int64 = 86_400_000
    /// What a document takes while it is read, as a multiple of its bytes: measured, 15 to 35.
    private static let readingFactor = 40
    /// What a journal takes while its document is made, as a multiple of the bytes of its file: measured, 11.
    private static let makingFactor = 12

    /// What a request names.
    private struct Target {
        var player: PlayerIdentity
        var story: String?
        /// The cursor of ``changes``; nil if the whole journal is wanted.
        var since: JournalCursor?
    }

    /// The journal of a story, or its changes; without a story, a list of all journals.
    func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let target = try await target(of: request, context)
        let (player, since) = (target.player, target.since)
        guard let story = target.story else {
            guard since == nil else { throw Problem.badRequest("'since' is of one story: name it with 'story'") }
            // A document in memory, and its text, have several times the size of its file.
            let bytes = try await work.turn(of: player) { try await store.bytes(ofJournal: nil, of: player) }
            let memory = try queue.reserve(8 * bytes, for: context.client)
            defer { withExtendedLifetime(memory) {} }
            return try answer(try await work.turn(of: player) { try await list(of: player) }, to: request, context)
        }
        let memory = try queue.reserve(0, for: context.client)
        defer { withExtendedLifetime(memory) {} }
        let json = try await work.turn(of: player) { () async throws -> [UInt8] in
            try queue.grow(memory, to: Self.makingFactor * (try await store.bytes(ofJournal: story, of: player)))
            guard let since else {
                let document = try await store.document(of: player, story: story)
                return try await work.runAlways { try document.json() }
            }
            let nothing = JournalDocument(story: story, contents: JournalContents())
            return try await changes(nothing, since: since, of: player)
        }
        memory.shrink(to: 0)
        return try answer(json, areChanges: since != nil, to: request, context)
    }

    /// Merges the body into the journal, flushes it to disk, and answers with the whole journal, or with what is new to the
    /// device.
    func post(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let target = try await target(of: request, context)
        let (player, since) = (target.player, target.since)
        let upload = Upload(noun: "journal", maxBytes: JournalLimits.maxBodyBytes, seconds: settings.uploadSeconds)
        let reserved = try upload.reserve(for: request, of: context.client, in: queue)
        defer { withExtendedLifetime(reserved) {} }
        if let story = target.story {
            try await work.turn(of: player) { try await store.checkRoom(forJournal: story, of: player) }
        }
        let body = try await reserved.receiveArray(request.body)
        let json = try await work.turn(of: player) { () async throws -> [UInt8] in
            // It has its turn: what waits for it holds no more than its body.
            try queue.grow(reserved.memory, to: Self.readingFactor * body.count)
            let document = try await work.runAlways { try Self.document(body) }
            guard JournalLimits.isID(document.story), target.story ?? document.story == document.story else {
                throw Problem.badRequest("the journal is of another story")
            }
            if target.story == nil { try await store.checkRoom(forJournal: document.story, of: player) }
            try await deleteWhatIsRemoved(in: document, of: player)
            if let since { return try await changes(document, since: since, of: player) }
            let stored = Self.makingFactor * (try await store.bytes(ofJournal: document.story, of: player))
            try queue.grow(reserved.memory, to: Self.readingFactor * body.count + stored)
            let merged = try await store.merge(document, of: player)
            return try await work.runAlways { try merged.json() }
        }
        reserved.memory.shrink(to: 0)
        return try answer(json, areChanges: since != nil, to: request, context)
    }

    private func changes(
        _ news: JournalDocument, since cursor: JournalCursor, of player: PlayerIdentity
    ) async throws -> [UInt8] {
        let changes = try await store.exchange(news, since: cursor, of: player, isLimited: true)
        return try await work.runAlways { try changes.json() }
    }

    /// Removes the captures that a device has removed, and those of a journal that it has erased.
    private func deleteWhatIsRemoved(in document: JournalDocument, of player: PlayerIdentity) async throws {
        let contents = document.contents
        let now = Timestamp.now
        if let time = contents.erased {
            guard time.milliseconds <= now.milliseconds + Self.clockTolerance else {
                throw Problem(
                    .unprocessableContent, code: "journal", "The body is not a journal",
                    detail: "the time of 'erased' is in the future")
            }
            try await erasure.removeCaptures(of: player, story: document.story, upTo: time)
        }
        guard !contents.removed.isEmpty else { return }
        guard contents.removed.count <= ErasureLimits.maxRemoved else {
            throw Problem(.unprocessableContent, code: "journal", "The body names too many deleted captures")
        }
        try await erasure.remove(captures: contents.removed.keys.map { $0.text.lowercased() }, of: player, at: now)
    }

    /// All journals. In the place of one that cannot be read, an object with its story and the problem.
    private func list(of player: PlayerIdentity) async throws -> [UInt8] {
        var elements: [String] = []
        for story in try await store.stories(of: player) {
            do {
                let document = try await store.document(of: player, story: story)
                elements.append(try await work.runAlways { String(decoding: try document.json(), as: UTF8.self) })
            } catch let fault as StorageFault {
                guard case .damaged = fault else { throw fault }
                log?.write(playersFault: fault.description)
                elements.append(#"{"story":\#(story.jsonQuoted),"problem":\#(fault.problem.json())}"#)
            }
        }
        return Array("[\(elements.joined(separator: ","))]\n".utf8)
    }

    private func target(of request: Request, _ context: some RequestContext) async throws -> Target {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query, named: try context.decoded("player"))
        try query.check(allowing: ["story", "since"])
        let story =
            try context.parameters.get("story").map { _ in try context.decoded("story") } ?? query.value("story")
        guard story.map(JournalLimits.isID) ?? true else { throw Problem.badRequest("'story' is not a story's id") }
        return Target(player: player, story: story, since: query.value("since").map(JournalCursor.init(_:)))
    }

    private static let ofChanges: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store", .vary: "Authorization",
    ]

    private static func document(_ body: [UInt8]) throws -> JournalDocument {
        do throws(MediaError) { return try JournalDocument(json: body) } catch {
            throw Problem(.unprocessableContent, code: "journal", "The body is not a journal", detail: error.reason)
        }
    }

    private func answer(
        _ json: [UInt8], areChanges: Bool = false, to request: Request, _ context: ServiceContext
    ) throws -> Response {
        let held = HeldBytes(json, in: try queue.reserve(json.count, for: context.client))
        if areChanges { return try Response(held, Self.ofChanges, to: request) }
        let tag = EntityTag(SHA256.hash(data: json).hexadecimal)
        let headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "private, no-cache", .eTag: tag.text,
            .vary: "Authorization",
        ]
        if request.method != .post, tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        return try Response(held, headers, to: request)
    }
}
