internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelEngine
internal import WayreelJournal
internal import WayreelStorage

/// Deletes what is kept of a player. What was deleted is marked first, so that neither a device nor a request that is being
/// answered brings it back, and a deletion that was cut off can be repeated.
///
/// All functions block. They run in the player's turn: ``StorageWork/run(for:_:)``.
struct PlayerErasure: Sendable {
    let folder: DataFolder
    let database: PlayerDatabase
    let erasures: ErasureDatabase
    let journals: JournalStore
    /// nil without sign-in.
    let accounts: (any AccountStoring)?

    /// Removes captures: their images, and their entries in the journals, whose marks tell the other devices.
    ///
    /// Captures that the service does not have are only marked.
    func remove(captures ids: [String], of player: PlayerIdentity, at time: Timestamp) throws {
        try erasures.remove(ids, of: player, at: time)
        let captures = try ids.compactMap { try database.capture($0, of: player) }
        // The images go also if a journal is damaged.
        let recording = Result {
            for (story, captures) in Dictionary(grouping: captures, by: \.story) {
                var news = JournalContents()
                for capture in captures { news.remove(capture: capture.id, at: time) }
                try journals.record(JournalDocument(story: story, contents: news), of: player)
            }
        }
        try remove(captures)
        try recording.get()
    }

    /// Whether there is a journal of a story, or a capture.
    func has(_ story: String, of player: PlayerIdentity) throws -> Bool {
        try journals.exists(story, of: player) || !database.captures(of: player, story: story).isEmpty
    }

    /// Removes the journal of a story, and its captures. Also a damaged one.
    func removeJournal(_ story: String, of player: PlayerIdentity, upTo time: Timestamp) throws {
        try erasures.erase(player, story: story, upTo: time)
        try journals.remove(story, of: player)
        try remove(try database.captures(of: player, story: story))
    }

    /// Removes the captures of a story that were taken up to a time, after a device has erased the journal.
    func removeCaptures(of player: PlayerIdentity, story: String, upTo time: Timestamp) throws {
        try erasures.erase(player, story: story, upTo: time)
        try remove(try database.captures(of: player, story: story).filter { $0.time <= time.milliseconds })
    }

    /// Removes everything but the account: journals, captures, notes, images.
    func removeAll(of player: PlayerIdentity) throws {
        try erasures.erase(player, story: nil, upTo: ErasureDatabase.now)
        try remove(try database.captures(of: player))
        let notes = try database.notes(by: player)
        try erasures.remove(notes.map(\.id), of: player, at: ErasureDatabase.now)
        try remove(notes)
        let files = "\(folder.path)/\(folder.playerFolder(of: player))"
        Directory.remove(files)
        guard !Directory.isDirectory(files) else {
            throw MediaError(.io, step: "data", subject: files, reason: "cannot be removed")
        }
    }

    /// Removes again what was deleted before and is there: a deletion was cut off, or a backup was restored. Journals and
    /// captures that are newer than the deletion stay. Blocks.
    func repeatDeletions() throws {
        let players = try database.players().map { PlayerIdentity(id: $0) }
        let deleting = Set(try erasures.deleting(amongFolders: players.map(DataFolder.name(of:))))
        for player in players where deleting.contains(DataFolder.name(of: player)) {
            try remove(
                try database.captures(of: player).filter { capture in
                    let time = try erasures.time(of: player, story: capture.story)
                    return try time.map { capture.time <= $0.milliseconds } ?? false
                        || erasures.isRemoved(capture.id, of: player)
                })
            try remove(try database.notes(by: player).filter { try erasures.isRemoved($0.id, of: player) })
        }
        for folder in try erasures.deleting(amongFolders: Directory.entries(of: "\(folder.path)/players")) {
            try journals.repeatErasures(inFolder: folder)
        }
    }

    /// Removes again accounts that are older than the deletion of their players.
    func repeatDeletionsOfAccounts() async throws {
        for id in try await accounts?.players() ?? [] {
            let player = PlayerIdentity(id: id)
            guard let time = try erasures.time(of: player, story: "") else { continue }
            try await accounts?.remove(player, upTo: time.milliseconds / 1000)
        }
    }

    /// Removes captures of one player, and marks them: their uploads may be repeated.
    private func remove(_ captures: [KeptCapture]) throws {
        guard let first = captures.first else { return }
        try erasures.remove(captures.map(\.id), of: PlayerIdentity(id: first.player), at: ErasureDatabase.now)
        try folder.whilePending(captures.map(\.file)) {
            try database.remove(captures)
            for capture in captures { try folder.delete(capture.file) }
        }
    }

    private func remove(_ notes: [Note]) throws {
        guard !notes.isEmpty else { return }
        try folder.whilePending(notes.map(\.file)) {
            try database.remove(notes)
            for note in notes { try folder.delete(note.file) }
        }
    }
}

/// `DELETE /v1/players/{player}`, `…/stories/{story}/journal` and `…/captures/{capture}`.
struct ErasureRoutes: Sendable {
    let access: PlayerAccess
    let erasure: PlayerErasure
    let work: StorageWork

    func deletePlayer(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let player = try await player(of: request, context)
        try await work.run(for: player) { try erasure.removeAll(of: player) }
        try await erasure.accounts?.remove(player, upTo: nil)
        return Response(status: .noContent)
    }

    func deleteJournal(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let player = try await player(of: request, context)
        let story = try context.decoded("story")
        guard JournalStore.isID(story) else { throw Problem.badRequest("'story' is not a story's id") }
        try await work.run(for: player) {
            // Nothing is remembered of stories of which there is nothing.
            guard try erasure.has(story, of: player) else { return }
            try erasure.removeJournal(story, of: player, upTo: ErasureDatabase.now)
        }
        return Response(status: .noContent)
    }

    /// A capture that was deleted before is answered in the same way.
    func deleteCapture(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let player = try await player(of: request, context)
        let id = try context.decoded("capture").lowercased()
        try await work.run(for: player) {
            let isKept = try erasure.database.capture(id, of: player) != nil
            guard try isKept || erasure.erasures.isRemoved(id, of: player) else {
                throw Problem.notFound("no such capture")
            }
            if isKept { try erasure.remove(captures: [id], of: player, at: ErasureDatabase.now) }
        }
        return Response(status: .noContent)
    }

    private func player(of request: Request, _ context: some RequestContext) async throws -> PlayerIdentity {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query, named: try context.decoded("player"))
        try query.check(allowing: [])
        return player
    }
}
