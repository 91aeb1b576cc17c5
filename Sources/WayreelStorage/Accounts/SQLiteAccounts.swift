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

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageFault) -> Value {
        try await threads.attempt { [file] in try file.read(body) }
    }

    /// Runs `body` in a transaction.
    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageFault) -> Value {
        try await threads.attempt { [file] in try file.write(body) }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    private static func text(_ groups: Set<String>) -> String {
        String(decoding: (try? JSONEncoder().encode(groups.sorted())) ?? Data("[]".utf8), as: UTF8.self)
    }

    fileprivate static func groups(_ text: String) -> Set<String> {
        Set((try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? [])
    }

    // MARK: Sessions

    package func makeSession(
        for player: PlayerIdentity, device: String, origin: String?, latest: Int64?
    ) async throws(StorageFault) -> NewSession {
        let secret = Secret.make()
        let now = Self.now
        let session = AccountSession(for: player, device: device, origin: origin, latest: latest, now: now)
        return try await write { database in
            try database.execute(sql: "DELETE FROM session WHERE expires < ?", arguments: [now])
            try database.execute(
                sql: """
                    DELETE FROM session WHERE id IN
                        (SELECT id FROM session WHERE player = ? ORDER BY used DESC, created DESC LIMIT -1 OFFSET ?)
                    """, arguments: [player.id, AccountLimits.sessions - 1])
            try database.execute(
                sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    Data(Secret.hash(secret)), session.id, player.id, Self.text(player.groups), device, origin, now,
                    now, session.expires, latest,
                ])
            return NewSession(session, secret: secret, name: try Self.name(of: player, in: database))
        }
    }

    package func session(_ secret: String) async throws(StorageFault) -> AccountSession? {
        let hash = Data(Secret.hash(secret))
        let now = Self.now
        let found = try await read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM session WHERE hash = ? AND expires > ?", arguments: [hash, now]
            ).map(AccountSession.init)
        }
        guard var session = found, session.use(at: now) else { return found }
        // On a full disk, the player is still let in.
        try? await write { [session] database in
            try database.execute(
                sql: "UPDATE session SET used = ?, expires = ? WHERE hash = ?",
                arguments: [now, session.expires, hash])
        }
        return session
    }

    package func sessions(of player: PlayerIdentity) async throws(StorageFault) -> [AccountSession] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM session WHERE player = ? AND expires > ? ORDER BY used DESC, created DESC",
                arguments: [player.id, Self.now]
            ).map(AccountSession.init)
        }
    }

    package func endSession(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM session WHERE id = ? AND player = ?", arguments: [id, player.id])
            return database.changesCount > 0
        }
    }

    // MARK: Accounts and passkeys

    package func add(_ account: PasskeyAccount, with passkey: NewPasskey) async throws(StorageFault) {
        try await write { database in
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM account") ?? 0
            guard count < AccountLimits.accounts else { throw StorageFault.full(.accounts) }
            try Self.insert(account, in: database)
            try Self.insert(passkey, of: account.player, in: database)
        }
    }

    private static func insert(_ account: PasskeyAccount, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO account VALUES (?, ?, ?, ?, ?)",
            arguments: [
                account.player.id, Data(account.handle), account.name, text(account.player.groups), now,
            ])
    }

    package func account(
        of player: PlayerIdentity, name: String?
    ) async throws(StorageFault) -> PasskeyAccount {
        try await write { database in
            if let known = try Row.fetchOne(
                database, sql: "SELECT * FROM account WHERE player = ?", arguments: [player.id])
            {
                var account = PasskeyAccount(known)
                guard account.player.groups != player.groups || account.name != name ?? account.name else {
                    return account
                }
                (account.player, account.name) = (player, name ?? account.name)
                try database.execute(
                    sql: "UPDATE account SET groups = ?, name = ? WHERE player = ?",
                    arguments: [Self.text(player.groups), account.name, player.id])
                return account
            }
            let account = PasskeyAccount(player: player, name: name ?? player.id)
            try Self.insert(account, in: database)
            return account
        }
    }

    package func name(of player: PlayerIdentity) async throws(StorageFault) -> String {
        try await read { try Self.name(of: player, in: $0) }
    }

    private static func name(of player: PlayerIdentity, in database: Database) throws -> String {
        try String.fetchOne(database, sql: "SELECT name FROM account WHERE player = ?", arguments: [player.id])
            ?? player.id
    }

    package func passkey(_ id: [UInt8]) async throws(StorageFault) -> (StoredPasskey, PasskeyAccount)? {
        try await read { database in
            guard
                let passkey = try Row.fetchOne(
                    database, sql: "SELECT * FROM passkey WHERE id = ?", arguments: [Data(id)])
            else { return nil }
            let account = try Row.fetchOne(
                database, sql: "SELECT * FROM account WHERE player = ?", arguments: [passkey["player"] as String])
            return account.map { (StoredPasskey(passkey), PasskeyAccount($0)) }
        }
    }

    package func passkeys(of player: PlayerIdentity) async throws(StorageFault) -> [StoredPasskey] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM passkey WHERE player = ? ORDER BY created, id", arguments: [player.id]
            ).map(StoredPasskey.init)
        }
    }

    package func add(_ passkey: NewPasskey, of player: PlayerIdentity) async throws(StorageFault) {
        try await write { database in
            let count =
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM passkey WHERE player = ?", arguments: [player.id]) ?? 0
            guard count < AccountLimits.passkeys else { throw StorageFault.full(.passkeys(AccountLimits.passkeys)) }
            try Self.insert(passkey, of: player, in: database)
        }
    }

    private static func insert(_ passkey: NewPasskey, of player: PlayerIdentity, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO passkey VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                Data(passkey.id), player.id, Data(passkey.key), Int64(passkey.counter), passkey.device, now,
            ])
        guard database.changesCount == 1 else { throw StorageFault.conflict(.passkey) }
    }

    package func setCounter(_ counter: UInt32, of passkey: StoredPasskey) async throws(StorageFault) -> Bool {
        let known = passkey.passkey
        guard counter != known.counter else { return true }
        return try await write { database in
            try database.execute(
                sql: "UPDATE passkey SET counter = ? WHERE id = ? AND counter = ?",
                arguments: [Int64(counter), Data(known.id), Int64(known.counter)])
            return database.changesCount == 1
        }
    }

    package func removePasskey(_ id: [UInt8], of player: PlayerIdentity) async throws(StorageFault) -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM passkey WHERE id = ? AND player = ?", arguments: [Data(id), player.id])
            return database.changesCount > 0
        }
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

extension AccountSession {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], player: PlayerIdentity(id: row["player"], groups: SQLiteAccounts.groups(row["groups"])),
            device: row["device"], origin: row["origin"], created: row["created"], used: row["used"],
            expires: row["expires"], latest: row["latest"])
    }
}

extension PasskeyAccount {
    fileprivate init(_ row: Row) {
        self.init(
            player: PlayerIdentity(id: row["player"], groups: SQLiteAccounts.groups(row["groups"])),
            handle: Array(row["handle"] as Data), name: row["name"])
    }
}

extension StoredPasskey {
    fileprivate init(_ row: Row) {
        let passkey = NewPasskey(
            id: Array(row["id"] as Data), key: Array(row["key"] as Data),
            counter: UInt32(clamping: row["counter"] as Int64), device: row["device"])
        self.init(passkey, player: row["player"], created: row["created"])
    }
}
