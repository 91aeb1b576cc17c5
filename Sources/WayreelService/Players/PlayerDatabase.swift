internal import GRDB
internal import WayreelCore
internal import WayreelSigning

/// The event captures and notes of all players in a SQLite file. Their images are files beside it.
final class PlayerDatabase: Sendable {
    private let file: DurableDatabase

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
    init(_ path: String) throws(MediaError) {
        file = try DurableDatabase(path, version: 1, schema: Self.schema)
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.read(body) }
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.write(body) }

    /// The files of all captures and notes, relative to the folder of data. Blocks.
    func files() throws -> Set<String> {
        try read { try String.fetchSet($0, sql: "SELECT file FROM capture UNION ALL SELECT file FROM note") }
    }

    /// The bytes of the images that are kept for a player.
    func imageBytes(of player: Player) throws -> Int {
        try read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT (SELECT coalesce(sum(bytes), 0) FROM capture WHERE player = ?1)
                        + (SELECT coalesce(sum(bytes), 0) FROM note WHERE author = ?1)
                    """, arguments: [player.id]) ?? 0
        }
    }
}
