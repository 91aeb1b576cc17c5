internal import WayreelAV
internal import WayreelCore

/// Which of a file's streams are delivered.
struct StreamChoice {
    let video: MediaStream
    let picture: VideoProperties
    let audio: [AudioChoice.Track]
    let dropped: [DroppedStream]
    let warnings: [String]

    /// Throws an `unsupported` error where there are no moving pictures that could be shown, a `parameter` error where there is
    /// no such sound track.
    ///
    /// `taken`: other streams that are delivered.
    init(_ info: MediaInfo, _ settings: AudioSettings, taken others: [Int]) throws(MediaError) {
        guard let video = info.video, let picture = video.picture else { throw Self.noVideo(info) }
        (self.video, self.picture) = (video, picture)
        try video.checkIsClear(step: "plan")
        guard picture.size.pixels > 0, picture.pixelFormat != "unknown" else {
            throw MediaError(
                .decoding, step: "plan", reason: "nothing of its pictures (\(video.codec)) can be decoded",
                advice: "send the whole file, from its first key frame on")
        }
        let audio = try AudioChoice(info, settings)
        self.audio = audio.tracks
        warnings = audio.warnings
        let taken = others + [video.index] + audio.tracks.map(\.stream.index)
        dropped = info.streams.filter { !taken.contains($0.index) }.map {
            DroppedStream(stream: $0.index, kind: $0.kind, reason: $0.whyDropped(settings))
        }
    }

    private static func noVideo(_ info: MediaInfo) -> MediaError {
        let streams = info.streams.prefix(8).map { "\($0.kind.rawValue) (\($0.codec))" }.joined(separator: ", ")
        return MediaError(
            .unsupported, step: "plan", reason: "has no moving pictures, only \(streams)",
            advice: info.sound == nil ? nil : "use 'wayreel levels' for sound")
    }
}

extension MediaStream {
    fileprivate func whyDropped(_ settings: AudioSettings) -> String {
        switch kind {
        case .video: "one video is shown"
        case .cover: "a still that stands for the file is no part of the video"
        case .sound where settings.isDropped: "the sound is to be left out"
        case .sound where !isPlayable: "it cannot be decoded"
        case .sound where settings.languages.isEmpty: "one sound track is played"
        case .sound: "it is not the first audio track in a language that is kept"
        case .subtitles where SubtitleStreams.textCodecs.contains(codec): "the subtitles are to be left out"
        case .subtitles where SubtitleStreams.imageCodecs.contains(codec):
            "its subtitles are images, which phones and browsers do not show"
        case .subtitles: "its subtitles (\(codec)) are no text that is known"
        case .data, .attachment: "only video, audio and subtitles are delivered"
        }
    }
}
