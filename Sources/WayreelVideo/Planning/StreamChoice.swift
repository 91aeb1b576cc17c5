internal import WayreelAV
internal import WayreelCore

/// Which of a file's streams are delivered.
struct StreamChoice {
    let video: MediaStream
    let picture: VideoProperties
    /// nil where there is none, or none is wanted.
    let sound: (stream: MediaStream, format: AudioFormat, track: Int)?
    let dropped: [DroppedStream]
    let warnings: [String]

    /// Throws an `unsupported` error where there are no moving pictures that could be shown, a `parameter` error where there is
    /// no such sound track.
    ///
    /// `taken`: other streams that are delivered.
    init(_ info: MediaInfo, _ settings: SoundSettings, taken others: [Int]) throws(MediaError) {
        guard let video = info.video, let picture = video.picture else { throw Self.noVideo(info) }
        (self.video, self.picture) = (video, picture)
        try video.checkIsClear(step: "plan")
        if !settings.isDropped { try info.sound?.checkIsClear(step: "plan") }
        guard picture.size.pixels > 0, picture.pixelFormat != "unknown" else {
            throw MediaError(
                .decoding, step: "plan", reason: "nothing of its pictures (\(video.codec)) can be decoded",
                advice: "send the whole file, from its first key frame on")
        }
        var warnings: [String] = []
        let wanted = settings.isDropped ? nil : try Self.sound(of: info, track: settings.track)
        if let wanted, !wanted.stream.isPlayable {
            warnings.append("the sound (\(wanted.stream.codec)) cannot be decoded; it is left out")
        }
        sound = wanted.flatMap { (stream, track) in
            stream.format.flatMap { stream.isPlayable ? (stream, $0, track) : nil }
        }
        let taken = others + [video.index, sound?.stream.index].compactMap(\.self)
        dropped = info.streams.filter { !taken.contains($0.index) }.map {
            DroppedStream(stream: $0.index, kind: $0.kind, reason: $0.whyDropped(settings))
        }
        self.warnings = warnings
    }

    private static func noVideo(_ info: MediaInfo) -> MediaError {
        let streams = info.streams.prefix(8).map { "\($0.kind.rawValue) (\($0.codec))" }.joined(separator: ", ")
        return MediaError(
            .unsupported, step: "plan", reason: "has no moving pictures, only \(streams)",
            advice: info.sound == nil ? nil : "use 'wayreel levels' for sound")
    }

    private static func sound(
        of info: MediaInfo, track: Int?
    ) throws(MediaError) -> (stream: MediaStream, track: Int)? {
        let tracks = info.streams.filter { $0.kind == .sound }
        if let track {
            guard tracks.indices.contains(track &- 1) else {
                throw MediaError(
                    .parameter, step: "plan", reason: "has no sound track \(track); it has \(tracks.count)",
                    advice: tracks.count < 2 ? "leave --track out" : "use --track 1 to \(tracks.count)")
            }
            return (tracks[track - 1], track)
        }
        // One that cannot be decoded is no choice where another can.
        let playable = tracks.filter(\.isPlayable)
        guard let chosen = playable.first(where: \.isDefault) ?? playable.first ?? tracks.first else { return nil }
        return (chosen, (tracks.firstIndex(of: chosen) ?? 0) + 1)
    }
}

extension MediaStream {
    /// Whether it is sound that FFmpeg knows.
    fileprivate var isPlayable: Bool {
        guard let format else { return false }
        return codec != "unknown" && format.sampleRate > 0 && !format.channels.isEmpty
    }

    fileprivate func whyDropped(_ settings: SoundSettings) -> String {
        switch kind {
        case .video: "one video is shown"
        case .cover: "a still that stands for the file is no part of the video"
        case .sound where settings.isDropped: "the sound is to be left out"
        case .sound: isPlayable ? "one sound track is played" : "it cannot be decoded"
        case .subtitles where SubtitleStreams.textCodecs.contains(codec): "the subtitles are to be left out"
        case .subtitles where SubtitleStreams.imageCodecs.contains(codec):
            "its subtitles are images, which phones and browsers do not show"
        case .subtitles: "its subtitles (\(codec)) are no text that is known"
        case .data, .attachment: "only video, audio and subtitles are delivered"
        }
    }
}
