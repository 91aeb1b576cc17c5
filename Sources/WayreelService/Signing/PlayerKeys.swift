internal import Crypto
internal import FoundationEssentials
internal import JWTKit
package import WayreelCore
package import WayreelStorage

/// The keys of players' tokens: JWT (RFC 7519) signed with HS256 or ES256 (RFC 7518), whose subject is the player.
///
/// A key file contains either one `id:hexadecimal` per line, like that of ``SigningKeys``, for HS256, or one PEM with a
/// public key on the curve P-256 for ES256; with the private key, tokens can be created as well. A key belongs to one
/// algorithm: a token that names another algorithm is rejected, regardless of its signature.
package struct PlayerKeys: Sendable {
    private enum Secret: Sendable {
        case shared(SymmetricKey)
        case publicKey(ES256PublicKey)
        case privateKey(ES256PrivateKey)
    }

    private struct Key: Sendable {
        /// The `kid` of tokens; nil for a PEM, which matches every token of its algorithm.
        var id: String?
        var secret: Secret

        var algorithm: String { if case .shared = secret { "HS256" } else { "ES256" } }

        /// Returns a collection that signs and verifies with this key only.
        func collection() async -> JWTKeyCollection {
            let collection = JWTKeyCollection()
            return switch secret {
            case .shared(let key): await collection.add(hmac: HMACKey(key: key), digestAlgorithm: .sha256)
            case .publicKey(let key): await collection.add(ecdsa: key)
            case .privateKey(let key): await collection.add(ecdsa: key)
            }
        }
    }

    private let keys: [Key]
    private let path: String

    /// Throws an `io` error if the file cannot be read, a `parameter` error with its first fault.
    package init(path: String) throws(MediaError) {
        let bytes = try MediaBytes.read(path: path, limit: 1 << 20)
        let text = String(decoding: bytes.array, as: UTF8.self)
        self.path = path
        if text.contains("-----BEGIN ") {
            let secret =
                (try? ES256PublicKey(pem: text)).map { Secret.publicKey($0) }
                ?? (try? ES256PrivateKey(pem: text)).map { Secret.privateKey($0) }
            guard let secret else {
                throw Self.fault(
                    of: path, "is not a PEM key on the curve P-256",
                    "make one with `openssl ecparam -name prime256v1 -genkey -noout`, and its public key with `openssl ec -pubout`"
                )
            }
            keys = [Key(secret: secret)]
            return
        }
        keys = try SigningKeys(text, path: path).keys.map { (id, key) throws(MediaError) in
            // The min key size is specified in RFC 7518, section 3.2.
            guard key.bitCount >= 256 else {
                throw Self.fault(
                    of: path, "the key '\(id)' has \(key.bitCount / 8) bytes; HS256 needs 32",
                    "make one with `openssl rand -hex 32`")
            }
            return Key(id: id, secret: .shared(key))
        }
    }

    private static let fault = ErrorSite(.parameter, step: .playerKeys)

    // MARK: Verifying

    private struct Claims: JWTPayload {
        var sub: String
        var exp: ExpirationClaim?
        var nbf: NotBeforeClaim?
        var aud: TokenAudience?
        var groups: [String]?
        /// Seconds since 1970, with fractions, so that a token that is made right after a revocation is valid.
        var iat: Double?
        var jti: String?

        init(
            sub: String, exp: ExpirationClaim? = nil, nbf: NotBeforeClaim? = nil, aud: TokenAudience? = nil,
            groups: [String]? = nil, iat: Double? = nil, jti: String? = nil
        ) {
            (self.sub, self.exp, self.nbf, self.aud, self.groups) = (sub, exp, nbf, aud, groups)
            (self.iat, self.jti) = (iat, jti)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // A claim that is null is wrong: a missing one would allow more.
            func claim<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
                container.contains(key) ? try container.decode(Value.self, forKey: key) : nil
            }
            sub = try container.decode(String.self, forKey: .sub)
            (exp, nbf, aud, groups) = (try claim(.exp), try claim(.nbf), try claim(.aud), try claim(.groups))
            (iat, jti) = (try claim(.iat), try claim(.jti))
        }

        /// The times are checked after the signature has been verified.
        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// Verifies a token, and returns what it says. With an `audience`, the token's `aud` has to contain it.
    ///
    /// Throws a ``TokenFault`` for any other text.
    package func verify(_ token: String, audience: String? = nil) async throws(TokenFault) -> PlayerToken {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ Base64URL.decode($0) != nil }), let header = TokenHeader(of: token), header.crit == nil
        else { throw TokenFault(reason: "the token is not a signed JWT") }
        for key in keys
        where key.algorithm == header.alg && (key.id == nil || header.kid == nil || key.id == header.kid) {
            guard let claims = try? await key.collection().verify(token, as: Claims.self) else { continue }
            guard (try? claims.exp?.verifyNotExpired()) != nil || claims.exp == nil,
                (try? claims.nbf?.verifyNotBefore()) != nil || claims.nbf == nil
            else { throw TokenFault(reason: "the token has expired, or is not valid yet") }
            guard audience.map({ claims.aud?.names.contains($0) ?? false }) ?? true else {
                throw TokenFault(reason: "the token is not for this service: its aud is another one")
            }
            guard PlayerIdentity.isName(claims.sub) else {
                throw TokenFault(reason: "the token's subject cannot be a player")
            }
            return PlayerToken(
                player: PlayerIdentity(id: claims.sub, groups: Set(claims.groups ?? [])),
                id: claims.jti ?? "-\(SHA256.hash(data: Array("\(parts[0]).\(parts[1])".utf8)).hexadecimal)",
                issued: claims.iat, expires: claims.exp?.value.timeIntervalSince1970)
        }
        throw TokenFault(reason: "no key that is known here has signed the token")
    }

    // MARK: Making

    /// Creates a token that is signed by the first key and valid for `seconds` from now, at services of `audience`.
    ///
    /// Throws a `parameter` error for an invalid name of a player or group, and if the file contains only a public key.
    package func token(
        for player: String, groups: [String], audience: String? = nil, seconds: Int
    ) async throws(MediaError) -> String {
        for name in [player] + groups where !PlayerIdentity.isName(name) {
            throw MediaError(
                .parameter, step: .token, subject: name,
                reason: "is not a name of 1 to 255 bytes without control characters")
        }
        let key = keys[0]
        if case .publicKey = key.secret {
            throw Self.fault(of: path, "holds a public key, which signs nothing", "give the private key")
        }
        let claims = Claims(
            sub: player, exp: ExpirationClaim(value: Date(timeIntervalSinceNow: Double(seconds))),
            aud: audience.map { TokenAudience(names: [$0]) }, groups: groups.isEmpty ? nil : groups,
            iat: (Date().timeIntervalSince1970 * 1000).rounded() / 1000, jti: UUID().uuidString.lowercased())
        var header = JWTHeader()
        if let id = key.id { header.kid = id }
        do { return try await key.collection().sign(claims, header: header) } catch {
            throw MediaError(.encoding, step: .token, reason: "\(error)".onOneLine)
        }
    }
}

/// The header of a JWT.
struct TokenHeader: Decodable {
    var alg: String
    var kid: String?
    /// Extensions that must be understood. None is supported.
    var crit: [String]?

    /// nil for a text that is not a JWT.
    init?(of token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[0]),
            let header = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = header
    }
}

/// `aud`: a name or a list of them, which may be empty. JWTKit's own claim ends the process at an empty list.
struct TokenAudience: Codable {
    var names: [String]

    init(names: [String]) { self.names = names }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        names = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if names.count == 1 { try container.encode(names[0]) } else { try container.encode(names) }
    }
}

/// What a valid token says.
package struct PlayerToken: Hashable, Sendable {
    package var player: PlayerIdentity
    /// `jti`, by which it can be revoked; without that claim, `-` and the SHA-256 of what is signed.
    package var id: String
    /// `iat`, in seconds since 1970.
    package var issued: Double?
    /// `exp`, likewise.
    package var expires: Double?
}

/// The reason why a token is rejected.
package struct TokenFault: Error {
    package var reason: String
}
