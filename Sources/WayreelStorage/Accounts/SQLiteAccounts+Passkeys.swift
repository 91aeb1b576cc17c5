internal import FoundationEssentials
internal import GRDB

extension SQLiteAccounts {
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

    static func name(of player: PlayerIdentity, in database: Database) throws -> String {
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
