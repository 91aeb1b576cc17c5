internal import Crypto
internal import FoundationEssentials
internal import GRDB
internal import HTTPTypes
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelEngine
internal import WayreelStorage

/// What players deleted, so that devices which still have it do not bring it back. A SQLite file of its own: restoring a
/// backup of the others leaves it as it is.
///
/// It has no player's name, only the hash (SHA-256) of the name of the player's folder.
final class ErasureDatabase: Sendable {
    private let file: DurableDatabase

    /// A row of `erasure` with an empty `story` is of all stories of the player, and of the notes.
    private static let schema = """
        CREATE TABLE erasure (player BLOB NOT NULL, story TEXT NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, story)) WITHOUT ROWID, STRICT;
        CREATE TABLE removed_capture (player BLOB NOT NULL, capture TEXT NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, capture)) WITHOUT ROWID, STRICT;
        """

    /// Throws an `io` error if it cannot be read or created, an `unsupported` one if a newer Wayreel wrote it.
    init(_ path: String) throws(MediaError) { file = try DurableDatabase(path, Migrations(sql: [Self.schema])) }

    private static func hash(of player: PlayerIdentity) -> Data { hash(folder: DataFolder.name(of: player)) }
    private static func hash(folder: String) -> Data { Data(SHA256.hash(data: Array(folder.utf8))) }

    static var now: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    /// The time up to which a player's entries of a story are erased; nil if none are. Blocks.
    func time(of player: PlayerIdentity, story: String) throws -> Timestamp? {
        try time(ofFolder: DataFolder.name(of: player), story: story)
    }

    /// Returns the same for the player of a folder. Blocks.
    func time(ofFolder folder: String, story: String) throws -> Timestamp? {
        try file.read { database in
            try Int64.fetchOne(
                database, sql: "SELECT max(time) FROM erasure WHERE player = ? AND story IN ('', ?)",
                arguments: [Self.hash(folder: folder), story]
            ).map { Timestamp(milliseconds: $0) }
        }
    }

    /// Returns those of the folders whose players have deleted anything. Blocks.
    func deleting(amongFolders folders: [String]) throws -> [String] {
        let hashes = try file.read { database in
            try Data.fetchSet(database, sql: "SELECT player FROM erasure UNION SELECT player FROM removed_capture")
        }
        return hashes.isEmpty ? [] : folders.filter { hashes.contains(Self.hash(folder: $0)) }
    }

    /// Erases a player's entries of a story, or of all stories if it is nil, up to a time. Blocks.
    func erase(_ player: PlayerIdentity, story: String?, upTo time: Timestamp) throws {
        // Devices repeat what they know; without this, each repetition would wait for the disk.
        if let known = try self.time(of: player, story: story ?? ""), known >= time { return }
        try file.write { database in
            try database.execute(
                sql: """
                    INSERT INTO erasure VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET time = max(time, excluded.time)
                    """, arguments: [Self.hash(of: player), story ?? "", time.milliseconds])
        }
    }

    /// The captures and notes of a player whose deletion is remembered: more than the quota of images lets a player keep.
    static let maxRemoved = 20_000

    /// Whether a capture, or a note, was removed. Blocks.
    func isRemoved(_ capture: String, of player: PlayerIdentity) throws -> Bool {
        try file.read { database in
            try Int.fetchOne(
                database, sql: "SELECT 1 FROM removed_capture WHERE player = ? AND capture = ?",
                arguments: [Self.hash(of: player), capture]) != nil
        }
    }

    /// Marks captures, or notes, as removed. Throws a ``Problem`` if no more can be remembered. Blocks.
    func remove(_ captures: [String], of player: PlayerIdentity, at time: Timestamp) throws {
        let known = try file.read { database in
            try String.fetchSet(
                database, sql: "SELECT capture FROM removed_capture WHERE player = ?",
                arguments: [Self.hash(of: player)])
        }
        let captures = Set(captures).subtracting(known)
        guard !captures.isEmpty else { return }
        guard known.count + captures.count <= Self.maxRemoved else {
            throw Problem(.forbidden, code: "quota", "The player has deleted too many captures")
        }
        try file.write { database in
            for capture in captures {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO removed_capture VALUES (?, ?, ?)",
                    arguments: [Self.hash(of: player), capture, time.milliseconds])
            }
        }
    }

    // MARK: Uploads

    /// Throws a ``Problem`` if the capture was removed, or if the journal was erased after it was taken. Blocks.
    func checkNotRemoved(_ capture: String, taken: Timestamp, story: String, of player: PlayerIdentity) throws {
        guard try isRemoved(capture, of: player) || time(of: player, story: story).map({ taken <= $0 }) ?? false else {
            return
        }
        throw Problem(.gone, code: "removed", "The capture was deleted")
    }

    /// Throws a ``Problem`` if the note was deleted. Blocks.
    func checkNotRemoved(note: String, of player: PlayerIdentity) throws {
        guard try isRemoved(note, of: player) else { return }
        throw Problem(.gone, code: "removed", "The note was deleted")
    }

    /// Throws a ``Problem`` if the player was deleted since a time. Blocks.
    func checkNotErased(_ player: PlayerIdentity, since time: Timestamp) throws {
        guard try self.time(of: player, story: "").map({ time <= $0 }) ?? false else { return }
        throw Problem(.gone, code: "removed", "The player was deleted")
    }
}
