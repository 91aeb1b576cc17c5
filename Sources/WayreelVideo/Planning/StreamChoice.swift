internal import WayreelAV
internal import WayreelCore

/// The streams of a file to deliver.
struct StreamChoice {
    /// The video; nil if the output is audio only.
    let video: Video?
    let audio: [AudioChoice.Track]
    let dropped: [DroppedStream]
    let warnings: [String]

    /// A video stream that can be shown.
    struct Video {
        let stream: MediaStream
        let properties: VideoProperties

        /// Throws an `unsupported` error if it is encrypted or an image, a `decoding` error if its frames cannot be
        /// decoded.
        init?(_ info: MediaInfo) throws(MediaError) {
            guard let stream = info.video, let properties = stream.videoProperties else { return nil }
            (self.stream, self.properties) = (stream, properties)
            try stream.checkIsDecodable(step: .plan)
            if let format = info.imageFormat { throw MediaError.image(format, step: .plan) }
            guard properties.size.pixels > 0, properties.pixelFormat != "unknown" else {
                throw MediaError.undecodable(codec: stream.codec, step: .plan)
            }
        }
    }

    /// `taken`: subtitle streams that are delivered. Throws an `unsupported` error if there is nothing that can be
    /// delivered, a `parameter` error if there is no such audio track.
    init(_ info: MediaInfo, _ options: TranscodeOptions, taken subtitles: [Int]) throws(MediaError) {
        video = options.video.isDropped ? nil : try Video(info)
        let audio = try AudioChoice(info, options.audio)
        self.audio = audio.tracks
        warnings = audio.warnings
        if video == nil { try Self.checkAudioAlone(audio.tracks, info, options) }
        let taken = subtitles + [video?.stream.index].compactMap(\.self) + audio.tracks.flatMap(\.streams).map(\.index)
        dropped = info.streams.filter { !taken.contains($0.index) }.map {
            DroppedStream(stream: $0.index, kind: $0.kind, reason: $0.whyDropped(options))
        }
    }

    /// Audio-only files become MP4, unless an option requires video.
    private static func checkAudioAlone(
        _ tracks: [AudioChoice.Track], _ info: MediaInfo, _ options: TranscodeOptions
    ) throws(MediaError) {
        var plain = TranscodeOptions().video
        plain.isDropped = options.video.isDropped
        if case .maxBytes = options.video.rate { plain.rate = options.video.rate }
        // For audio-only files this option means that audio is not copied.
        plain.alwaysEncodes = options.video.alwaysEncodes
        let asksForVideo =
            options.delivery != .mp4 || options.poster != nil || options.video != plain
            || options.framing != TranscodeOptions().framing
        guard tracks.isEmpty || asksForVideo else { return }
        if tracks.isEmpty, !options.audio.isDropped, let audio = info.audio { try audio.checkIsDecodable(step: .plan) }
        let streams = info.streams.prefix(8).map { "\($0.kind.rawValue) (\($0.codec))" }.joined(separator: ", ")
        throw MediaError(
            .unsupported, code: tracks.isEmpty ? .noAudio : .noVideo, step: .plan,
            reason: options.video.isDropped
                ? tracks.isEmpty
                    ? "has no audio to deliver, only \(streams)" : "has options of video, which is left out"
                : "has no video, only \(streams)",
            advice: tracks.isEmpty ? nil : "leave out the options of video to get its audio as MP4")
    }
}

extension MediaInfo {
    /// FFmpeg's names of other image formats do not end like these.
    private static let imageSuffix = "_pipe"
    private static let otherImages: Set = ["gif", "ico", "fits"]
    /// A JPEG may contain a second one: a thumbnail or a gain map.
    private static let imageCounts = ["jpeg_pipe": 2]

    /// The name of the format if the file is an image; nil for an animation, or images after each other.
    fileprivate var imageFormat: String? {
        guard container.hasSuffix(Self.imageSuffix) || Self.otherImages.contains(container),
            streams.allSatisfy({ $0.kind == .video }),
            let count = video?.videoProperties?.frameCount, count <= Self.imageCounts[container] ?? 1
        else { return nil }
        return container.split(separator: "_").first?.uppercased()
    }
}

extension MediaStream {
    fileprivate func whyDropped(_ options: TranscodeOptions) -> String {
        let settings = options.audio
        return switch kind {
        case .video where options.video.isDropped: "video is to be left out"
        case .video: "only one video stream is played"
        case .cover: "a cover image is not part of the video"
        case .audio where settings.isDropped: "audio is to be left out"
        case .audio where undecodable != nil: "it cannot be decoded"
        case .audio where settings.languages.isEmpty: "only one audio track is kept"
        case .audio: "it is not the first audio track in a language that is kept"
        case .subtitles where SubtitleStreams.textCodecs.contains(codec): "subtitles are to be left out"
        case .subtitles where SubtitleStreams.imageCodecs.contains(codec):
            "its subtitles are images, which phones and browsers do not show"
        case .subtitles: "its subtitles (\(codec)) are not a known text format"
        case .data, .attachment: "only video, audio and subtitles are delivered"
        }
    }
}

/// A subtitle track of the output.
public struct SubtitlePlan: Hashable, Sendable, Codable {
    /// The index of the stream in the source; nil: it comes from ``file``.
    public var stream: Int?
    public var file: String?
    /// The language as ISO 639 or BCP 47.
    public var language: String?
    public var title: String?

    public init(stream: Int? = nil, file: String? = nil, language: String? = nil, title: String? = nil) {
        self.stream = stream
        self.file = file
        self.language = language
        self.title = title
    }

    /// The subtitle tracks that `settings` select of a source.
    static func all(of info: MediaInfo, _ settings: SubtitleSettings) -> [SubtitlePlan] {
        let streams = info.streams.filter {
            $0.kind == .subtitles && !settings.dropsSource && SubtitleStreams.textCodecs.contains($0.codec)
        }
        return streams.map { SubtitlePlan(stream: $0.index, language: $0.language, title: $0.title) }
            + settings.files.map { SubtitlePlan(file: $0.path, language: $0.language) }
    }
}
