internal import Crypto
package import WayreelCore
internal import WayreelStorage

/// The keys that sign URLs: one `id:hexadecimal-key` per line of a file. The first key signs, all verify. To replace a
/// key, insert a new one before it, and remove the old one when its URLs have expired.
package struct SigningKeys: Sendable {
    let keys: [(id: String, key: SymmetricKey)]

    /// Throws an `io` error if the file cannot be read, a `parameter` error with the line of the first fault.
    package init(path: String) throws(MediaError) {
        let bytes = try MediaBytes.read(path: path, limit: 1 << 20)
        try self.init(String(decoding: bytes.array, as: UTF8.self), path: path)
    }

    package init(_ text: String, path: String) throws(MediaError) {
        var keys: [(id: String, key: SymmetricKey)] = []
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let line = line.filter { !$0.isWhitespace }
            if line.isEmpty || line.hasPrefix("#") { continue }
            let fault = ErrorSite(
                .parameter, step: .keys, subject: "\(path):\(index + 1)",
                advice: "write id:key, the key in at least 32 hexadecimal digits, as of `openssl rand -hex 32`")
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, Self.isID(parts[0]) else { throw fault("has no id of letters, digits, - and _") }
            guard let bytes = [UInt8](hexadecimal: parts[1]), bytes.count >= 16 else {
                throw fault("has no key of at least 16 bytes")
            }
            guard !keys.contains(where: { $0.id == parts[0] }) else { throw fault("repeats the id '\(parts[0])'") }
            keys.append((String(parts[0]), SymmetricKey(data: bytes)))
        }
        guard !keys.isEmpty else {
            throw MediaError(.parameter, step: .keys, subject: path, reason: "holds no key")
        }
        self.keys = keys
    }

    private static func isID(_ text: Substring) -> Bool {
        text.utf8.count <= 64 && text.utf8.allSatisfy(idBytes.contains)
    }

    private static let idBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Returns `id.signature`: the HMAC-SHA256 of `text` in base64url without padding (RFC 4648, section 5).
    package func signature(of text: String) -> String {
        let (id, key) = keys[0]
        let code = HMAC<SHA256>.authenticationCode(for: [UInt8](text.utf8), using: key)
        return "\(id).\(Base64URL.encode(code))"
    }

    /// Returns whether the signature is valid, comparing in constant time.
    package func accepts(_ signature: String, of text: String) -> Bool {
        let parts = signature.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let key = keys.first(where: { $0.id == parts[0] })?.key,
            let code = Base64URL.decode(parts[1])
        else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: [UInt8](text.utf8), using: key)
    }
}

/// The keys that encrypt the sources of images in URLs, so that a URL does not tell where the image comes from: one
/// `id:hexadecimal-key` per line of a file, 32 bytes or more. The first key encrypts, all decrypt.
///
/// A source is `enc/` and, in base64url without padding, a version (one byte, 1), a nonce (12 bytes), and the ciphertext
/// with its tag of AES-256-GCM (NIST SP 800-38D), which authenticates the version as well. Of each key, HKDF-SHA256 (RFC
/// 5869, no salt) derives one for AES, with the info `wayreel source 1`, and one for nonces, `wayreel source nonce 1`. The
/// nonce is the beginning of the HMAC-SHA256 of the source: the same source has the same URL, which caches need.
package struct SourceKeys: Sendable {
    private struct Key: Sendable {
        let cipher: SymmetricKey
        let nonces: SymmetricKey

        init(_ key: SymmetricKey) {
            func derived(_ info: String) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Array(info.utf8), outputByteCount: 32)
            }
            cipher = derived("wayreel source 1")
            nonces = derived("wayreel source nonce 1")
        }
    }

    private let keys: [Key]

    private static let prefix = "enc/"
    private static let version: UInt8 = 1
    private static let nonceBytes = 12
    private static let tagBytes = 16

    /// Throws an `io` error if the file cannot be read, a `parameter` error with its first fault.
    package init(path: String) throws(MediaError) {
        keys = try SigningKeys(path: path).keys.map { (id, key) throws(MediaError) in
            guard key.bitCount >= 256 else {
                throw MediaError(
                    .parameter, step: .sourceKeys, subject: path,
                    reason: "the key '\(id)' has \(key.bitCount / 8) bytes; AES-256 needs 32",
                    advice: "make one with `openssl rand -hex 32`")
            }
            return Key(key)
        }
    }

    /// Returns whether a source of a URL is an encrypted one.
    package static func isEncrypted(_ source: String) -> Bool { source.hasPrefix(prefix) }

    /// Throws an `encoding` error if the system's cryptography fails.
    package func encrypt(_ source: String) throws(MediaError) -> String {
        let text = Array(source.utf8)
        let code = HMAC<SHA256>.authenticationCode(for: text, using: keys[0].nonces)
        do {
            let box = try AES.GCM.seal(
                text, using: keys[0].cipher, nonce: AES.GCM.Nonce(data: Array(code.prefix(Self.nonceBytes))),
                authenticating: [Self.version])
            let bytes = [Self.version] + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
            return Self.prefix + Base64URL.encode(bytes)
        } catch { throw MediaError(.encoding, step: .encrypt, reason: "\(error)".onOneLine) }
    }

    /// Returns the source that one of the keys has encrypted; nil for any other text.
    package func decrypt(_ source: String) -> String? {
        guard Self.isEncrypted(source), let bytes = Base64URL.decode(source.dropFirst(Self.prefix.count)),
            bytes.count > 1 + Self.nonceBytes + Self.tagBytes, bytes[0] == Self.version,
            let box = try? AES.GCM.SealedBox(combined: bytes.dropFirst())
        else { return nil }
        for key in keys {
            if let text = try? AES.GCM.open(box, using: key.cipher, authenticating: [Self.version]) {
                return String(validating: text, as: UTF8.self)
            }
        }
        return nil
    }
}
