/// Stores who is let in: sessions of players' devices, accounts and their passkeys, and what was revoked.
///
/// Each function has its whole effect or none, whatever else runs at the same time; what it has stored survives a loss of
/// power when it returns. Times are seconds since 1970.
package protocol AccountStoring: Sendable {
    // MARK: Sessions

    /// Makes a session, and returns it with the secret by which requests belong to it. The secret is not stored.
    ///
    /// `origin`: the token that lets the player in, with which the session ends. `latest`: when it expires at the latest.
    /// A player has at most ``AccountLimits/sessions``: a further one replaces the one that was used longest ago.
    func makeSession(
        for player: PlayerIdentity, device: String, origin: String?, latest: Int64?
    ) async throws(StorageFault) -> NewSession

    /// The session of a secret, unless it has ended or expired. Notes once a day that it is used.
    func session(_ secret: String) async throws(StorageFault) -> AccountSession?

    /// The sessions of a player, the last used first.
    func sessions(of player: PlayerIdentity) async throws(StorageFault) -> [AccountSession]

    /// Ends a session of a player. Returns whether there was one.
    func endSession(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> Bool

    // MARK: Accounts and passkeys

    /// Adds an account with its passkey.
    ///
    /// Throws ``StorageFault/full(_:)`` if there are too many accounts, ``StorageFault/conflict(_:)`` if the passkey is
    /// known.
    func add(_ account: PasskeyAccount, with passkey: NewPasskey) async throws(StorageFault)

    /// The account of a player, which is made if there is none. Its groups become those of `player`, and its name `name`.
    func account(of player: PlayerIdentity, name: String?) async throws(StorageFault) -> PasskeyAccount

    /// What other people call a player: the name of the account, or the id of a player without one.
    func name(of player: PlayerIdentity) async throws(StorageFault) -> String

    /// A passkey and its account, by its id.
    func passkey(_ id: [UInt8]) async throws(StorageFault) -> (StoredPasskey, PasskeyAccount)?

    /// The passkeys of a player, the oldest first.
    func passkeys(of player: PlayerIdentity) async throws(StorageFault) -> [StoredPasskey]

    /// Adds a passkey. Throws ``StorageFault/conflict(_:)`` if it is known, ``StorageFault/full(_:)`` if the player has
    /// too many.
    func add(_ passkey: NewPasskey, of player: PlayerIdentity) async throws(StorageFault)

    /// Stores the counter of a passkey after its use. Returns false if another request has changed it meanwhile.
    func setCounter(_ counter: UInt32, of passkey: StoredPasskey) async throws(StorageFault) -> Bool

    /// Removes a passkey of a player. Returns whether there was one.
    func removePasskey(_ id: [UInt8], of player: PlayerIdentity) async throws(StorageFault) -> Bool

    // MARK: Revocation

    /// Revokes the token `token` of a player; without one, all that let the player in until now: tokens, sessions and
    /// passkeys. Sessions that the token has made end with it. `expires`: that of the token; its revocation is forgotten
    /// then. Returns the number of sessions that have ended.
    func revoke(player: String, token: String?, expires: Int64?) async throws(StorageFault) -> Int

    /// Whether a token was revoked: itself, or with all tokens of its player that were issued before a time. One that does
    /// not say when it was issued counts as older.
    func isRevoked(_ token: String, of player: String, issued: Double?) async throws(StorageFault) -> Bool

    // MARK: Erasure

    /// The ids of all players with an account, a passkey or a session.
    func players() async throws(StorageFault) -> [String]

    /// Removes a player's account, passkeys and sessions, or those that were made up to a time. What was revoked stays
    /// revoked.
    func remove(_ player: PlayerIdentity, upTo time: Int64?) async throws(StorageFault)
}

/// The limits of every ``AccountStoring``.
package enum AccountLimits {
    /// The seconds after its last use after which a session expires.
    package static let sessionSeconds: Int64 = 180 * 86_400
    /// The maximum number of sessions of a player.
    package static let sessions = 50
    /// The maximum number of passkeys of a player.
    package static let passkeys = 20
    /// The maximum number of accounts that players have made.
    package static let accounts = 100_000
}

/// A device on which a player is signed in.
package struct AccountSession: Hashable, Sendable {
    /// By which the player ends it; it lets nobody in.
    package var id: String
    package var player: PlayerIdentity
    /// What the device calls itself.
    package var device: String
    /// The token that has made it, directly or by other sessions.
    package var origin: String?
    package var created: Int64
    /// When it was last used, to the day.
    package var used: Int64
    package var expires: Int64
    /// When it expires at the latest, however often it is used.
    package var latest: Int64?

    /// Notes that the session is used. Returns whether that has to be stored, as it has once a day.
    package mutating func use(at now: Int64) -> Bool {
        guard now / 86_400 > used / 86_400 else { return false }
        (used, expires) = (now, Self.expiry(now, latest))
        return true
    }

    private static func expiry(_ now: Int64, _ latest: Int64?) -> Int64 {
        min(now + AccountLimits.sessionSeconds, latest ?? .max)
    }
}

extension AccountSession {
    /// A session that begins now.
    package init(for player: PlayerIdentity, device: String, origin: String?, latest: Int64?, now: Int64) {
        self.init(
            id: Secret.make(bytes: 12), player: player, device: device, origin: origin, created: now, used: now,
            expires: Self.expiry(now, latest), latest: latest)
    }
}

/// A session with what its device has to know.
package struct NewSession: Hashable, Sendable {
    package var session: AccountSession
    /// The bearer token of the session's requests.
    package var secret: String
    /// What other people call the player.
    package var name: String

    package init(_ session: AccountSession, secret: String, name: String) {
        (self.session, self.secret, self.name) = (session, secret, name)
    }
}

/// A player who signs in without a token of the operator.
package struct PasskeyAccount: Hashable, Sendable {
    package var player: PlayerIdentity
    /// By which passkeys name the account: random, because devices show it to programs (WebAuthn, section 14.6.1).
    package var handle: [UInt8]
    package var name: String

    package init(player: PlayerIdentity, handle: [UInt8] = Secret.bytes(32), name: String) {
        (self.player, self.handle, self.name) = (player, handle, name)
    }
}

/// A passkey to store.
package struct NewPasskey: Hashable, Sendable {
    package var id: [UInt8]
    /// The public key as `COSE_Key` (RFC 9052, section 7).
    package var key: [UInt8]
    package var counter: UInt32
    /// The device on which it was made.
    package var device: String

    package init(id: [UInt8], key: [UInt8], counter: UInt32, device: String) {
        (self.id, self.key, self.counter, self.device) = (id, key, counter, device)
    }
}

/// A passkey that is stored.
package struct StoredPasskey: Hashable, Sendable {
    package var passkey: NewPasskey
    package var player: String
    package var created: Int64

    package init(_ passkey: NewPasskey, player: String, created: Int64) {
        (self.passkey, self.player, self.created) = (passkey, player, created)
    }
}
