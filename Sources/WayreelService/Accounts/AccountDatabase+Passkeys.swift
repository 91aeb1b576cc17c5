internal import FoundationEssentials
internal import GRDB
internal import WayreelCore
internal import WayreelStorage

/// A player who signs in without a token of the operator.
struct PasskeyAccount: Hashable, Sendable {
    var player: PlayerIdentity
    /// By which passkeys name the account: random, because devices show it to programs (WebAuthn, section 14.6.1).
    var handle: [UInt8]
    var name: String
}

/// A passkey that the database has.
struct StoredPasskey: Hashable, Sendable {
    var id: [UInt8]
    var player: String
    var key: PasskeyKey
    var counter: UInt32
    /// The device on which it was made.
    var device: String
    var created: Int64
}

extension AccountDatabase {
    static let maxPasskeys = 20
    /// The maximum number of accounts that players have made.
    static let maxAccounts = 100_000

    /// Adds an account with its passkey. Throws a ``Problem`` if there are too many, or if the passkey is known.
    func add(_ account: PasskeyAccount, with passkey: PasskeyVerifier.Registration, device: String) throws {
        try write { database in
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM account") ?? 0
            guard count < Self.maxAccounts else {
                throw Problem(
                    .forbidden, code: "sign-up", "The service takes no new accounts", detail: "it has too many")
            }
            try Self.insert(account, in: database)
            try Self.insert(passkey, of: account.player, device: device, in: database)
        }
    }

    private static func insert(_ account: PasskeyAccount, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO account VALUES (?, ?, ?, ?, ?)",
            arguments: [
                account.player.id, Data(account.handle), account.name, text(account.player.groups), now,
            ])
    }

    /// The account of a player, which is made if there is none. Its groups become those of `player`, and its name `name`.
    func account(of player: PlayerIdentity, name: String? = nil) throws -> PasskeyAccount {
        try write { database in
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
            let account = PasskeyAccount(
                player: player, handle: Base64URL.decode(Self.secret()) ?? [], name: name ?? player.id)
            try Self.insert(account, in: database)
            return account
        }
    }

    /// A passkey and its account, by its id.
    func passkey(_ id: [UInt8]) throws -> (StoredPasskey, PasskeyAccount)? {
        try read { database in
            guard
                let passkey = try Row.fetchOne(
                    database, sql: "SELECT * FROM passkey WHERE id = ?", arguments: [Data(id)])
            else { return nil }
            let account = try Row.fetchOne(
                database, sql: "SELECT * FROM account WHERE player = ?", arguments: [passkey["player"] as String])
            return try account.map { (try StoredPasskey(passkey), PasskeyAccount($0)) }
        }
    }

    func passkeys(of player: PlayerIdentity) throws -> [StoredPasskey] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM passkey WHERE player = ? ORDER BY created, id", arguments: [player.id]
            ).map(StoredPasskey.init)
        }
    }

    /// Adds a passkey. Throws a ``Problem`` if it is known, or if the player has too many.
    func add(_ passkey: PasskeyVerifier.Registration, of player: PlayerIdentity, device: String) throws {
        try write { database in
            let count =
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM passkey WHERE player = ?", arguments: [player.id]) ?? 0
            guard count < Self.maxPasskeys else {
                throw Problem(
                    .forbidden, code: "quota", "The player has too many passkeys",
                    detail: "at most \(Self.maxPasskeys)")
            }
            try Self.insert(passkey, of: player, device: device, in: database)
        }
    }

    private static func insert(
        _ passkey: PasskeyVerifier.Registration, of player: PlayerIdentity, device: String, in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO passkey VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                Data(passkey.id), player.id, Data(passkey.key.encoded), Int64(passkey.counter), device, now,
            ])
        guard database.changesCount == 1 else {
            throw Problem(.forbidden, code: "passkey", "The passkey is refused", detail: "it is known already")
        }
    }

    /// Stores the counter of a passkey after its use. Returns false if another request has changed it meanwhile.
    func setCounter(_ counter: UInt32, of passkey: StoredPasskey) throws -> Bool {
        guard counter != passkey.counter else { return true }
        return try write { database in
            try database.execute(
                sql: "UPDATE passkey SET counter = ? WHERE id = ? AND counter = ?",
                arguments: [Int64(counter), Data(passkey.id), Int64(passkey.counter)])
            return database.changesCount == 1
        }
    }

    func removePasskey(_ id: [UInt8], of player: PlayerIdentity) throws -> Bool {
        try write { database in
            try database.execute(
                sql: "DELETE FROM passkey WHERE id = ? AND player = ?", arguments: [Data(id), player.id])
            return database.changesCount > 0
        }
    }
}

extension PasskeyAccount {
    fileprivate init(_ row: Row) {
        self.init(
            player: PlayerIdentity(id: row["player"], groups: AccountDatabase.groups(row["groups"])),
            handle: Array(row["handle"] as Data), name: row["name"])
    }
}

extension StoredPasskey {
    fileprivate init(_ row: Row) throws {
        let key: PasskeyKey
        do throws(PasskeyFault) { key = try PasskeyKey(Array(row["key"] as Data)[...]) } catch {
            throw MediaError(.decoding, step: "data", reason: "a passkey is damaged: \(error.reason)")
        }
        self.init(
            id: Array(row["id"] as Data), player: row["player"], key: key,
            counter: UInt32(clamping: row["counter"] as Int64), device: row["device"], created: row["created"])
    }
}
