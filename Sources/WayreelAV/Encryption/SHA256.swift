internal import CFFmpeg
package import WayreelCore

/// SHA-256 (FIPS 180-4) of bytes that arrive in parts.
///
/// It is FFmpeg's, which media tasks load anyway: swift-crypto would make `wayreel` larger and its start slower.
package struct SHA256: ~Copyable {
    private let context: OpaquePointer

    package static let byteCount = 32

    package init() throws(MediaError) {
        try FFmpeg.load(.formats, step: "hash")
        guard let context = av_sha_alloc() else { throw MediaError(.limit, step: "hash", reason: "no memory") }
        self.context = context
        av_sha_init(context, Int32(Self.byteCount * 8))
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        av_sha_update(context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// Returns the digest in lower-case hexadecimal digits.
    package consuming func digest() -> String {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        av_sha_final(context, &bytes)
        return bytes.hexadecimal
    }

    /// Returns the digest of a text.
    package static func digest(of text: String) throws(MediaError) -> String {
        var text = text
        var hash = try SHA256()
        text.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
        return hash.digest()
    }
}
