internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelStorage

/// Sign-in and sign-up by passkeys (WebAuthn Level 2): `POST /v1/sign-in/passkey`, `/v1/sign-up/passkey` and
/// `/v1/account/passkeys`, each after a `POST` to `…/options`, whose challenge is valid once and for five minutes.
struct PasskeyRoutes: Sendable {
    let entry: SignIn
    let site: PasskeySite
    /// Whether everybody may make an account.
    let isOpen: Bool

    private var verifier: PasskeyVerifier { PasskeyVerifier(site: site) }
    private var accounts: Accounts { entry.accounts }

    /// What a challenge was given for.
    private enum Purpose: Sendable {
        case signIn
        case signUp(PasskeyAccount)
        case add(PlayerIdentity)
    }

    /// By the challenge in base64url.
    private let challenges = OneTimeValues<Purpose>(seconds: challengeSeconds)
    private static let challengeSeconds = 300.0

    init(entry: SignIn, site: PasskeySite, isOpen: Bool) {
        (self.entry, self.site, self.isOpen) = (entry, site, isOpen)
    }

    // MARK: Sign-in

    /// `PublicKeyCredentialRequestOptions`, with the challenge in base64url.
    private struct RequestOptions: Encodable {
        var challenge: String
        var rpId: String
        var timeout = PasskeyRoutes.challengeSeconds * 1000
        var userVerification = "preferred"
    }

    func signInOptions(_ request: Request, _ context: ServiceContext) async throws -> Response {
        _ = try await AccountJSON.read(AccountJSON.Empty.self, of: request)
        return try AccountJSON.answer(
            RequestOptions(challenge: try keep(.signIn, request, context), rpId: site.id))
    }

    private struct Assertion: Decodable {
        var id: String
        var clientDataJSON: String
        var authenticatorData: String
        var signature: String
        var userHandle: String?
        var device: String?
    }

    func signIn(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try entry.limits.check(context.client)
        let sent = try await AccountJSON.read(Assertion.self, of: request)
        let (clientData, challenge, purpose) = try take(sent.clientDataJSON)
        guard case .signIn = purpose, let id = Base64URL.decode(sent.id),
            let data = Base64URL.decode(sent.authenticatorData), let signature = Base64URL.decode(sent.signature)
        else { throw Self.refused("the answer is not complete") }
        let player = try await accounts.run { store in
            guard let (passkey, account) = try await store.passkey(id) else {
                throw Self.refused("it is not known here")
            }
            if let handle = sent.userHandle, Base64URL.decode(handle) != account.handle {
                throw Self.refused("it belongs to another account")
            }
            let key = try Self.key(of: passkey)
            let counter: UInt32
            do throws(PasskeyFault) {
                counter = try verifier.authenticate(
                    clientData: clientData, authenticatorData: data, signature: signature, challenge: challenge,
                    key: key, counter: passkey.passkey.counter)
            } catch { throw Self.refused(error.reason) }
            guard let isStored = try? await store.setCounter(counter, of: passkey) else {
                throw Self.refused("the server cannot store it")
            }
            guard isStored else { throw Self.refused("it was used at the same time") }
            return account.player
        }
        return try await entry.answer(for: player, device: sent.device)
    }

    private static func key(of passkey: StoredPasskey) throws(MediaError) -> PasskeyKey {
        do throws(PasskeyFault) { return try PasskeyKey(passkey.passkey.key[...]) } catch {
            throw MediaError(.decoding, step: .data, reason: "a passkey is damaged: \(error.reason)")
        }
    }

    private static func refused(_ reason: String) -> Problem {
        Problem(.forbidden, code: "passkey", "The passkey is refused", detail: reason)
    }

    // MARK: Registration

    /// `PublicKeyCredentialCreationOptions`, with bytes in base64url.
    private struct CreationOptions: Encodable {
        struct Site: Encodable {
            var id: String
            var name = "Wayreel"
        }
        struct User: Encodable {
            var id: String
            var name: String
            var displayName: String
        }
        struct Parameter: Encodable {
            var type = "public-key"
            var alg: Int64
        }
        struct Known: Encodable {
            var type = "public-key"
            var id: String
        }
        struct Selection: Encodable {
            var residentKey = "required"
            var requireResidentKey = true
            var userVerification = "preferred"
        }

        var rp: Site
        var user: User
        var challenge: String
        var pubKeyCredParams = PasskeyKey.algorithms.map { Parameter(alg: $0) }
        var timeout = PasskeyRoutes.challengeSeconds * 1000
        var excludeCredentials: [Known]
        var authenticatorSelection = Selection()
        var attestation = "none"
    }

    private struct NewAccount: Decodable {
        var name: String
    }

    func signUpOptions(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try checkOpen()
        let name = try await AccountJSON.read(NewAccount.self, of: request).name
        guard SignIn.isName(name) else {
            throw Problem(
                .unprocessableContent, code: "name", "This cannot be a name",
                detail: "a name has 1 to 60 characters, and no control characters")
        }
        // Two accounts may have one name: nobody signs in by it.
        let account = PasskeyAccount(
            player: PlayerIdentity(id: "account-\(Secret.make(bytes: 12))"), name: name)
        let challenge = try keep(.signUp(account), request, context)
        return try options(for: account, challenge: challenge, known: [])
    }

