internal import HTTPTypes
internal import Hummingbird
internal import WayreelStorage

/// Who sends a request, and by what.
struct Caller: Sendable {
    enum Proof: Sendable {
        case token(PlayerToken)
        case session(AccountSession)
    }

    var player: PlayerIdentity
    var proof: Proof

    /// The token that is at the beginning of it, with which all that follows from it is revoked.
    var origin: String? {
        switch proof {
        case .token(let token): token.id
        case .session(let session): session.origin
        }
    }

    /// The time until which the operator lets the player in, in seconds since 1970; nil for any.
    var latest: Int64? {
        switch proof {
        case .token(let token): token.expires.map { Int64(min($0, 1e15)) }
        case .session(let session): session.latest
        }
    }
}

/// Checks which player sends a request, and denies access to the data of others.
struct PlayerAccess: Sendable {
    /// The keys of tokens; nil if players sign in only by themselves.
    let keys: Reloadable<PlayerKeys>?
    /// What the `aud` of tokens has to contain; nil for anything.
    let audience: String?
    /// nil: on the loopback, everybody is the player that the request names.
    let accounts: Accounts?

    /// The fields of a query that name a player where there are no tokens.
    var fieldNames: Set<String> { accounts == nil ? ["player", "group"] : [] }

    /// Returns the player who sends a request. `name`: the one that its path names, if it names one.
    ///
    /// Throws a ``Problem``: 401 without a valid token, 403 if the path names another player.
    func player(of request: Request, _ query: QueryFields, named name: String? = nil) async throws -> PlayerIdentity {
        guard let accounts else {
            let groups = query.filter { $0.name == "group" }.map(\.value)
            guard let id = name ?? query.value("player"), ([id] + groups).allSatisfy(PlayerIdentity.isName) else {
                throw Problem.badRequest("name the player, and groups, in 1 to 255 bytes without control characters")
            }
            let player = PlayerIdentity(id: id, groups: Set(groups))
            RequestRecord.note(player)
            return player
        }
        let player = try await caller(of: request, accounts).player
        RequestRecord.note(player)
        guard name.map(player.isCalled) ?? true else {
            throw Problem(.forbidden, code: "player", "This belongs to another player")
        }
        return player
    }

    /// Returns who sends a request, by a player's token or that of a session.
    ///
    /// Throws a ``Problem``: 401 for any other.
    func caller(of request: Request, _ accounts: Accounts) async throws -> Caller {
        let scheme = "bearer "
        guard let header = request.headers[.authorization], header.lowercased().hasPrefix(scheme) else {
            throw Problem.unauthorized("send a token as 'Authorization: Bearer …'")
        }
        return try await caller(token: String(header.dropFirst(scheme.count)), accounts)
    }

    /// Returns whose token it is: a player's or that of a session.
    ///
    /// Throws a ``Problem``: 401 for any other.
    func caller(token text: String, _ accounts: Accounts) async throws -> Caller {
        // A session's token is one part, a JWT three.
        guard text.contains(".") else {
            let session = try await accounts.run { try await $0.session(text) }
            guard let session else {
                throw Problem.unauthorized("the session has ended: sign in again", error: "invalid_token")
            }
            return Caller(player: session.player, proof: .session(session))
        }
        guard let keys else {
            throw Problem.unauthorized("the service takes no such tokens: sign in", error: "invalid_token")
        }
        let token: PlayerToken
        do { token = try await keys.value.verify(text, audience: audience) } catch {
            throw Problem.unauthorized(error.reason, error: "invalid_token")
        }
        let isRevoked = try await accounts.run {
            try await $0.isRevoked(token.id, of: token.player.id, issued: token.issued)
        }
        guard !isRevoked else {
            throw Problem.unauthorized("the token was revoked", error: "invalid_token")
        }
        return Caller(player: token.player, proof: .token(token))
    }

    /// Whether a token that has let a player in still does: it may have expired, or be revoked. A fault of the storage ends
    /// nothing.
    func stillLetsIn(_ token: String, as player: PlayerIdentity, _ accounts: Accounts) async -> Bool {
        do { return try await caller(token: token, accounts).player.id == player.id } catch {
            return (error as? Problem)?.status != .unauthorized
        }
    }
}
