internal import Crypto
internal import FoundationEssentials
package import WayreelCore

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
                    .parameter, step: "source keys", subject: path,
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
        } catch { throw MediaError(.encoding, step: "encrypt", reason: "\(error)".onOneLine) }
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
