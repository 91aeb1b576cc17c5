internal import Crypto
internal import FoundationEssentials
internal import WayreelCore
internal import WayreelStorage

/// The operator's provider of OpenID Connect: its addresses (Discovery 1.0) and its keys, which are fetched when they are
/// needed and kept for an hour.
actor OpenIDProvider {
    /// The provider answers wrongly, or not at all. The reason is for the log.
    struct Fault: Error, CustomStringConvertible {
        var reason: String
        var description: String { "provider: \(reason)" }
    }

    struct Settings: Sendable {
        /// As `iss` has it.
        var issuer: String
        var client: String
        var secret: String?
        /// Where the provider sends the browser back to.
        var callback: String
    }

    private struct Configuration: Decodable, Sendable {
        var issuer: String
        var loginEndpoint: String
        var tokenEndpoint: String
        var keys: String
        var methods: [String]?

        enum CodingKeys: String, CodingKey {
            case issuer
            case loginEndpoint = "authorization_endpoint"
            case tokenEndpoint = "token_endpoint"
            case keys = "jwks_uri"
            case methods = "token_endpoint_auth_methods_supported"
        }
    }

    nonisolated let settings: Settings
    private var configuration: (value: Configuration, fetched: ContinuousClock.Instant)?
    private var keys: (value: IdentityKeys, fetched: ContinuousClock.Instant)?

    private static let keptSeconds = 3600.0
    /// The seconds between two fetches for the sake of an unknown key.
    private static let keysSeconds = 60.0
    private static let maxBytes = 1 << 20
    private static let seconds = 10.0

    init(_ settings: Settings) { self.settings = settings }

    /// Whether a URL can be that of an issuer or an endpoint: https, or http on this machine.
    static func isURL(_ text: String) -> Bool {
        guard let url = RemoteURL(text) else { return false }
        return text.hasPrefix("https://") || ["127.0.0.1", "localhost", "[::1]", "::1"].contains(url.host)
    }

    /// The host, which names the provider to people.
    nonisolated var name: String { RemoteURL(settings.issuer)?.host ?? settings.issuer }

    /// Where a person signs in (Core 1.0, section 3.1.2.1), with a challenge of PKCE (RFC 7636).
    func address(state: String, nonce: String, verifier: String) async throws -> String {
        let configuration = try await current()
        let challenge = Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
        let fields = Self.form([
            ("response_type", "code"), ("client_id", settings.client), ("redirect_uri", settings.callback),
            ("scope", "openid profile"), ("state", state), ("nonce", nonce), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ])
        let endpoint = configuration.loginEndpoint
        return endpoint + (endpoint.contains("?") ? "&" : "?") + fields
    }

    /// Exchanges a code for an ID token, and returns who it identifies.
    ///
    /// Throws a ``Fault``.
    func identity(code: String, nonce: String, verifier: String) async throws -> IdentityKeys.Identity {
        let configuration = try await current()
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", settings.callback),
            ("code_verifier", verifier),
        ]
        var authorization: String?
        let methods = configuration.methods ?? ["client_secret_basic"]
        if let secret = settings.secret, methods.contains("client_secret_basic") {
            // RFC 6749, section 2.3.1: both are encoded as in a form.
            let pair = "\(PercentEncoding.encode(settings.client)):\(PercentEncoding.encode(secret))"
            authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
        } else {
            fields.append(("client_id", settings.client))
            if let secret = settings.secret { fields.append(("client_secret", secret)) }
        }
        let (status, content) = try await exchange(
            configuration.tokenEndpoint, form: Self.form(fields), authorization: authorization)
        struct Answer: Decodable {
            var token: String

            enum CodingKeys: String, CodingKey { case token = "id_token" }
        }
        guard status == 200, let answer = try? JSONDecoder().decode(Answer.self, from: Data(content)) else {
            throw Fault(reason: "\(configuration.tokenEndpoint) answers \(status) without an ID token")
        }
        let keys = try await keys(for: answer.token, at: configuration.keys)
        do throws(TokenFault) {
            return try await keys.identity(
                of: answer.token, issuer: settings.issuer, client: settings.client, nonce: nonce)
        } catch { throw Fault(reason: error.reason) }
    }

    private func current() async throws -> Configuration {
        if let configuration, configuration.fetched + .seconds(Self.keptSeconds) > .now { return configuration.value }
        let base = settings.issuer.hasSuffix("/") ? settings.issuer.dropLast() : settings.issuer[...]
        let url = "\(base)/.well-known/openid-configuration"
        let (status, content) = try await exchange(url)
        guard status == 200, let found = try? JSONDecoder().decode(Configuration.self, from: Data(content)) else {
            throw Fault(reason: "\(url) answers \(status) without a configuration")
        }
        guard found.issuer == settings.issuer else {
            throw Fault(reason: "\(url) is that of another issuer, \(found.issuer)")
        }
        for endpoint in [found.loginEndpoint, found.tokenEndpoint, found.keys]
        where !Self.isURL(endpoint) {
            throw Fault(reason: "\(url) names \(endpoint), which is not https")
        }
        configuration = (found, .now)
        return found
    }

    private func keys(for token: String, at url: String) async throws -> IdentityKeys {
        if let keys, keys.fetched + .seconds(Self.keptSeconds) > .now {
            let isRecent = keys.fetched + .seconds(Self.keysSeconds) > .now
            if isRecent || !keys.value.lacksKey(of: token) { return keys.value }
        }
        let (status, content) = try await exchange(url)
        guard status == 200 else { throw Fault(reason: "\(url) answers \(status)") }
        do throws(TokenFault) {
            let found = try await IdentityKeys(document: content)
            keys = (found, .now)
            return found
        } catch { throw Fault(reason: error.reason) }
    }

    private func exchange(
        _ url: String, form: String? = nil, authorization: String? = nil
    ) async throws -> (status: Int, content: [UInt8]) {
        do {
            return try await HTTPFetcher.exchange(
                url, form: form, authorization: authorization, maxBytes: Self.maxBytes,
                until: .now + .seconds(Self.seconds))
        } catch let fault as HTTPFetcher.Fault {
            throw Fault(reason: "\(url) cannot be reached: \(fault)")
        }
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }
}
