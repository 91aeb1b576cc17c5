internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelStorage

/// The accounts, and the places of requests that wait for them.
struct Accounts: Sendable {
    let store: any AccountStoring
    /// Of its own, so that nobody waits for journals to be let in.
    let work: StorageWork

    /// Those of `store`, or of a folder of data. Throws an `io` error if they cannot be opened.
    init(_ store: (any AccountStoring)?, folder: String, _ settings: ServiceSettings) throws(MediaError) {
        work = StorageWork(settings)
        self.store = if let store { store } else { try SQLiteAccounts(folder: folder, threads: work.threads) }
    }

    /// Runs `body`. Throws an ``AdmissionFault`` if too many requests wait for accounts, and what `body` throws.
    func run<Value>(_ body: (any AccountStoring) async throws -> Value) async throws -> Value {
        try await work.admit { try await body(store) }
    }
}

/// A player's account: `GET /v1/account`, the ways to it, `GET /v1/sign-in`, and `GET /v1/account/sessions`, `DELETE /v1/account/sessions/{session}`.
struct AccountRoutes: Sendable {
    let entry: SignIn
    let passkeys: PasskeyRoutes?
    let provider: ProviderRoutes?

    private var access: PlayerAccess { entry.access }
    private var accounts: Accounts { entry.accounts }

    private struct Ways: Encodable {
        var format = "wayreel-sign-in"
        var version = 1
        var passkeys: Bool
        /// Whether everybody may make an account.
        var signUp: Bool
        /// What the provider of OpenID Connect is called.
        var provider: String?
    }

    /// The ways to sign in, beside the tokens of the operator, and codes of devices that are signed in.
    func ways(_ request: Request) throws -> Response {
        try QueryFields(of: request).check(allowing: [])
        return try AccountJSON.answer(
            Ways(
                passkeys: passkeys != nil, signUp: passkeys?.isOpen ?? false, provider: provider?.provider.name))
    }

    private struct Account: Encodable {
        var format = "wayreel-account"
        var version = 1
        var player: String
        /// What other people call the player.
        var name: String
        var groups: [String]
        /// The session of this device; none with a token of `wayreel token`.
        var session: String?
        var expires: String?
    }

    func account(_ request: Request) async throws -> Response {
        try QueryFields(of: request).check(allowing: [])
        let caller = try await access.caller(of: request, accounts)
        let player = caller.player
        let name = try await accounts.run { try await $0.name(of: player) }
        var account = Account(player: player.id, name: name, groups: player.groups.sorted())
        switch caller.proof {
        case .token(let token): account.expires = token.expires.map { AccountJSON.time(Int64(min($0, 1e11))) }
        case .session(let session):
            (account.session, account.expires) = (session.id, AccountJSON.time(session.expires))
        }
        return try AccountJSON.answer(account)
    }

    private struct SessionList: Encodable {
        struct Session: Encodable {
            var id: String
            var device: String
            var created: String
            /// To the day.
            var used: String
            var expires: String
            /// Whether the request belongs to it.
            var isThis: Bool
        }

        var format = "wayreel-sessions"
        var version = 1
        var sessions: [Session]
    }

    func sessions(_ request: Request) async throws -> Response {
        try QueryFields(of: request).check(allowing: [])
        let caller = try await access.caller(of: request, accounts)
        let sessions = try await accounts.run { try await $0.sessions(of: caller.player) }
        var own: String?
        if case .session(let session) = caller.proof { own = session.id }
        return try AccountJSON.answer(
            SessionList(
                sessions: sessions.map { session in
                    SessionList.Session(
                        id: session.id, device: session.device, created: AccountJSON.time(session.created),
                        used: AccountJSON.time(session.used / 86_400 * 86_400),
                        expires: AccountJSON.time(session.expires), isThis: session.id == own)
                }))
    }

    /// Ends a session of the player. `current` is what the request itself is let in by: also a token, which is revoked.
    func endSession(_ request: Request, _ context: some RequestContext) async throws -> Response {
        try QueryFields(of: request).check(allowing: [])
        let caller = try await access.caller(of: request, accounts)
        let id = try context.decoded("session")
        try await accounts.run { store in
            switch caller.proof {
            case .session(let session) where id == "current":
                _ = try await store.endSession(session.id, of: caller.player)
            case .token(let token) where id == "current":
                _ = try await store.revoke(player: caller.player.id, token: token.id, expires: caller.latest)
            default:
                guard try await store.endSession(id, of: caller.player) else {
                    throw Problem.notFound("the player has no such session")
                }
            }
        }
        return Response(status: .noContent)
    }
}

/// The JSON of requests about accounts, and of their answers.
enum AccountJSON {
    private static let maxBytes = 16 << 10

    /// The body of a request that says nothing.
    struct Empty: Decodable {}

    /// The body of a request. Throws a ``Problem`` if it is too large, too slow, or not such a document.
    static func read<Body: Decodable>(_ type: Body.Type, of request: Request) async throws -> Body {
        try QueryFields(of: request).check(allowing: [])
        let upload = Upload(noun: "request", maxBytes: maxBytes, seconds: 10)
        _ = try upload.declaredBytes(of: request)
        let bytes = try await upload.receiveSmall(request.body)
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
            throw Problem(
                .unprocessableContent, code: "body", "The body is not what this request takes",
                detail: "/openapi.json describes it")
        }
    }

    static func answer(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        try Response(json: value, status: status, [.cacheControl: "no-store"])
    }

    /// A time of the database, as RFC 3339 writes it.
    static func time(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
