internal import Crypto
internal import FoundationEssentials
internal import WayreelStorage

/// The site to which passkeys belong (WebAuthn Level 2, section 4: Relying Party).
package struct PasskeySite: Hashable, Sendable {
    /// The domain: the host of the page's address.
    package var id: String
    /// `https://stories.example.org`, with a port if it is not the scheme's.
    package var origin: String

    /// The site at a URL without a path. nil for one at which browsers offer no passkeys: not https, but for localhost, or
    /// an IP address.
    package init?(_ url: String) {
        let text = url.lowercased()
        let origin = text.hasSuffix("/") ? String(text.dropLast()) : text
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, ["https:", "http:"].contains(parts[0]) else { return nil }
        let place = parts[2].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = String(place[0])
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        guard parts[0] == "https:" || isLocal, HostAddress(host) == nil, isLocal || host.contains("."),
            host.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains($0) }),
            host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
        else { return nil }
        id = host
        self.origin = origin
        guard place.count == 2 else { return }
        guard let port = Int(place[1]), (1...65_535).contains(port), "\(port)" == place[1] else { return nil }
        if port == (parts[0] == "https:" ? 443 : 80) { self.origin = "\(parts[0])//\(host)" }
    }
}

/// The reason why a passkey is refused.
package struct PasskeyFault: Error {
    package var reason: String
}

/// A public key of a passkey, whose private key is on the player's devices.
package struct PasskeyKey: Hashable, Sendable {
    /// As `COSE_Key` (RFC 9052, section 7), which is stored.
    package var encoded: [UInt8]

    /// Returns whether a signature is valid. Throws a ``PasskeyFault`` for a key that is not supported.
    func verifies(_ signature: [UInt8], of signed: [UInt8]) throws(PasskeyFault) -> Bool {
        switch try Self.read(encoded[...]) {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: signed)
        case .ed25519(let key): return key.isValidSignature(signature, for: signed)
        }
    }

    private enum Key {
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    /// The algorithms of COSE that are supported: ES256 and EdDSA.
    static let algorithms: [Int64] = [-7, -8]

    /// Throws a ``PasskeyFault`` unless `bytes` are a key of a supported algorithm, with nothing behind it.
    package init(_ bytes: ArraySlice<UInt8>) throws(PasskeyFault) {
        _ = try Self.read(bytes)
        encoded = Array(bytes)
    }

    /// RFC 9053, sections 7.1 and 7.2: kty 1, alg 3, crv -1, x -2, y -3.
    private static func read(_ bytes: ArraySlice<UInt8>) throws(PasskeyFault) -> Key {
        let fault = PasskeyFault(reason: "the key is not one of ES256 or EdDSA")
        guard case .map(let map)? = try? CBORReader.readAll(bytes), case .bytes(let x)? = map[.integer(-2)] else {
            throw fault
        }
        let head = [1, 3, -1].map { map[.integer($0)] }
        if head == [.integer(2), .integer(-7), .integer(1)], map.count == 5, case .bytes(let y)? = map[.integer(-3)],
            x.count == 32, y.count == 32, let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
        {
            return .p256(key)
        }
        if head == [.integer(1), .integer(-8), .integer(6)], map.count == 4, x.count == 32,
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
        {
            return .ed25519(key)
        }
        throw fault
    }
}

