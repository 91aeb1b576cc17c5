internal import FoundationEssentials
internal import GRDB
package import WayreelCore
internal import WayreelDatabase

/// Accounts in a SQLite file. Several processes may use it: `wayreel token revoke` works beside the service.
package final class SQLiteAccounts: AccountStoring {
    private let file: DurableDatabase
    private let threads: any StorageThreads

    /// The name of the file in the folder of data.
    static let fileName = "accounts.sqlite"

    private static let schema = """
        CREATE TABLE account (player TEXT PRIMARY KEY, handle BLOB NOT NULL UNIQUE, name TEXT NOT NULL, groups TEXT NOT NULL,
            created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE passkey (id BLOB PRIMARY KEY, player TEXT NOT NULL, key BLOB NOT NULL, counter INTEGER NOT NULL,
            device TEXT NOT NULL, created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX passkey_by_player ON passkey (player);
        CREATE TABLE session (hash BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, player TEXT NOT NULL, groups TEXT NOT NULL,
            device TEXT NOT NULL, origin TEXT, created INTEGER NOT NULL, used INTEGER NOT NULL, expires INTEGER NOT NULL,
            latest INTEGER) STRICT, WITHOUT ROWID;
        CREATE INDEX session_by_player ON session (player, used);
        CREATE TABLE revoked_token (player TEXT NOT NULL, token TEXT NOT NULL, expires INTEGER, PRIMARY KEY (player, token))
            STRICT, WITHOUT ROWID;
        CREATE TABLE revoked_before (player TEXT PRIMARY KEY, time REAL NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// Opens the accounts in a folder of data, which must exist. Blocks.
    ///
    /// Throws an `io` error if they cannot be used, an `unsupported` error if a newer Wayreel wrote them.
    package init(folder: String, threads: any StorageThreads) throws(MediaError) {
        file = try DurableDatabase("\(folder)/\(Self.fileName)", Migrations(sql: [Self.schema]))
        self.threads = threads
    }

    /// Opens the accounts of a service, whose folder of data it is. Blocks.
    ///
    /// Throws an `io` error likewise, and if no service has used the folder.
    package convenience init(data: String, threads: any StorageThreads) throws(MediaError) {
        let files = ["players.sqlite", Self.fileName].map { "\(data)/\($0)" }
        guard files.contains(where: FileManager.default.fileExists(atPath:)) else {
            throw MediaError(
                .io, step: .data, subject: data, reason: "is not a folder of data of wayreel serve",
                advice: "name the one of its --data")
        }
        try self.init(folder: data, threads: threads)
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageFault) -> Value {
        try await threads.attempt { [file] in try file.read(body) }
    }

    /// Runs `body` in a transaction.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageFault) -> Value {
        try await threads.attempt { [file] in try file.write(body) }
    }

    static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    static func text(_ groups: Set<String>) -> String {
        String(decoding: (try? JSONEncoder().encode(groups.sorted())) ?? Data("[]".utf8), as: UTF8.self)
    }

    static func groups(_ text: String) -> Set<String> {
        Set((try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? [])
    }

    // MARK: Revocation

    package func revoke(player: String, token: String?, expires: Int64?) async throws(StorageFault) -> Int {
        try await write { database in
            // What has expired needs no revocation any more.
            try database.execute(sql: "DELETE FROM revoked_token WHERE expires < ?", arguments: [Self.now])
            guard let token else {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO revoked_before VALUES (?, ?)",
                    arguments: [player, Date().timeIntervalSince1970])
                try database.execute(sql: "DELETE FROM passkey WHERE player = ?", arguments: [player])
                try database.execute(sql: "DELETE FROM session WHERE player = ?", arguments: [player])
                return database.changesCount
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO revoked_token VALUES (?, ?, ?)", arguments: [player, token, expires])
            try database.execute(
                sql: "DELETE FROM session WHERE player = ? AND origin = ?", arguments: [player, token])
            return database.changesCount
        }
    }

    package func isRevoked(
        _ token: String, of player: String, issued: Double?
    ) async throws(StorageFault) -> Bool {
        try await read { database in
            if let time = try Double.fetchOne(
                database, sql: "SELECT time FROM revoked_before WHERE player = ?", arguments: [player]),
                issued.map({ $0 <= time }) ?? true
            {
                return true
            }
            return try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT * FROM revoked_token WHERE player = ? AND token = ?)",
                arguments: [player, token]) ?? false
        }
    }

    // MARK: Erasure

    package func players() async throws(StorageFault) -> [String] {
        try await read {
            try String.fetchAll(
                $0, sql: "SELECT player FROM account UNION SELECT player FROM session UNION SELECT player FROM passkey")
        }
    }

    package func remove(_ player: PlayerIdentity, upTo time: Int64?) async throws(StorageFault) {
        try await write { database in
            for table in ["account", "passkey", "session"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE player = ? AND created <= ?",
                    arguments: [player.id, time ?? .max])
            }
        }
    }
}
