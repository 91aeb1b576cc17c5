internal import Hummingbird
internal import WayreelCore
internal import WayreelEngine
internal import WayreelJournal
internal import WayreelStorage

/// Deletes what is kept of a player. What was deleted is marked first, so that neither a device nor a request that is being
/// answered brings it back, and a deletion that was cut off can be repeated.
///
/// All functions run in the player's turn: ``StorageWork/turn(of:_:)``.
struct PlayerErasure: Sendable {
    let stores: any PlayerStoring
    /// nil without sign-in.
    let accounts: (any AccountStoring)?

    /// Removes captures: their images, and their entries in the journals, whose marks tell the other devices.
    ///
    /// Captures that the service does not have are only marked.
    func remove(captures ids: [String], of player: PlayerIdentity, at time: Timestamp) async throws(StorageFault) {
        try await stores.erasures.markRemoved(ids, of: player, at: time)
        var captures: [KeptCapture] = []
        for id in ids {
            if let capture = try await stores.captures.capture(id, of: player) { captures.append(capture) }
        }
        var fault: StorageFault?
        do throws(StorageFault) {
            for (story, captures) in Dictionary(grouping: captures, by: \.story) {
                var news = JournalContents()
                for capture in captures { news.remove(capture: capture.id, at: time) }
                try await stores.journals.record(JournalDocument(story: story, contents: news), of: player)
            }
        } catch { fault = error }
        // The images go also if a journal is damaged.
        try await stores.captures.removeCaptures(captures.map(\.id), of: player, at: time)
        if let fault { throw fault }
    }

    /// Whether there is a journal of a story, or a capture.
    func has(_ story: String, of player: PlayerIdentity) async throws(StorageFault) -> Bool {
        if try await stores.journals.stories(of: player).contains(story) { return true }
        return try await !stores.captures.captures(of: player, story: story).isEmpty
    }

    /// Removes the journal of a story, and its captures. Also a damaged one.
    func removeJournal(
        _ story: String, of player: PlayerIdentity, upTo time: Timestamp
    ) async throws(StorageFault) {
        try await stores.erasures.erase(player, story: story, upTo: time)
        try await stores.journals.removeJournal(story, of: player)
        let captures = try await stores.captures.captures(of: player, story: story)
        try await stores.captures.removeCaptures(captures.map(\.id), of: player, at: .now)
    }

    /// Removes the captures of a story that were taken up to a time, after a device has erased the journal.
    func removeCaptures(
        of player: PlayerIdentity, story: String, upTo time: Timestamp
    ) async throws(StorageFault) {
        try await stores.erasures.erase(player, story: story, upTo: time)
        let captures = try await stores.captures.captures(of: player, story: story).filter { $0.time <= time }
        try await stores.captures.removeCaptures(captures.map(\.id), of: player, at: .now)
    }

    /// Removes everything: journals, captures, notes, recordings, files, the account.
    func removeAll(of player: PlayerIdentity) async throws(StorageFault) {
        try await stores.removeAll(of: player)
        try await accounts?.remove(player, upTo: nil)
    }

    /// Removes again what was deleted before and is there: a deletion was cut off, or a backup was restored. Journals and
    /// captures that are newer than the deletion stay.
    func repeatDeletions() async throws(StorageFault) {
        for id in try await accounts?.players() ?? [] {
            let player = PlayerIdentity(id: id)
            guard let time = try await stores.erasures.erased(player, story: nil) else { continue }
            try await accounts?.remove(player, upTo: time.milliseconds / 1000)
        }
        try await stores.repeatErasures()
    }
}

/// `DELETE /v1/players/{player}`, `…/stories/{story}/journal` and `…/captures/{capture}`.
struct ErasureRoutes: Sendable {
    let access: PlayerAccess
    let erasure: PlayerErasure
    let work: StorageWork

    func deletePlayer(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let player = try await player(of: request, context)
        try await work.turn(of: player) { try await erasure.removeAll(of: player) }
        return Response(status: .noContent)
    }

    func deleteJournal(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let player = try await player(of: request, context)
        let story = try context.decoded("story")
        guard JournalLimits.isID(story) else { throw Problem.badRequest("'story' is not a story's id") }
        try await work.turn(of: player) {
            // Nothing is remembered of stories of which there is nothing.
            guard try await erasure.has(story, of: player) else { return }
            try await erasure.removeJournal(story, of: player, upTo: .now)
        }
        return Response(status: .noContent)
    }

    /// A capture that was deleted before is answered in the same way.
    func deleteCapture(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let player = try await player(of: request, context)
        let id = try context.decoded("capture").lowercased()
        try await work.turn(of: player) {
            if try await erasure.stores.captures.capture(id, of: player) != nil {
                return try await erasure.remove(captures: [id], of: player, at: .now)
            }
            guard try await erasure.stores.erasures.isRemoved(id, of: player) else {
                throw Problem.notFound("no such capture")
            }
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
