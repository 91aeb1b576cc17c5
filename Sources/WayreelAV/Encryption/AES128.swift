internal import CFFmpeg
package import WayreelCore

/// AES with a key of 128 bits in cipher block chaining, the last block filled up as PKCS #7 does (FIPS 197, SP 800-38A).
package struct AES128: ~Copyable {
    private let context: OpaquePointer

    package static let blockSize = 16

    /// `key` has 16 bytes.
    package init(key: [UInt8], decrypts: Bool = false) throws(MediaError) {
        precondition(key.count == Self.blockSize, "a key of AES-128 has 16 bytes")
        try FFmpeg.load(.formats, step: "encrypt")
        guard let context = av_aes_alloc() else {
            throw MediaError(.limit, step: "encrypt", reason: "no memory")
        }
        self.context = context
        av_aes_init(context, key, 128, decrypts ? 1 : 0)
        self.decrypts = decrypts
    }

    private let decrypts: Bool

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    /// `vector` has 16 bytes.
    package func encrypt(_ bytes: consuming [UInt8], vector: [UInt8]) -> [UInt8] {
        precondition(!decrypts && vector.count == Self.blockSize)
        let filling = Self.blockSize - bytes.count % Self.blockSize
        bytes.append(contentsOf: repeatElement(UInt8(filling), count: filling))
        return crypt(bytes, vector)
    }

    /// nil where the length or the filling shows that it was not encrypted with this key and vector.
    package func decrypt(_ bytes: [UInt8], vector: [UInt8]) -> [UInt8]? {
        precondition(decrypts && vector.count == Self.blockSize)
        guard !bytes.isEmpty, bytes.count % Self.blockSize == 0 else { return nil }
        var plain = crypt(bytes, vector)
        let filling = Int(plain.last!)
        guard (1...Self.blockSize).contains(filling), plain.suffix(filling).allSatisfy({ $0 == filling }) else {
            return nil
        }
        plain.removeLast(filling)
        return plain
    }

    private func crypt(_ bytes: [UInt8], _ vector: [UInt8]) -> [UInt8] {
        var vector = vector
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            // FFmpeg counts blocks in an Int32; it changes the vector to go on from.
            let most = 1 << 24
            while count < bytes.count {
                let blocks = min(most, (bytes.count - count) / Self.blockSize)
                bytes.withUnsafeBufferPointer {
                    av_aes_crypt(
                        context, output.baseAddress! + count, $0.baseAddress! + count, Int32(blocks),
                        &vector, decrypts ? 1 : 0)
                }
                count += blocks * Self.blockSize
            }
        }
    }
}