/// Verifies what an authenticator has made for a ``PasskeySite``: WebAuthn Level 2, sections 7.1 and 7.2. The statement of
/// an attestation is not verified: who makes an account chooses the authenticator.
package struct PasskeyVerifier: Sendable {
    package let site: PasskeySite

    package init(site: PasskeySite) { self.site = site }

    package struct Registration: Hashable, Sendable {
        package var id: [UInt8]
        package var key: PasskeyKey
        package var counter: UInt32
    }

    /// Verifies a new passkey. Throws a ``PasskeyFault``.
    package func register(
        clientData: [UInt8], attestationObject: [UInt8], challenge: [UInt8]
    ) throws(PasskeyFault) -> Registration {
        try check(clientData, type: "webauthn.create", challenge: challenge)
        let object: CBORValue
        do throws(CBORReader.Fault) { object = try CBORReader.readAll(attestationObject[...]) } catch {
            throw PasskeyFault(reason: "the attestation is not CBOR: \(error.reason)")
        }
        guard case .map(let map) = object, case .text? = map[.text("fmt")], case .map? = map[.text("attStmt")],
            case .bytes(let bytes)? = map[.text("authData")]
        else { throw PasskeyFault(reason: "the attestation is not complete") }
        let data = try AuthenticatorData(bytes, of: site)
        guard let registration = data.registration else { throw PasskeyFault(reason: "there is no key") }
        return registration
    }

    /// Verifies that a request comes from who has the passkey, and returns the new counter. `counter` is the one of its last
    /// use: one that does not grow belongs to a copy. Throws a ``PasskeyFault``.
    package func authenticate(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], challenge: [UInt8], key: PasskeyKey,
        counter: UInt32
    ) throws(PasskeyFault) -> UInt32 {
        try check(clientData, type: "webauthn.get", challenge: challenge)
        let data = try AuthenticatorData(authenticatorData, of: site)
        guard data.registration == nil else { throw PasskeyFault(reason: "there is a key where none belongs") }
        guard try key.verifies(signature, of: authenticatorData + SHA256.hash(data: clientData)) else {
            throw PasskeyFault(reason: "the signature is wrong")
        }
        guard data.counter > counter || (data.counter == 0 && counter == 0) else {
            throw PasskeyFault(reason: "the counter has not grown: the passkey may have been copied")
        }
        return data.counter
    }

    /// The members that matter; others may be added in the future (section 5.8.1).
    private struct ClientData: Decodable {
        var type: String
        var challenge: String
        var origin: String
        var crossOrigin: Bool?
    }

    private func check(_ bytes: [UInt8], type: String, challenge: [UInt8]) throws(PasskeyFault) {
        guard let data = try? JSONDecoder().decode(ClientData.self, from: Data(bytes)) else {
            throw PasskeyFault(reason: "the client data are not JSON")
        }
        guard data.type == type else { throw PasskeyFault(reason: "it is for another purpose") }
        guard data.challenge == Base64URL.encode(challenge) else {
            throw PasskeyFault(reason: "it answers another challenge")
        }
        guard data.origin == site.origin else { throw PasskeyFault(reason: "it is for the page of another site") }
        guard data.crossOrigin != true else { throw PasskeyFault(reason: "the page is inside another site's") }
    }
}

/// WebAuthn Level 2, section 6.1.
private struct AuthenticatorData {
    var counter: UInt32
    var registration: PasskeyVerifier.Registration?

    private struct Flags: OptionSet {
        var rawValue: UInt8
        static let isPresent = Flags(rawValue: 1)
        static let canBeBackedUp = Flags(rawValue: 8)
        static let isBackedUp = Flags(rawValue: 16)
        static let hasCredential = Flags(rawValue: 64)
        static let hasExtensions = Flags(rawValue: 128)
    }

    private static let headBytes = 37
    private static let maxIDBytes = 1023

    init(_ bytes: [UInt8], of site: PasskeySite) throws(PasskeyFault) {
        let cut = PasskeyFault(reason: "the authenticator's data are cut off")
        guard bytes.count >= Self.headBytes else { throw cut }
        guard Array(SHA256.hash(data: Array(site.id.utf8))) == Array(bytes[..<32]) else {
            throw PasskeyFault(reason: "it is for another site")
        }
        let flags = Flags(rawValue: bytes[32])
        guard flags.contains(.isPresent) else { throw PasskeyFault(reason: "nobody was present") }
        guard flags.contains(.canBeBackedUp) || !flags.contains(.isBackedUp) else {
            throw PasskeyFault(reason: "it is backed up and cannot be backed up")
        }
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[Self.headBytes...]
        if flags.contains(.hasCredential) {
            // The model of the authenticator, 16 bytes, is not used.
            guard rest.count >= 18 else { throw cut }
            rest = rest.dropFirst(16)
            let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            guard (1...Self.maxIDBytes).contains(length), rest.count >= length else { throw cut }
            let id = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            let behind = try Self.behindValue(rest)
            let key = try PasskeyKey(rest[..<behind.startIndex])
            rest = behind
            registration = PasskeyVerifier.Registration(id: id, key: key, counter: counter)
        }
        if flags.contains(.hasExtensions) { rest = try Self.behindValue(rest) }
        guard rest.isEmpty else { throw PasskeyFault(reason: "bytes follow the authenticator's data") }
    }

    private static func behindValue(_ bytes: ArraySlice<UInt8>) throws(PasskeyFault) -> ArraySlice<UInt8> {
        do throws(CBORReader.Fault) { return try CBORReader.read(bytes).rest } catch {
            throw PasskeyFault(reason: "the authenticator's data are damaged: \(error.reason)")
        }
    }
}
