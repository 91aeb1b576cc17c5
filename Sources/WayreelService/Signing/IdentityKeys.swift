internal import Crypto
internal import FoundationEssentials
internal import JWTKit
internal import WayreelStorage

/// The keys of a provider of OpenID Connect (JWK Set, RFC 7517), which sign its ID tokens with RS256 or ES256.
package struct IdentityKeys: Sendable {
    private struct Key: Sendable {
        var id: String?
        var algorithm: String
        var collection: JWTKeyCollection
    }

    /// A key of the set. Keys of other kinds, and for other uses, are ignored.
    private struct Member: Decodable {
        var kty: String
        var kid: String?
        var use: String?
        var alg: String?
        var crv: String?
        var n: String?
        var e: String?
        var x: String?
        var y: String?
    }

    private struct MemberSet: Decodable {
        var keys: [Member]
    }

    private let keys: [Key]
    private static let maxKeys = 100

    /// Throws a ``TokenFault`` unless `document` is a set with a key of RS256 or ES256.
    package init(document: [UInt8]) async throws(TokenFault) {
        guard let set = try? JSONDecoder().decode(MemberSet.self, from: Data(document)), set.keys.count <= Self.maxKeys
        else { throw TokenFault(reason: "the provider's keys are no JWK Set") }
        var keys: [Key] = []
        for member in set.keys where member.use ?? "sig" == "sig" {
            let collection = JWTKeyCollection()
            switch (member.kty, member.alg ?? "") {
            case ("RSA", "RS256"), ("RSA", ""):
                // Keys of less than 2048 bits are refused by JWTKit.
                guard let n = member.n, let e = member.e,
                    let key = try? Insecure.RSA.PublicKey(modulus: n, exponent: e)
                else { continue }
                keys.append(
                    Key(
                        id: member.kid, algorithm: "RS256",
                        collection: await collection.add(rsa: key, digestAlgorithm: .sha256)))
            case ("EC", "ES256"), ("EC", ""):
                guard member.crv == "P-256", let x = member.x.flatMap({ Base64URL.decode($0) }),
                    let y = member.y.flatMap({ Base64URL.decode($0) }), x.count == 32, y.count == 32,
                    let point = try? P256.Signing.PublicKey(x963Representation: [4] + x + y),
                    let key = try? ES256PublicKey(backing: point)
                else { continue }
                keys.append(Key(id: member.kid, algorithm: "ES256", collection: await collection.add(ecdsa: key)))
            default: continue
            }
        }
        guard !keys.isEmpty else { throw TokenFault(reason: "the provider has no key of RS256 or ES256") }
        self.keys = keys
    }

    /// Whether a token names a key that is not in the set: the provider may have a new one.
    package func lacksKey(of token: String) -> Bool {
        guard let id = TokenHeader(of: token)?.kid else { return false }
        return !keys.contains { $0.id == id }
    }

    private struct Claims: JWTPayload {
        var iss: String
        var sub: String
        var aud: TokenAudience
        var azp: String?
        var exp: Double
        var nonce: String
        var name: String?
        var userName: String?
        var groups: [String]?

        private enum CodingKeys: String, CodingKey {
            case iss, sub, aud, azp, exp, nonce, name, groups
            case userName = "preferred_username"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            (iss, sub) = (
                try container.decode(String.self, forKey: .iss), try container.decode(String.self, forKey: .sub)
            )
            aud = try container.decode(TokenAudience.self, forKey: .aud)
            azp = try container.decodeIfPresent(String.self, forKey: .azp)
            exp = try container.decode(Double.self, forKey: .exp)
            nonce = try container.decode(String.self, forKey: .nonce)
            // What a provider says of a person in another form is no reason to refuse the person.
            name = try? container.decode(String.self, forKey: .name)
            userName = try? container.decode(String.self, forKey: .userName)
            groups = try? container.decode([String].self, forKey: .groups)
        }

        /// The claims are checked after the signature has been verified.
        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// Who an ID token identifies.
    package struct Identity: Hashable, Sendable {
        /// `sub`, unique at its issuer.
        package var subject: String
        /// What the provider calls the person.
        package var name: String?
        package var groups: [String]
    }

    /// Verifies an ID token (OpenID Connect Core 1.0, section 3.1.3.7).
    ///
    /// Throws a ``TokenFault`` unless it was signed by a key of the set, and is meant for `client` and the request that
    /// `nonce` belongs to.
    package func identity(
        of token: String, issuer: String, client: String, nonce: String
    ) async throws(TokenFault) -> Identity {
        guard let header = TokenHeader(of: token), header.crit == nil else {
            throw TokenFault(reason: "the ID token is not a signed JWT")
        }
        for key in keys where key.algorithm == header.alg && (header.kid == nil || key.id == header.kid) {
            guard let claims = try? await key.collection.verify(token, as: Claims.self) else { continue }
            guard claims.iss == issuer else { throw TokenFault(reason: "the ID token has another issuer") }
            guard claims.aud.names.contains(client), claims.azp ?? client == client,
                claims.aud.names.count == 1 || claims.azp == client
            else { throw TokenFault(reason: "the ID token is for another client") }
            guard claims.exp > Date().timeIntervalSince1970 else {
                throw TokenFault(reason: "the ID token has expired")
            }
            guard claims.nonce == nonce else { throw TokenFault(reason: "the ID token is for another request") }
            guard (1...255).contains(claims.sub.utf8.count) else {
                throw TokenFault(reason: "the ID token has no subject")
            }
            return Identity(
                subject: claims.sub, name: claims.name ?? claims.userName, groups: claims.groups ?? [])
        }
        throw TokenFault(reason: "no key of the provider has signed the ID token")
    }
}
