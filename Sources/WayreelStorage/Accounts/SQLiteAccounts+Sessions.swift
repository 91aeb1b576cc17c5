internal import FoundationEssentials
internal import GRDB

extension SQLiteAccounts {
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
                    now,
                    session.expires, latest,
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
}

extension AccountSession {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], player: PlayerIdentity(id: row["player"], groups: SQLiteAccounts.groups(row["groups"])),
            device: row["device"], origin: row["origin"], created: row["created"], used: row["used"],
            expires: row["expires"], latest: row["latest"])
    }
}
