internal import Crypto
internal import FoundationEssentials
internal import GRDB
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelEngine

/// What players deleted, so that devices which still have it do not bring it back. A SQLite file of its own: restoring a
/// backup of the others leaves it as it is.
///
/// It has no player's name, only the hash (SHA-256) of the name of the player's folder.
final class SQLiteErasures: ErasureStoring {
    private let file: DurableDatabase
    private let threads: any StorageThreads

    /// A row of `erasure` with an empty `story` is of all stories of the player, and of the notes.
    private static let schema = """
        CREATE TABLE erasure (player BLOB NOT NULL, story TEXT NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, story)) WITHOUT ROWID, STRICT;
        CREATE TABLE removed_capture (player BLOB NOT NULL, capture TEXT NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, capture)) WITHOUT ROWID, STRICT;
        """

    /// Throws an `io` error if it cannot be read or created, an `unsupported` one if a newer Wayreel wrote it.
    init(_ path: String, _ threads: any StorageThreads) throws(MediaError) {
        file = try DurableDatabase(path, Migrations(sql: [Self.schema]))
        self.threads = threads
    }

    private static func hash(of player: PlayerIdentity) -> Data { hash(folder: DataFolder.name(of: player)) }
    private static func hash(folder: String) -> Data { Data(SHA256.hash(data: Array(folder.utf8))) }

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

    /// Blocks.
    func add(_ player: PlayerIdentity, story: String?, upTo time: Timestamp) throws {
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

    /// Whether a capture, or a note, was removed. Blocks.
    func has(_ capture: String, of player: PlayerIdentity) throws -> Bool {
        try file.read { database in
            try Int.fetchOne(
                database, sql: "SELECT 1 FROM removed_capture WHERE player = ? AND capture = ?",
                arguments: [Self.hash(of: player), capture]) != nil
        }
    }

    /// Marks captures, or notes, as removed. Throws a ``StorageFault`` if no more can be remembered. Blocks.
    func mark(_ captures: [String], of player: PlayerIdentity, at time: Timestamp) throws {
        func new(_ database: Database) throws -> Set<String> {
            let known = try String.fetchSet(
                database, sql: "SELECT capture FROM removed_capture WHERE player = ?",
                arguments: [Self.hash(of: player)])
            let new = Set(captures).subtracting(known)
            guard new.isEmpty || known.count + new.count <= ErasureLimits.maxRemoved else {
                throw StorageFault.full(.removals)
            }
            return new
        }
        // Devices repeat what they know, which needs no writing.
        guard try !captures.isEmpty && !file.read(new).isEmpty else { return }
        try file.write { database in
            for capture in try new(database) {
                try database.execute(
                    sql: "INSERT INTO removed_capture VALUES (?, ?, ?)",
                    arguments: [Self.hash(of: player), capture, time.milliseconds])
            }
        }
    }

    /// Whether the player was deleted since a time. Blocks.
    func isErased(_ player: PlayerIdentity, since time: Timestamp) throws -> Bool {
        try self.time(of: player, story: "").map { time <= $0 } ?? false
    }

    /// Whether the capture was removed, or the journal erased after it was taken. Blocks.
    func isErased(_ capture: String, taken: Timestamp, story: String, of player: PlayerIdentity) throws -> Bool {
        try has(capture, of: player) || time(of: player, story: story).map { taken <= $0 } ?? false
    }

    // MARK: ErasureStoring

    func erase(_ player: PlayerIdentity, story: String?, upTo time: Timestamp) async throws(StorageFault) {
        try await threads.attempt { [self] in try add(player, story: story, upTo: time) }
    }

    func erased(_ player: PlayerIdentity, story: String?) async throws(StorageFault) -> Timestamp? {
        try await threads.attempt { [self] in try time(of: player, story: story ?? "") }
    }

    func markRemoved(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) async throws(StorageFault) {
        try await threads.attempt { [self] in try mark(ids, of: player, at: time) }
    }

    func isRemoved(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> Bool {
        try await threads.attempt { [self] in try has(id, of: player) }
    }
}
