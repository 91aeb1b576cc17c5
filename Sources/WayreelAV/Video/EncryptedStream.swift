internal import CFFmpeg
package import WayreelCore

/// Recognises packets that are encrypted by ISO/IEC 23001-7 (CENC) in MP4, or by Matroska's ContentEncryption: FFmpeg hides the
/// sample entries `encv` and `enca`, but describes the encryption beside each packet.
enum EncryptedStream {
    /// The four characters of the scheme, as `cenc` or `cbcs`, by which a packet is encrypted; nil where it is clear.
    static func scheme(of packet: UnsafeMutablePointer<AVPacket>) -> String? {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, &size), size >= 4 else {
            return nil
        }
        let bytes = UnsafeBufferPointer(start: data, count: 4)
        return bytes.allSatisfy { (0x20..<0x7f).contains($0) }
            ? String(decoding: bytes, as: UTF8.self) : "unknown scheme"
    }

    /// Throws an `unsupported` error for a stream that is encrypted by `scheme`.
    static func refuse(_ scheme: String?, step: String) throws(MediaError) {
        guard let scheme else { return }
        throw MediaError(
            .unsupported, step: step, reason: "is encrypted (\(scheme)), so it cannot be decoded",
            advice: "use the file as it was before encryption")
    }
}

extension MediaStream {
    /// Throws an `unsupported` error where its packets are encrypted.
    package func checkIsClear(step: String) throws(MediaError) { try EncryptedStream.refuse(encryption, step: step) }
}
