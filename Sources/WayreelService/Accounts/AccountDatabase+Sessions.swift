internal import FoundationEssentials
internal import GRDB
internal import WayreelCore
internal import WayreelStorage

/// A device on which a player is signed in.
struct AccountSession: Hashable, Sendable {
    /// By which the player ends it; it lets nobody in.
    var id: String
    var player: PlayerIdentity
    /// What the device calls itself.
    var device: String
    /// The token that has made it, directly or by other sessions.
    var origin: String?
    var created: Int64
    /// When it was last used, to the day.
    var used: Int64
    var expires: Int64
    /// When it expires at the latest, however often it is used.
    var latest: Int64?
}

extension AccountDatabase {
    /// The seconds after its last use after which a session expires.
    static let sessionSeconds: Int64 = 180 * 86_400
    /// The maximum number of sessions of a player. A further one replaces the one that was used longest ago.
    static let maxSessions = 50

    /// Makes a session, and returns it with the secret by which requests belong to it. Only its hash is stored.
    func makeSession(
        for player: PlayerIdentity, device: String, origin: String? = nil, latest: Int64? = nil
    ) throws -> (session: AccountSession, secret: String) {
        let secret = Self.secret()
        let now = Self.now
        let expires = min(now + Self.sessionSeconds, latest ?? .max)
        let session = AccountSession(
            id: Self.secret(bytes: 12), player: player, device: device, origin: origin, created: now, used: now,
            expires: expires, latest: latest)
        try write { database in
            try database.execute(sql: "DELETE FROM session WHERE expires < ?", arguments: [now])
            try database.execute(
                sql: """
                    DELETE FROM session WHERE id IN
                        (SELECT id FROM session WHERE player = ? ORDER BY used DESC, created DESC LIMIT -1 OFFSET ?)
                    """, arguments: [player.id, Self.maxSessions - 1])
            try database.execute(
                sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    Self.hash(secret), session.id, player.id, Self.text(player.groups), device, origin, now, now,
                    expires, latest,
                ])
        }
        return (session, secret)
    }

    /// The session of a secret, unless it has ended or expired. Notes once a day that it is used.
    func session(_ secret: String) throws -> AccountSession? {
        let hash = Self.hash(secret)
        let now = Self.now
        let session = try read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM session WHERE hash = ? AND expires > ?", arguments: [hash, now]
            ).map(AccountSession.init)
        }
        guard var session else { return nil }
        if now / 86_400 > session.used / 86_400 {
            session.expires = min(now + Self.sessionSeconds, session.latest ?? .max)
            session.used = now
            // On a full disk, the player is still let in.
            try? write { [session] database in
                try database.execute(
                    sql: "UPDATE session SET used = ?, expires = ? WHERE hash = ?",
                    arguments: [now, session.expires, hash])
            }
        }
        return session
    }

    /// The sessions of a player, the last used first.
    func sessions(of player: PlayerIdentity) throws -> [AccountSession] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM session WHERE player = ? AND expires > ? ORDER BY used DESC, created DESC",
                arguments: [player.id, Self.now]
            ).map(AccountSession.init)
        }
    }

    /// Ends a session of a player. Returns whether there was one.
    func endSession(_ id: String, of player: PlayerIdentity) throws -> Bool {
        try write { database in
            try database.execute(
                sql: "DELETE FROM session WHERE id = ? AND player = ?", arguments: [id, player.id])
            return database.changesCount > 0
        }
    }
}

extension AccountSession {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], player: PlayerIdentity(id: row["player"], groups: AccountDatabase.groups(row["groups"])),
            device: row["device"], origin: row["origin"], created: row["created"], used: row["used"],
            expires: row["expires"], latest: row["latest"])
    }
}
