internal import GRDB
internal import WayreelDatabase
internal import WayreelEngine

/// The captures of events in the SQLite file of players, with their images in the folder.
struct SQLiteCaptures: CaptureStoring {
    let images: SQLiteImages

    func capture(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> KeptCapture? {
        try await images.threads.attempt { try images.file.read { try Self.capture(id, of: player, in: $0) } }
    }

    func captures(of player: PlayerIdentity, story: String?) async throws(StorageFault) -> [KeptCapture] {
        try await images.threads.attempt { try all(of: player, story: story) }
    }

    func checkRoom(forCapturesOf player: PlayerIdentity) async throws(StorageFault) {
        try await images.threads.attempt { try images.file.read { try images.checkRoom(for: player.id, in: $0) } }
    }

    func keep(
        _ capture: NewCapture, _ image: NewImage, of player: PlayerIdentity
    ) async throws(StorageFault) -> (capture: KeptCapture, isNew: Bool) {
        try await images.threads.attempt {
            try images.keep(
                image, id: capture.id, in: images.folder.captureFolder(of: player), file: { $0.capture.file }
            ) { file in
                try add(KeptCapture(capture, image, at: file, of: player), taken: capture.taken, of: player)
            }
        }
    }

    /// Adds the row of a capture, unless there is one with its id, and returns the one that is there then. Blocks.
    private func add(
        _ new: KeptCapture, taken: Timestamp, of player: PlayerIdentity
    ) throws -> (capture: KeptCapture, isNew: Bool) {
        try images.file.write { database in
            // What is erased is remembered before its rows are removed: whichever transaction is first, no row stays.
            guard try !images.erasures.isErased(new.id, taken: taken, story: new.story, of: player) else {
                throw StorageFault.removed(.capture)
            }
            if let known = try Self.capture(new.id, of: player, in: database) { return (known, false) }
            try images.checkRoom(for: player.id, in: database)
            try database.execute(
                sql: "INSERT INTO capture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    new.player, new.id, new.story, new.event, new.fingerprint, new.file.path, new.type, new.bytes,
                    new.time.milliseconds,
                ])
            return (new, true)
        }
    }

    func removeCaptures(
        _ ids: [String], of player: PlayerIdentity, at time: Timestamp
    ) async throws(StorageFault) {
        try await images.threads.attempt {
            // Their uploads may be repeated.
            try images.erasures.mark(ids, of: player, at: time)
            try remove(
                try images.file.read { database in
                    try ids.compactMap { try Self.capture($0, of: player, in: database) }
                })
        }
    }

    /// Removes rows and images. Blocks.
    func remove(_ captures: [KeptCapture]) throws {
        try images.remove(captures.map(\.file)) { database in
            for capture in captures {
                try database.execute(
                    sql: "DELETE FROM capture WHERE player = ? AND id = ?", arguments: [capture.player, capture.id])
            }
        }
    }

    /// Blocks.
    func all(of player: PlayerIdentity, story: String? = nil) throws -> [KeptCapture] {
        try images.file.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM capture WHERE player = ?1 AND (?2 IS NULL OR story = ?2)",
                arguments: [player.id, story]
            ).map(KeptCapture.init)
        }
    }

    private static func capture(
        _ id: String, of player: PlayerIdentity, in database: Database
    ) throws -> KeptCapture? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM capture WHERE player = ? AND id = ?", arguments: [player.id, id]
        ).map(KeptCapture.init)
    }
}

extension KeptCapture {
    fileprivate init(_ row: Row) {
        self.init(
            player: row["player"], id: row["id"], story: row["story"], event: row["event"],
            fingerprint: row["fingerprint"], file: BlobKey(row["file"]), type: row["type"], bytes: row["bytes"],
            time: Timestamp(milliseconds: row["time"]))
    }
}
