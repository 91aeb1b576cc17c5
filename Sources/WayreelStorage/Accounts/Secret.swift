internal import Crypto
internal import FoundationEssentials

/// Random texts that nobody can guess.
package enum Secret {
    /// As many random bytes, in base64url.
    package static func make(bytes count: Int = 32) -> String { Base64URL.encode(bytes(count)) }

    package static func bytes(_ count: Int) -> [UInt8] {
        SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Array($0) }
    }

    /// What is stored of a secret.
    package static func hash(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }
}

/// Base64 for URLs, without padding (RFC 4648, section 5).
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns nil for text that ``encode(_:)`` does not produce.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let standard = String(text).replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: standard) else { return nil }
        return encode(data) == text ? [UInt8](data) : nil
    }
}
