internal import CFFmpeg
package import WayreelCore

/// AES-128 in CBC mode with PKCS #7 padding (FIPS 197, SP 800-38A).
package struct AES128: ~Copyable {
    private let context: OpaquePointer

    package static let blockSize = 16

    /// `key` has 16 bytes.
    package init(key: [UInt8], decrypts: Bool = false) throws(MediaError) {
        precondition(key.count == Self.blockSize, "a key of AES-128 has 16 bytes")
        try FFmpeg.load(.formats, step: .encrypt)
        guard let context = av_aes_alloc() else {
            throw MediaError(.limit, step: .encrypt, reason: "no memory")
        }
        self.context = context
        av_aes_init(context, key, 128, decrypts ? 1 : 0)
        self.decrypts = decrypts
    }

    private let decrypts: Bool

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    /// `iv` has 16 bytes.
    package func encrypt(_ bytes: consuming [UInt8], iv: [UInt8]) -> [UInt8] {
        precondition(!decrypts && iv.count == Self.blockSize)
        let padding = Self.blockSize - bytes.count % Self.blockSize
        bytes.append(contentsOf: repeatElement(UInt8(padding), count: padding))
        return crypt(bytes, iv)
    }

    /// Returns nil if the length or padding is wrong, so that the bytes were not encrypted with this key and IV.
    package func decrypt(_ bytes: [UInt8], iv: [UInt8]) -> [UInt8]? {
        precondition(decrypts && iv.count == Self.blockSize)
        guard !bytes.isEmpty, bytes.count % Self.blockSize == 0 else { return nil }
        var plain = crypt(bytes, iv)
        let padding = Int(plain.last!)
        guard (1...Self.blockSize).contains(padding), plain.suffix(padding).allSatisfy({ $0 == padding }) else {
            return nil
        }
        plain.removeLast(padding)
        return plain
    }

    private func crypt(_ bytes: [UInt8], _ iv: [UInt8]) -> [UInt8] {
        var iv = iv
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            // FFmpeg counts blocks in 32 bits, and updates the IV for the next call.
            let maxBlocks = 1 << 24
            while count < bytes.count {
                let blocks = min(maxBlocks, (bytes.count - count) / Self.blockSize)
                bytes.withUnsafeBufferPointer {
                    av_aes_crypt(
                        context, output.baseAddress! + count, $0.baseAddress! + count, Int32(blocks),
                        &iv, decrypts ? 1 : 0)
                }
                count += blocks * Self.blockSize
            }
        }
    }
}
