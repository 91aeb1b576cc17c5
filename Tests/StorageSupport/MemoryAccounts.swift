internal import FoundationEssentials
package import WayreelStorage

/// Accounts in memory. They promise what ``SQLiteAccounts`` promises, except that nothing outlives them.
package actor MemoryAccounts: AccountStoring {
    private struct Session {
        var session: AccountSession
        /// Of sessions that were used in the same second, the later ones count as used later.
        var number: Int
    }

    private struct Account {
        var account: PasskeyAccount
        var created: Int64
    }

    /// By the hash of their secret.
    private var sessions: [[UInt8]: Session] = [:]
    private var accounts: [String: Account] = [:]
    private var passkeys: [[UInt8]: StoredPasskey] = [:]
    private var revokedTokens: [String: [String: Int64?]] = [:]
    private var revokedBefore: [String: Double] = [:]
    private var sessionCount = 0

    package init() {}

    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    // MARK: Sessions

    package func makeSession(
        for player: PlayerIdentity, device: String, origin: String?, latest: Int64?
    ) -> NewSession {
        let secret = Secret.make()
        let session = AccountSession(for: player, device: device, origin: origin, latest: latest, now: now)
        sessions = sessions.filter { $0.value.session.expires >= now }
        for old in entries(of: player).dropFirst(AccountLimits.sessions - 1) { sessions[old.key] = nil }
        sessionCount += 1
        sessions[Secret.hash(secret)] = Session(session: session, number: sessionCount)
        return NewSession(session, secret: secret, name: name(of: player))
    }

    package func session(_ secret: String) -> AccountSession? {
        let hash = Secret.hash(secret)
        guard var entry = sessions[hash], entry.session.expires > now else { return nil }
        if entry.session.use(at: now) { sessions[hash] = entry }
        return entry.session
    }

    package func sessions(of player: PlayerIdentity) -> [AccountSession] {
        entries(of: player).map(\.value.session).filter { $0.expires > now }
    }

    package func endSession(_ id: String, of player: PlayerIdentity) -> Bool {
        guard let found = entries(of: player).first(where: { $0.value.session.id == id }) else { return false }
        sessions[found.key] = nil
        return true
    }

    /// The last used first.
    private func entries(of player: PlayerIdentity) -> [(key: [UInt8], value: Session)] {
        sessions.filter { player.isCalled($0.value.session.player.id) }.sorted {
            let (first, second) = ($0.value, $1.value)
            return (first.session.used, first.session.created, first.number)
                > (second.session.used, second.session.created, second.number)
        }
    }

    // MARK: Accounts and passkeys

    package func add(_ account: PasskeyAccount, with passkey: NewPasskey) throws(StorageFault) {
        guard accounts.count < AccountLimits.accounts else { throw .full(.accounts) }
        guard passkeys[passkey.id] == nil else { throw .conflict(.passkey) }
        accounts[account.player.id] = Account(account: account, created: now)
        passkeys[passkey.id] = StoredPasskey(passkey, player: account.player.id, created: now)
    }

    package func account(of player: PlayerIdentity, name: String?) -> PasskeyAccount {
        var known =
            accounts[player.id]
            ?? Account(account: PasskeyAccount(player: player, name: name ?? player.id), created: now)
        (known.account.player, known.account.name) = (player, name ?? known.account.name)
        accounts[player.id] = known
        return known.account
    }

    package func name(of player: PlayerIdentity) -> String { accounts[player.id]?.account.name ?? player.id }

    package func passkey(_ id: [UInt8]) -> (StoredPasskey, PasskeyAccount)? {
        guard let passkey = passkeys[id], let account = accounts[passkey.player]?.account else { return nil }
        return (passkey, account)
    }

    package func passkeys(of player: PlayerIdentity) -> [StoredPasskey] {
        passkeys.values.filter { player.isCalled($0.player) }.sorted {
            $0.created == $1.created
                ? $0.passkey.id.lexicographicallyPrecedes($1.passkey.id) : $0.created < $1.created
        }
    }

    package func add(_ passkey: NewPasskey, of player: PlayerIdentity) throws(StorageFault) {
        guard passkeys(of: player).count < AccountLimits.passkeys else {
            throw .full(.passkeys(AccountLimits.passkeys))
        }
        guard passkeys[passkey.id] == nil else { throw .conflict(.passkey) }
        passkeys[passkey.id] = StoredPasskey(passkey, player: player.id, created: now)
    }

    package func setCounter(_ counter: UInt32, of passkey: StoredPasskey) -> Bool {
        let known = passkey.passkey
        guard counter != known.counter else { return true }
        guard passkeys[known.id]?.passkey.counter == known.counter else { return false }
        passkeys[known.id]?.passkey.counter = counter
        return true
    }

    package func removePasskey(_ id: [UInt8], of player: PlayerIdentity) -> Bool {
        guard passkeys[id].map({ player.isCalled($0.player) }) ?? false else { return false }
        passkeys[id] = nil
        return true
    }

    // MARK: Revocation

    package func revoke(player: String, token: String?, expires: Int64?) -> Int {
        for (id, tokens) in revokedTokens { revokedTokens[id] = tokens.filter { $0.value.map { $0 >= now } ?? true } }
        let player = PlayerIdentity(id: player)
        let ended = entries(of: player).filter { token == nil || $0.value.session.origin == token }
        for session in ended { sessions[session.key] = nil }
        if let token {
            revokedTokens[player.id, default: [:]][token] = .some(expires)
        } else {
            revokedBefore[player.id] = Date().timeIntervalSince1970
            passkeys = passkeys.filter { !player.isCalled($0.value.player) }
        }
        return ended.count
    }

    package func isRevoked(_ token: String, of player: String, issued: Double?) -> Bool {
        if let time = revokedBefore[player], issued.map({ $0 <= time }) ?? true { return true }
        return revokedTokens[player]?[token] != nil
    }

    // MARK: Erasure

    package func players() -> [String] {
        Array(Set(accounts.keys).union(sessions.values.map(\.session.player.id)).union(passkeys.values.map(\.player)))
    }

    package func remove(_ player: PlayerIdentity, upTo time: Int64?) {
        let time = time ?? .max
        if let account = accounts[player.id], account.created <= time { accounts[player.id] = nil }
        sessions = sessions.filter { !player.isCalled($0.value.session.player.id) || $0.value.session.created > time }
        passkeys = passkeys.filter { !player.isCalled($0.value.player) || $0.value.created > time }
    }
}
