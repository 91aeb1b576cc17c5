internal import Crypto
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelStorage

/// Sign-in at the operator's provider of OpenID Connect, by the authorization code flow with PKCE.
///
/// The page gets the provider's address (`POST /v1/sign-in/provider`), the browser comes back
/// (`GET /v1/sign-in/provider/callback`), and the page exchanges the code in its address for a session
/// (`POST /v1/sign-in/provider/session`) with the secret that never left it: the link of another person signs nobody in.
struct ProviderRoutes: Sendable {
    let entry: SignIn
    let provider: OpenIDProvider
    /// The page, `https://stories.example.org/`.
    let page: String
    let log: ServiceLog?

    private struct Visit: Sendable {
        var nonce: String
        var verifier: String
        /// The SHA-256 of the page's secret, in base64url.
        var challenge: String
        var device: String?
    }

    private struct Arrival: Sendable {
        var player: PlayerIdentity
        var challenge: String
        var device: String?
    }

    /// By the `state` of the request to the provider.
    private let visits = OneTimeValues<Visit>(seconds: 600)
    /// By the code in the address of the page.
    private let arrivals = OneTimeValues<Arrival>(seconds: 60)

    /// nil without a provider in the settings. Throws an error of the file with the client's secret.
    init?(entry: SignIn, _ settings: ServiceSettings, _ log: ServiceLog?) throws(MediaError) {
        guard let issuer = settings.oidcIssuer, let client = settings.oidcClientID,
            let site = settings.publicURL.flatMap(PasskeySite.init)
        else { return nil }
        let secret = try settings.oidcClientSecretFile.map { (path) throws(MediaError) in
            let bytes = try MediaBytes.read(path: path, limit: 4096)
            let text = String(decoding: bytes.array, as: UTF8.self)
            guard let line = text.split(whereSeparator: \.isNewline).first else {
                throw MediaError(.parameter, step: .settings, subject: path, reason: "holds no secret")
            }
            return String(line)
        }
        self.entry = entry
        page = "\(site.origin)/"
        self.log = log
        provider = OpenIDProvider(
            OpenIDProvider.Settings(
                issuer: issuer, client: client, secret: secret,
                callback: "\(site.origin)/v1/sign-in/provider/callback"))
    }

    private struct Start: Decodable {
        var challenge: String
        var device: String?
    }

    private struct Address: Encodable {
        var address: String
    }

    func start(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try entry.limits.check(context.client)
        let sent = try await AccountJSON.read(Start.self, of: request)
        guard Base64URL.decode(sent.challenge)?.count == 32 else {
            throw Problem(
                .unprocessableContent, code: "challenge", "The challenge is not a SHA-256 in base64url")
        }
        let visit = Visit(
            nonce: Secret.make(), verifier: Secret.make(), challenge: sent.challenge,
            device: SignIn.deviceName(sent.device))
        let state = try visits.keep(visit, for: context.client.networks[0].prefix)
        do {
            return try AccountJSON.answer(
                Address(
                    address: try await provider.address(state: state, nonce: visit.nonce, verifier: visit.verifier)))
        } catch let fault as OpenIDProvider.Fault {
            log?.note("\(fault)", id: context.id)
            throw Problem(
                .badGateway, code: "provider", "The provider of accounts cannot be reached",
                detail: "the log of the service says why")
        }
    }

    /// The browser comes back. Whatever has happened, it goes on to the page, which says it.
    func callback(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try entry.limits.check(context.client)
        let query = try QueryFields(of: request)
        guard let state = query.value("state"), let visit = visits.take(state) else {
            return toPage("error", "expired")
        }
        // RFC 9207: the answer of another provider.
        guard query.value("iss").map({ $0 == provider.settings.issuer }) ?? true else {
            return toPage("error", "provider")
        }
        guard let code = query.value("code"), query.value("error") == nil else { return toPage("error", "denied") }
        do {
            let identity = try await provider.identity(code: code, nonce: visit.nonce, verifier: visit.verifier)
            let player = player(of: identity)
            let name = identity.name.flatMap(SignIn.name(from:)) ?? provider.name
            _ = try await entry.accounts.run { try await $0.account(of: player, name: name) }
            let arrival = Arrival(player: player, challenge: visit.challenge, device: visit.device)
            let secret = try arrivals.keep(arrival, for: context.client.networks[0].prefix)
            return toPage("sign-in", secret)
        } catch let fault as OpenIDProvider.Fault {
            log?.note("\(fault)", id: context.id)
            return toPage("error", "provider")
        } catch is AdmissionFault { return toPage("error", "provider") }
    }

    /// The id is the same at each sign-in, and does not tell who it is.
    private func player(of identity: IdentityKeys.Identity) -> PlayerIdentity {
        let name = "\(provider.settings.issuer)\n\(identity.subject)"
        let groups = identity.groups.filter(PlayerIdentity.isName).prefix(Self.maxGroups)
        return PlayerIdentity(
            id: "openid-\(SHA256.hash(data: Array(name.utf8)).hexadecimal.prefix(32))", groups: Set(groups))
    }

    private static let maxGroups = 100

    private func toPage(_ name: String, _ value: String) -> Response {
        let fragment = name == "error" ? "sign-in-error" : name
        return Response(
            status: .seeOther,
            headers: [
                .location: "\(page)#\(fragment)=\(value)", .cacheControl: "no-store",
                HTTPField.Name("Referrer-Policy")!: "no-referrer",
            ])
    }

    private struct Exchange: Decodable {
        var code: String
        var secret: String
    }

    func session(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try entry.limits.check(context.client)
        let sent = try await AccountJSON.read(Exchange.self, of: request)
        guard let arrival = arrivals.take(sent.code),
            Base64URL.encode(SHA256.hash(data: Array(sent.secret.utf8))) == arrival.challenge
        else {
            throw Problem(
                .forbidden, code: "provider", "The sign-in was not begun here",
                detail: "or it has expired, or was used")
        }
        return try await entry.answer(for: arrival.player, device: arrival.device)
    }
}