    private func checkOpen() throws {
        guard isOpen else { throw Problem(.forbidden, code: "sign-up", "The service takes no new accounts") }
    }

    func addOptions(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let caller = try await entry.access.caller(of: request, accounts)
        _ = try await AccountJSON.read(AccountJSON.Empty.self, of: request)
        let (account, known) = try await accounts.run {
            (try await $0.account(of: caller.player, name: nil), try await $0.passkeys(of: caller.player))
        }
        let challenge = try keep(.add(caller.player), request, context)
        return try options(for: account, challenge: challenge, known: known)
    }

    private func options(
        for account: PasskeyAccount, challenge: String, known: [StoredPasskey]
    ) throws -> Response {
        try AccountJSON.answer(
            CreationOptions(
                rp: CreationOptions.Site(id: site.id),
                user: CreationOptions.User(
                    id: Base64URL.encode(account.handle), name: account.name, displayName: account.name),
                challenge: challenge,
                excludeCredentials: known.map { CreationOptions.Known(id: Base64URL.encode($0.passkey.id)) }))
    }

    private struct Attestation: Decodable {
        var clientDataJSON: String
        var attestationObject: String
        var device: String?
    }

    func signUp(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try checkOpen()
        try entry.limits.check(context.client)
        let sent = try await AccountJSON.read(Attestation.self, of: request)
        let (registration, purpose) = try registration(sent)
        guard case .signUp(let account) = purpose else { throw Self.refused("the challenge was for another purpose") }
        try entry.newAccounts.check(context.client)
        try await accounts.run { try await $0.add(account, with: NewPasskey(registration, on: sent.device)) }
        return try await entry.answer(for: account.player, device: sent.device, status: .created)
    }

    func add(_ request: Request) async throws -> Response {
        let caller = try await entry.access.caller(of: request, accounts)
        let sent = try await AccountJSON.read(Attestation.self, of: request)
        let (registration, purpose) = try registration(sent)
        guard case .add(let player) = purpose, player.isCalled(caller.player.id) else {
            throw Self.refused("the challenge was for another purpose")
        }
        try await accounts.run { try await $0.add(NewPasskey(registration, on: sent.device), of: player) }
        return Response(status: .noContent)
    }

    private func registration(_ sent: Attestation) throws -> (PasskeyVerifier.Registration, Purpose) {
        let (clientData, challenge, purpose) = try take(sent.clientDataJSON)
        guard let object = Base64URL.decode(sent.attestationObject) else {
            throw Self.refused("the answer is not complete")
        }
        do throws(PasskeyFault) {
            return (
                try verifier.register(clientData: clientData, attestationObject: object, challenge: challenge), purpose
            )
        } catch { throw Self.refused(error.reason) }
    }

    // MARK: Passkeys of a player

    private struct PasskeyList: Encodable {
        struct Passkey: Encodable {
            var id: String
            var device: String
            var created: String
        }

        var format = "wayreel-passkeys"
        var version = 1
        var passkeys: [Passkey]
    }

    func list(_ request: Request) async throws -> Response {
        try QueryFields(of: request).check(allowing: [])
        let caller = try await entry.access.caller(of: request, accounts)
        let passkeys = try await accounts.run { try await $0.passkeys(of: caller.player) }
        return try AccountJSON.answer(
            PasskeyList(
                passkeys: passkeys.map {
                    PasskeyList.Passkey(
                        id: Base64URL.encode($0.passkey.id), device: $0.passkey.device,
                        created: AccountJSON.time($0.created))
                }))
    }

    func remove(_ request: Request, _ context: some RequestContext) async throws -> Response {
        try QueryFields(of: request).check(allowing: [])
        let caller = try await entry.access.caller(of: request, accounts)
        let id = try context.decoded("passkey")
        guard let id = Base64URL.decode(id),
            try await accounts.run({ try await $0.removePasskey(id, of: caller.player) })
        else { throw Problem.notFound("the player has no such passkey") }
        return Response(status: .noContent)
    }

    // MARK: Challenges

    private func keep(_ purpose: Purpose, _ request: Request, _ context: ServiceContext) throws -> String {
        try entry.limits.check(context.client)
        return try challenges.keep(purpose, for: context.client.networks[0].prefix)
    }

    private struct Challenge: Decodable {
        var challenge: String
    }

    /// The client data of an answer, and what its challenge was given for. The challenge is used up by that.
    private func take(_ text: String) throws -> (clientData: [UInt8], challenge: [UInt8], Purpose) {
        guard let clientData = Base64URL.decode(text),
            let sent = try? JSONDecoder().decode(Challenge.self, from: Data(clientData)),
            let challenge = Base64URL.decode(sent.challenge), let purpose = challenges.take(sent.challenge)
        else { throw Self.refused("the challenge is not known, or has expired") }
        return (clientData, challenge, purpose)
    }
}

extension NewPasskey {
    fileprivate init(_ registration: PasskeyVerifier.Registration, on device: String?) {
        self.init(
            id: registration.id, key: registration.key.encoded, counter: registration.counter,
            device: SignIn.deviceName(device))
    }
}
