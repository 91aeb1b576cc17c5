internal import CFFmpeg
package import WayreelCore

/// Detects encrypted streams by the declarations of their container. FFmpeg hides most of these and returns packets
/// that no decoder reads.
enum EncryptedStream {
    /// Returns the schemes of the encrypted streams of an open file, such as `cenc` or `cbcs`, by index.
    ///
    /// Throws an `io` error if the file cannot be read, and the errors of its task.
    static func schemes(in context: FormatContext) throws(MediaError) -> [Int: String] {
        let file = context.file
        // A pipe cannot be read twice.
        guard file.size != nil else { return [:] }
        let streams = context.streams
        let found: [String?]
        switch ContainerTraits(demuxer: context.container).encryption {
        case .sampleEntries:
            let byTrack = try ISOEncryption(file).schemes()
            found = streams.map { byTrack[Int($0.pointee.id)] }
        case .contentEncryption:
            found = try MatroskaEncryption(file).schemes()
        case .transportScrambling:
            let scrambled = try TransportScrambling(file).streams()
            found = streams.map {
                scrambled.contains(Int($0.pointee.id)) ? "MPEG-TS scrambling" : sampleEncryption(of: $0)
            }
        case nil: return [:]
        }
        return zip(streams.indices, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    /// Throws an `unsupported` error if a file that FFmpeg cannot open is MP4 with encrypted tracks.
    static func refuseUnopened(_ file: InputFile) throws(MediaError) {
        guard file.size != nil else { return }
        try refuse(try ISOEncryption(file).schemes().values.min(), step: "read")
    }

    /// Returns `SAMPLE-AES` if the stream type of a transport stream declares it (Apple, "MPEG-2 Stream Encryption
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
        if let scheme { throw MediaError.encrypted(scheme, step: step) }
    }
}

extension MediaError {
    /// The error of a stream that is encrypted by `scheme`.
    package static func encrypted(_ scheme: String, step: String) -> MediaError {
        MediaError(
            .unsupported, step: step, reason: "is encrypted (\(scheme)), so it cannot be decoded",
            advice: "use the file as it was before encryption")
    }
}

extension MediaStream {
    /// Throws an `unsupported` error if the stream's packets are encrypted.
    package func checkIsClear(step: String) throws(MediaError) { try EncryptedStream.refuse(encryption, step: step) }
}
