internal import GRDB
internal import HTTPTypes
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelStorage

/// The event captures and notes of all players in a SQLite file. Their images are files beside it.
final class PlayerDatabase: Sendable {
    private let file: DurableDatabase
    /// The total size of a player's images, in bytes, from which on further ones are refused.
    private let maxImageBytes: Int

    private static let schema = """
        CREATE TABLE capture (player TEXT NOT NULL, id TEXT NOT NULL, story TEXT NOT NULL, event TEXT NOT NULL,
            fingerprint TEXT NOT NULL, file TEXT NOT NULL, type TEXT NOT NULL, bytes INTEGER NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, id)) WITHOUT ROWID, STRICT;
        CREATE TABLE note (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, author TEXT NOT NULL, fingerprint TEXT NOT NULL,
            visibility TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL, start INTEGER NOT NULL, end INTEGER,
            text TEXT NOT NULL, file TEXT NOT NULL, type TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
            bytes INTEGER NOT NULL) STRICT;
        CREATE INDEX note_by_author ON note (author);
        CREATE VIRTUAL TABLE note_place USING rtree(number, south, north, west, east);
        """

    /// Throws an `io` error if it cannot be read or created, an `unsupported` one if a newer Wayreel wrote it.
    init(_ path: String, maxImageBytes: Int) throws(MediaError) {
        self.maxImageBytes = maxImageBytes
        file = try DurableDatabase(path, Migrations(sql: [Self.schema]))
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.read(body) }
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.write(body) }

    /// The files of all captures and notes, relative to the folder of data. Blocks.
    func files() throws -> Set<String> {
        try read { try String.fetchSet($0, sql: "SELECT file FROM capture UNION ALL SELECT file FROM note") }
    }

    /// The ids of all players that have captures or notes. Blocks.
    func players() throws -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT player FROM capture UNION SELECT author FROM note") }
    }

    /// Throws a ``Problem`` if the images of a player have reached the maximum size. Blocks.
    func checkRoom(for player: PlayerIdentity) throws { try read { try checkRoom(for: player.id, in: $0) } }

    /// Throws likewise. The transaction that adds an image calls it, because another request may have added one while this
    /// image was prepared.
    func checkRoom(for player: String, in database: Database) throws {
        let bytes = try Int.fetchOne(
            database,
            sql: """
                SELECT (SELECT coalesce(sum(bytes), 0) FROM capture WHERE player = ?1)
                    + (SELECT coalesce(sum(bytes), 0) FROM note WHERE author = ?1)
                """, arguments: [player])
        guard bytes ?? 0 < maxImageBytes else {
            throw Problem(
                .forbidden, code: "quota", "The player's images are full",
                detail: "at most \(maxImageBytes) bytes are kept; delete captures or notes")
        }
    }
}

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
    func capture(_ id: String, of player: PlayerIdentity) throws -> KeptCapture? {
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
    func captures(of player: PlayerIdentity, story: String? = nil) throws -> [KeptCapture] {
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
