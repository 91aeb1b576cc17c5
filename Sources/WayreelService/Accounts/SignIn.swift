internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelStorage

/// What all ways of signing in share: who is let in gets a session. `GET /v1/sign-in` lists the ways.
struct SignIn: Sendable {
    let access: PlayerAccess
    let accounts: Accounts
    /// Of the requests of one client that need no token.
    let limits: ClientLimits
    /// Of the accounts that one client makes.
    let newAccounts: ClientLimits
    /// Of the codes that one client tries.
    let codes: ClientLimits

    init(access: PlayerAccess, accounts: Accounts) {
        (self.access, self.accounts) = (access, accounts)
        limits = ClientLimits(rate: 2, burst: 120)
        // A class behind one address makes its accounts in one lesson.
        newAccounts = ClientLimits(rate: 0.01, burst: 40)
        codes = ClientLimits(rate: 0.2, burst: 30)
    }

    struct Session: Encodable, Sendable {
        var format = "wayreel-session"
        var version = 1
        var player: String
        var name: String
        /// The bearer token of the session's requests.
        var token: String
        /// Its id in the list of sessions.
        var session: String
        var expires: String

        init(_ new: NewSession) {
            (player, name, token) = (new.session.player.id, new.name, new.secret)
            (session, expires) = (new.session.id, AccountJSON.time(new.session.expires))
        }
    }

    /// Makes a session for a player. `origin` and `latest` are those of the device that has let it in, if any.
    func newSession(
        for player: PlayerIdentity, device: String?, origin: String? = nil, latest: Int64? = nil
    ) async throws -> NewSession {
        try await accounts.run {
            try await $0.makeSession(for: player, device: Self.deviceName(device), origin: origin, latest: latest)
        }
    }

    /// Lets a player in. Throws likewise.
    func answer(
        for player: PlayerIdentity, device: String?, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try AccountJSON.answer(Session(try await newSession(for: player, device: device)), status: status)
    }

    // MARK: Names

    /// Whether a text can be the name of a person: 1 to 60 characters, and no controls.
    static func isName(_ text: String) -> Bool {
        (1...60).contains(text.count) && PlayerIdentity.isName(text) && !text.allSatisfy(\.isWhitespace)
            && !text.unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0.properties.isBidiControl
            }
    }

    /// The name in a text of another program, without controls, such as marks of the writing direction, and not longer than a
    /// name may be. Returns nil if nothing is left.
    static func name(from text: String) -> String? {
        let scalars = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control && !$0.properties.isBidiControl
        }
        let name = String(String(String.UnicodeScalarView(scalars)).prefix(60))
        return isName(name) ? name : nil
    }

    /// What a device calls itself, as it is shown to the player.
    static func deviceName(_ text: String?) -> String {
        guard let text, isName(text) else { return "?" }
        return text
    }
}
