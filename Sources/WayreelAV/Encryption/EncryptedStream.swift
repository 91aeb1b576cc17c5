internal import CFFmpeg
package import WayreelCore

/// Recognises streams that are encrypted, by what their container says of them: FFmpeg hides most of it, and hands out packets
/// that no decoder understands.
enum EncryptedStream {
    /// What encrypts the streams of an open file, as `cenc` or `cbcs`, by their index. Streams that are clear are not in it.
    ///
    /// Throws an `io` error where the file cannot be read, and what its watch throws.
    static func schemes(
        in file: InputFile, _ context: UnsafeMutablePointer<AVFormatContext>
    ) throws(MediaError) -> [Int: String] {
        // What comes through a pipe cannot be read twice.
        guard file.size != nil else { return [:] }
        let place = file.position
        defer { file.seek(to: place) }
        let streams = (0..<Int(context.pointee.nb_streams)).map { context.pointee.streams[$0]! }
        let container = String(cString: context.pointee.iformat.pointee.name).split(separator: ",")
        let found: [String?]
        if container.contains("mov") {
            let byTrack = try ISOEncryption(file).schemes()
            found = streams.map { byTrack[Int($0.pointee.id)] }
        } else if container.contains("matroska") {
            found = try MatroskaEncryption(file).schemes()
        } else if container.contains("mpegts") {
            let scrambled = try TransportScrambling(file).streams()
            found = streams.map {
                scrambled.contains(Int($0.pointee.id)) ? "MPEG-TS scrambling" : sampleEncryption(of: $0)
            }
        } else {
            return [:]
        }
        return zip(streams.indices, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    /// Throws an `unsupported` error where a file that FFmpeg cannot open is MP4 with encrypted tracks.
    static func refuseUnopened(_ file: InputFile) throws(MediaError) {
        guard file.size != nil else { return }
        let place = file.position
        defer { file.seek(to: place) }
        try refuse(try ISOEncryption(file).schemes().values.min(), step: "read")
    }

    /// What a transport stream for HLS says by its type that its samples are encrypted with (Apple's "MPEG-2 Stream Encryption
    /// Format for HTTP Live Streaming").
    private static func sampleEncryption(of stream: UnsafeMutablePointer<AVStream>) -> String? {
        let parameters = stream.pointee.codecpar.pointee
        return encryptedTypes[parameters.codec_tag] == parameters.codec_id ? "SAMPLE-AES" : nil
    }

    private static let encryptedTypes: [UInt32: AVCodecID] = [
        0xdb: AV_CODEC_ID_H264, 0xcf: AV_CODEC_ID_AAC, 0xc1: AV_CODEC_ID_AC3, 0xc2: AV_CODEC_ID_EAC3,
    ]

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
