public import WayreelCore

/// The action for each stream of a source, with reasons, decided before encoding.
public struct TranscodePlan: Hashable, Sendable, Codable {
    public var source: MediaInfo
    /// The part of the source that is delivered; nil: all of it.
    public var range: TimeRange?
    /// The video; nil only if the output has no video.
    public var video: VideoPlan?
    /// The audio tracks of the output, the default one first.
    public var audio: [AudioPlan]
    public var subtitles: [SubtitlePlan]
    /// The streams that are omitted.
    public var dropped: [DroppedStream]
    public var warnings: [String]

    public init(
        source: MediaInfo, range: TimeRange? = nil, video: VideoPlan?, audio: [AudioPlan] = [],
        subtitles: [SubtitlePlan] = [], dropped: [DroppedStream] = [], warnings: [String] = []
    ) {
        self.source = source
        self.range = range
        self.video = video
        self.audio = audio
        self.subtitles = subtitles
        self.dropped = dropped
        self.warnings = warnings
    }

    /// The audio track that is played unless the user chooses another; nil if there is none.
    public var defaultAudio: AudioPlan? { audio.first }
}

extension TranscodePlan {
    /// Whether any stream is copied.
    var copiesAny: Bool { video?.action == .copy || audio.contains { $0.action == .copy } }

    /// The expected length of the output; nil if the source does not specify one.
    package var seconds: Double? { range?.length(in: source.seconds) ?? source.seconds }
}

extension MediaInfo {
    package func stream(_ index: Int) -> MediaStream? { streams.first { $0.index == index } }
}

public enum StreamAction: String, Hashable, Sendable, Codable {
    /// The packets are remuxed without re-encoding.
    case copy
    case transcode
}

/// A stream that is omitted.
public struct DroppedStream: Hashable, Sendable, Codable {
    /// The index of the stream in the file.
    public var stream: Int
    public var kind: MediaStream.Kind
    public var reason: String

    public init(stream: Int, kind: MediaStream.Kind, reason: String) {
        self.stream = stream
        self.kind = kind
        self.reason = reason
    }
}
