internal import GRDB
internal import WayreelCore
internal import WayreelSigning

/// A capture of an event that is kept for a player.
struct KeptCapture: ImageRecord {
    var player: String
    /// Unique among the captures of the player.
    var id: String
    var story: String
    var event: String
    var fingerprint: String
    /// Relative to the folder of data.
    var file: String
    var type: String
    var bytes: Int
    /// Milliseconds since 1970.
    var time: Int64
}

extension PlayerDatabase {
    /// Returns a player's capture by its id. Blocks.
    func capture(_ id: String, of player: Player) throws -> KeptCapture? {
        try read { try Self.capture(id, of: player.id, in: $0) }
    }

    /// Adds a capture, unless one with its id exists, and returns the stored one. Blocks.
    ///
    /// Throws a ``Problem`` if the player's images are full.
    func keep(_ capture: KeptCapture) throws -> KeptCapture {
        try write { database in
            if let known = try Self.capture(capture.id, of: capture.player, in: database) { return known }
            try checkRoom(for: capture.player, in: database)
            try database.execute(
                sql: "INSERT INTO capture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    capture.player, capture.id, capture.story, capture.event, capture.fingerprint, capture.file,
                    capture.type, capture.bytes, capture.time,
                ])
            return capture
        }
    }

    /// Returns all captures of a player, or those of a story. Blocks.
    func captures(of player: Player, story: String? = nil) throws -> [KeptCapture] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM capture WHERE player = ?1 AND (?2 IS NULL OR story = ?2)",
                arguments: [player.id, story]
            ).map(KeptCapture.init)
        }
    }

    /// Removes the rows of captures. Blocks.
    func remove(_ captures: [KeptCapture]) throws {
        try write { database in
            for capture in captures {
                try database.execute(
                    sql: "DELETE FROM capture WHERE player = ? AND id = ?", arguments: [capture.player, capture.id])
            }
        }
    }

    private static func capture(_ id: String, of player: String, in database: Database) throws -> KeptCapture? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM capture WHERE player = ? AND id = ?", arguments: [player, id]
        ).map(KeptCapture.init)
    }
}

extension KeptCapture {
    init(_ row: Row) {
        self.init(
            player: row["player"], id: row["id"], story: row["story"], event: row["event"],
            fingerprint: row["fingerprint"], file: row["file"], type: row["type"], bytes: row["bytes"],
            time: row["time"])
    }
}
