internal import WayreelAV
internal import WayreelCore

/// Which of a file's streams are delivered.
struct StreamChoice {
    let video: MediaStream
    let properties: VideoProperties
    let audio: [AudioChoice.Track]
    let dropped: [DroppedStream]
    let warnings: [String]

    /// `taken`: subtitle streams that are delivered. Throws an `unsupported` error where there is no video that can be shown, a
    /// `parameter` error where there is no such audio track.
    init(_ info: MediaInfo, _ settings: AudioSettings, taken subtitles: [Int]) throws(MediaError) {
        guard let video = info.video, let properties = video.picture else { throw Self.noVideo(info) }
        (self.video, self.properties) = (video, properties)
        try video.checkIsClear(step: "plan")
        guard properties.size.pixels > 0, properties.pixelFormat != "unknown" else {
            throw MediaError(
                .decoding, step: "plan", reason: "none of its frames (\(video.codec)) can be decoded",
                advice: "send the whole file, from its first keyframe on")
        }
        let audio = try AudioChoice(info, settings)
        self.audio = audio.tracks
        warnings = audio.warnings
        let taken = subtitles + [video.index] + audio.tracks.map(\.stream.index)
        dropped = info.streams.filter { !taken.contains($0.index) }.map {
            DroppedStream(stream: $0.index, kind: $0.kind, reason: $0.whyDropped(settings))
        }
    }

    private static func noVideo(_ info: MediaInfo) -> MediaError {
        let streams = info.streams.prefix(8).map { "\($0.kind.rawValue) (\($0.codec))" }.joined(separator: ", ")
        return MediaError(
            .unsupported, code: .noVideo, step: "plan", reason: "has no video, only \(streams)",
            advice: info.sound == nil ? nil : "use \(.levelsPipeline) for audio")
    }
}

extension MediaStream {
    fileprivate func whyDropped(_ settings: AudioSettings) -> String {
        switch kind {
        case .video: "only one video stream is played"
        case .cover: "a cover image is not part of the video"
        case .sound where settings.isDropped: "audio is to be left out"
        case .sound where !isPlayable: "it cannot be decoded"
        case .sound where settings.languages.isEmpty: "only one audio track is kept"
        case .sound: "it is not the first audio track in a language that is kept"
        case .subtitles where SubtitleStreams.textCodecs.contains(codec): "subtitles are to be left out"
        case .subtitles where SubtitleStreams.imageCodecs.contains(codec):
            "its subtitles are images, which phones and browsers do not show"
        case .subtitles: "its subtitles (\(codec)) are not a known text format"
        case .data, .attachment: "only video, audio and subtitles are delivered"
        }
    }
}
