internal import WayreelAV
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
    /// What the plan takes into account besides the source and the options; nil: nothing.
    public var constraints: PlanConstraints?

    public init(
        source: MediaInfo, range: TimeRange? = nil, video: VideoPlan?, audio: [AudioPlan] = [],
        subtitles: [SubtitlePlan] = [], dropped: [DroppedStream] = [], warnings: [String] = [],
        constraints: PlanConstraints? = nil
    ) {
        self.source = source
        self.range = range
        self.video = video
        self.audio = audio
        self.subtitles = subtitles
        self.dropped = dropped
        self.warnings = warnings
        self.constraints = constraints
    }

    /// The audio track that is played unless the user chooses another; nil if there is none.
    public var defaultAudio: AudioPlan? { audio.first }

    /// Whether any stream is copied.
    var copiesAny: Bool { video?.action == .copy || audio.contains { $0.action == .copy } }

    /// The expected length of the output; nil if the source does not specify one.
    package var seconds: Double? { range?.length(in: source.seconds) ?? source.seconds }

    /// The sides of frames that scaling and encoders support.
    private static let sides = 2...16_384
    private static let minFrameRate = 0.001
    private static let maxBytes = 1 << 40
    private static let advice: MediaError.Advice = "make the plan again"

    /// Checks what planning takes over from the source and the options as it is: numbers that are used in arithmetic
    /// and by FFmpeg.
    ///
    /// Throws a `parameter` error if the plan cannot be carried out.
    package func check() throws(MediaError) {
        guard let video else { return }
        if let grid = video.timing.grid {
            try require(
                max(grid.numerator, grid.denominator) <= Int(Int32.max) && grid.value >= Self.minFrameRate,
                "the plan has an invalid frame rate or time base", Self.advice)
        }
        for rendition in video.renditions {
            try require(
                video.filters(of: rendition).scaling.map { scaling in
                    Self.sides.contains(scaling.from.width) && Self.sides.contains(scaling.from.height)
                } ?? true,
                "the plan scales frames of an invalid size", Self.advice)
            try require(
                rendition.rate.maxBytes ?? 0 <= Self.maxBytes, "the plan has an invalid bit rate", Self.advice)
        }
    }

    /// Throws a `parameter` error unless `current`, which is made from the current input and options, is the same
    /// plan. A plan from a file can therefore not do more than a plan that is made here.
    func check(isStill current: TranscodePlan) throws(MediaError) {
        guard self != current else { return }
        throw MediaError(
            .parameter, code: .planOutdated, step: .plan,
            reason: source == current.source
                ? "the plan was made with other options, or was changed"
                : "the plan was made for another file, or the file has changed since",
            advice: Self.advice)
    }

    /// Plans the transcode of the file at `path`, or of standard input for `-`, without encoding.
    ///
    /// Throws the errors of opening the file and of planning.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public static func plan(
        path: String, _ options: TranscodeOptions = TranscodeOptions(), cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> TranscodePlan {
        let task = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return try RereadableInput(path, task: task).read { (source) throws(MediaError) in
            try TranscodePlan(of: MediaScan.info(of: source, limits: options.limits, task: task), options)
        }
    }
}

/// What attempts to carry out a plan have shown, which neither the header nor the packets of the source say.
public struct PlanConstraints: Hashable, Sendable, Codable {
    /// Audio streams that do not decode as their header describes, by index, with the reasons: they are encoded.
    public var damagedAudio: [Int: String]
    /// Whether the frames of the video differ in size or scan: it is encoded, and frames that are marked as interlaced
    /// are deinterlaced.
    public var framesVary: Bool
    /// Whether the video is copied even if its bit rate is high, because encoding made the file larger.
    public var ignoresBitRate: Bool

    public init(damagedAudio: [Int: String] = [:], framesVary: Bool = false, ignoresBitRate: Bool = false) {
        self.damagedAudio = damagedAudio
        self.framesVary = framesVary
        self.ignoresBitRate = ignoresBitRate
    }
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
