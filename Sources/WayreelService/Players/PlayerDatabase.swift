internal import GRDB
internal import Glibc
internal import WayreelCore
internal import WayreelSigning

/// The SQLite file of what players' images are: event captures and notes. The images are files beside it.
///
/// It is kept as a journal is: with a rollback journal and `synchronous = EXTRA`, so that what was answered is on the disk. Several
/// processes may have it open.
final class PlayerDatabase: Sendable {
    private let queue: DatabaseQueue
    private let path: String

    private static let version = 1
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

    /// Opens the file at `path`, which is made where there is none.
    ///
    /// Throws an `io` error where it cannot be read or made, an `unsupported` one where a newer Wayreel wrote it.
    init(_ path: String) throws(MediaError) {
        self.path = path
        queue = try Self.checked(path) {
            var configuration = Configuration()
            configuration.label = "players"
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase {
                try $0.execute(sql: "PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { database in
                switch try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 {
                case Self.version: break
                case 0:
                    try database.execute(sql: Self.schema)
                    try database.execute(sql: "PRAGMA user_version = \(Self.version)")
                case let found:
                    throw MediaError(
                        .unsupported, step: "data", subject: path,
                        reason: "has version \(found); this Wayreel knows \(Self.version)",
                        advice: "use a newer Wayreel")
                }
            }
            return queue
        }
    }

    /// Throws an `io` error, and what `body` throws.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.checkedAll(path) { try queue.read(body) }
    }

    /// Does all of `body` or nothing. Throws an `io` error, and what `body` throws.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.checkedAll(path) { try queue.write(body) }
    }

    private static func checkedAll<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError { throw fault(error, path) }
    }

    private static func checked<Value>(_ path: String, _ body: () throws -> Value) throws(MediaError) -> Value {
        do { return try body() } catch let error as MediaError { throw error } catch let error as DatabaseError {
            throw fault(error, path)
        } catch { throw MediaError(.io, step: "data", subject: path, reason: "\(error)".onOneLine) }
    }

    private static func fault(_ error: DatabaseError, _ path: String) -> MediaError {
        let reason =
            error.resultCode == .SQLITE_FULL
            ? systemReason(ENOSPC) : error.message ?? "\(error.resultCode)"
        return MediaError(.io, step: "data", subject: path, reason: reason.onOneLine)
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
