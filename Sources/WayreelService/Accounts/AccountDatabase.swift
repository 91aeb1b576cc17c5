internal import Crypto
internal import FoundationEssentials
internal import GRDB
internal import Glibc
package import WayreelCore
internal import WayreelDatabase
internal import WayreelStorage

/// The accounts of players in a SQLite file: sessions of their devices, passkeys, and tokens that were revoked.
///
/// Several processes may use the file: `wayreel token revoke` works beside the service. Times are seconds since 1970. All
/// functions block.
package final class AccountDatabase: Sendable {
    private let file: DurableDatabase

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

    /// Opens the accounts in a folder of data, which must exist.
    ///
    /// Throws an `io` error if they cannot be used, an `unsupported` error if a newer Wayreel wrote them.
    package init(folder: String) throws(MediaError) {
        file = try DurableDatabase("\(folder)/\(Self.fileName)", Migrations(sql: [Self.schema]))
    }

    /// Opens the accounts of a service, whose folder of data it is.
    ///
    /// Throws an `io` error likewise, and if no service has used the folder.
    package convenience init(data: String) throws(MediaError) {
        guard ["players.sqlite", Self.fileName].contains(where: { access("\(data)/\($0)", F_OK) == 0 }) else {
            throw MediaError(
                .io, step: "data", subject: data, reason: "is not a folder of data of wayreel serve",
                advice: "name the one of its --data")
        }
        try self.init(folder: data)
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.read(body) }
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.write(body) }

    static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// As many random bytes as nobody can guess, in base64url.
    static func secret(bytes: Int = 32) -> String {
        Base64URL.encode(SymmetricKey(size: SymmetricKeySize(bitCount: bytes * 8)).withUnsafeBytes { Array($0) })
    }

    static func hash(_ secret: String) -> Data { Data(SHA256.hash(data: Array(secret.utf8))) }

    /// Removes a player's account, passkeys and sessions. What was revoked stays revoked.
    func remove(_ player: PlayerIdentity) throws {
        try write { database in
            for table in ["account", "passkey", "session"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE player = ?", arguments: [player.id])
            }
        }
    }

    /// All players that have an account, a session or a passkey.
    func players() throws -> [PlayerIdentity] {
        try read {
            try String.fetchAll(
                $0, sql: "SELECT player FROM account UNION SELECT player FROM session UNION SELECT player FROM passkey")
        }.map { PlayerIdentity(id: $0) }
    }

    /// Removes what a player has made up to a time, in seconds since 1970: its deletion was cut off, or a backup was restored.
    func remove(_ player: PlayerIdentity, createdUpTo time: Int64) throws {
        try write { database in
            for table in ["account", "passkey", "session"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE player = ? AND created <= ?", arguments: [player.id, time])
            }
        }
    }

    // MARK: Revocation

    /// Revokes the token `token` of a player; without one, all that let the player in until now: tokens, sessions and
    /// passkeys. Sessions that the token has made end with it. Returns the number of sessions that have ended.
    package func revoke(player: String, token: String?, expires: Int64? = nil) throws -> Int {
        try write { database in
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

    /// Whether a token was revoked: itself, or with all tokens of its player that were issued before a time. One that does
    /// not say when it was issued counts as older.
    func isRevoked(_ token: PlayerToken) throws -> Bool {
        try read { database in
            let player = token.player.id
            if let time = try Double.fetchOne(
                database, sql: "SELECT time FROM revoked_before WHERE player = ?", arguments: [player]),
                token.issued.map({ $0 <= time }) ?? true
            {
                return true
            }
            return try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT * FROM revoked_token WHERE player = ? AND token = ?)",
                arguments: [player, token.id]) ?? false
        }
    }

    // MARK: Players

    /// What other people call a player: the name of the account, or the id of a player without one.
    func name(of player: PlayerIdentity) throws -> String {
        try read { try String.fetchOne($0, sql: "SELECT name FROM account WHERE player = ?", arguments: [player.id]) }
            ?? player.id
    }

    static func text(_ groups: Set<String>) -> String {
        String(decoding: (try? JSONEncoder().encode(groups.sorted())) ?? Data("[]".utf8), as: UTF8.self)
    }

    static func groups(_ text: String) -> Set<String> {
        Set((try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? [])
    }
}
