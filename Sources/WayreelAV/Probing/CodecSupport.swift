internal import CFFmpeg
package import WayreelCore

/// Tells which streams cannot be decoded, and why. FFmpeg recognises more codecs than it decodes, and says nothing of
/// variants that it does not decode.
enum CodecSupport {
    /// Codecs that FFmpeg may not know or decode, by the four characters of their sample entries.
    private static let codecs: [String: (name: String, title: String)] = [
        "apac": ("apac", "APAC, Apple's spatial audio"), "ac-4": ("ac4", "AC-4"),
        "mha1": mpegH, "mha2": mpegH, "mhm1": mpegH, "mhm2": mpegH,
        "vvc1": vvc, "vvi1": vvc, "vvcN": vvc, "H266": vvc, "evc1": ("evc", "EVC"), "lvc1": ("lcevc", "LCEVC"),
    ]
    private static let mpegH = (name: "mpegh_3d_audio", title: "MPEG-H 3D Audio")
    private static let vvc = (name: "vvc", title: "VVC (H.266)")

    /// Returns FFmpeg's name of a stream's codec, or a similar one; `unknown` if there is none.
    static func name(of stream: UnsafeMutablePointer<AVStream>) -> String {
        let codec = stream.pointee.codecpar.pointee.codec_id
        if codec == AV_CODEC_ID_NONE { return stream.tag.flatMap { codecs[$0]?.name } ?? "unknown" }
        return String(cString: avcodec_get_name(codec))
    }

    /// Returns the reason for which audio or video cannot be decoded, as a clause; nil if it can. `container` is FFmpeg's
    /// name.
    static func obstacle(to stream: UnsafeMutablePointer<AVStream>, in container: String) -> String? {
        let parameters = stream.pointee.codecpar!
        let type = parameters.pointee.codec_type
        guard type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_VIDEO else { return nil }
        let missing = { (title: String) in Self.missing(title, isAudio: type == AVMEDIA_TYPE_AUDIO) }
        if parameters.pointee.codec_id == AV_CODEC_ID_NONE {
            guard let tag = stream.tag else {
                return "its \(type == AVMEDIA_TYPE_AUDIO ? "audio" : "video") codec is not known"
            }
            return missing(codecs[tag]?.title ?? "'\(tag)'")
        }
        guard avcodec_find_decoder(parameters.pointee.codec_id) != nil else {
            return missing(stream.tag.flatMap { codecs[$0]?.title } ?? name(of: stream))
        }
        switch parameters.pointee.codec_id {
        case AV_CODEC_ID_AAC: return aacObstacle(parameters.extraData).map(missing)
        case AV_CODEC_ID_FLAC where parameters.flacBits == 32 && !decodesLongFLAC:
            return FLACAudio.containers.contains(container) ? nil : missing("FLAC of 32 bits in this container")
        default: break
        }
        guard type == AVMEDIA_TYPE_AUDIO else { return nil }
        let isDescribed = parameters.pointee.sample_rate > 0 && parameters.pointee.ch_layout.nb_channels > 0
        return isDescribed ? nil : "its \(name(of: stream)) audio does not tell its sample rate and channels"
    }

    private static func missing(_ title: String, isAudio: Bool) -> String {
        "its \(isAudio ? "audio" : "video") codec, \(title), is not supported by FFmpeg \(FFmpegVersions.release)"
    }

    /// Codecs by their IDs in Matroska (RFC 9559, section 5.1.4.1.21).
    private static let matroskaCodecs: [String: (name: String, title: String)] = [
        "V_MPEGI/ISO/VVC": vvc, "A_AC4": ("ac4", "AC-4"), "A_MPEGH": mpegH,
    ]

    /// Names the codecs of Matroska that FFmpeg does not know. `ids`: the codec of each stream.
    static func name(_ streams: inout [MediaStream], by ids: [String?]) {
        for index in streams.indices.prefix(ids.count) where streams[index].codec == "unknown" {
            guard let id = ids[index]?.onOneLine, streams[index].undecodable != nil else { continue }
            streams[index].codec = matroskaCodecs[id]?.name ?? "unknown"
            streams[index].undecodable = missing(
                matroskaCodecs[id]?.title ?? "'\(id)'", isAudio: streams[index].kind == .audio)
        }
    }

    /// Whether FFmpeg decodes FLAC of 32 bits, as from version 6.
    static var decodesLongFLAC: Bool { LIBAVCODEC_VERSION_MAJOR >= 60 }

    /// The object types of ISO/IEC 14496-3, table 1.17, that FFmpeg decodes: Main, LC, SSR, LTP, SBR, ER LC, ER LD, PS,
    /// ER ELD. Others are not AAC, or decoded as another codec.
    private static let aacTypes: Set<Int> = [0, 1, 2, 3, 4, 5, 17, 23, 29, 36, 39]
    private static let aacTitles = [6: "AAC Scalable", 20: "ER AAC Scalable", 22: "ER BSAC", 42: "xHE-AAC (USAC)"]

    /// Returns the name of the object type in an AudioSpecificConfig if FFmpeg does not decode it.
    private static func aacObstacle(_ configuration: [UInt8]) -> String? {
        guard configuration.count >= 2 else { return nil }
        let word = Int(configuration[0]) << 8 | Int(configuration[1])
        // Five bits, and six more if all are set.
        let type = word >> 11 == 31 ? 32 + (word >> 5 & 63) : word >> 11
        // FFmpeg decodes USAC from version 7.1.
        let isDecoded = type == 42 && (LIBAVCODEC_VERSION_MAJOR, LIBAVCODEC_VERSION_MINOR) >= (61, 19)
        guard !isDecoded, !aacTypes.contains(type) else { return nil }
        return aacTitles[type] ?? "AAC of object type \(type)"
    }
}

extension UnsafeMutablePointer<AVCodecParameters> {
    /// The bits of a sample by the STREAMINFO block of FLAC (RFC 9639, section 8.2).
    var flacBits: Int? {
        let header = extraData
        return header.count >= 14 ? (Int(header[12] & 1) << 4 | Int(header[13] >> 4)) + 1 : nil
    }
}

extension MediaStream {
    /// Throws an `unsupported` error if the stream's packets are encrypted or its codec cannot be decoded.
    package func checkIsDecodable(step: MediaError.Step) throws(MediaError) {
        try checkIsClear(step: step)
        guard let undecodable else { return }
        throw MediaError(
            .unsupported, step: step, reason: undecodable,
            advice: kind == .video ? "convert the file to H.264" : "convert the file to FLAC or WAV")
    }
}

extension MediaError {
    /// The error of an image, in a format of this name, where audio or video is expected.
    package static func image(_ format: String, step: MediaError.Step = .read) -> MediaError {
        MediaError(
            .unsupported, step: step, reason: "is an image (\(format)), not audio or video",
            advice: "prepare it as a capture")
    }
}
