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

extension TranscodePlan {
    /// Checks a plan that may come from a file: its indices, and the numbers that are used in arithmetic and by
    /// FFmpeg.
    ///
    /// Throws a `parameter` error if it cannot be carried out.
    public func check() throws(MediaError) {
        try range?.check()
        if let video {
            try require(source.stream(video.stream)?.kind == .video, "has no video stream \(video.stream)")
            try video.check()
        }
        for track in audio {
            try require(source.stream(track.stream)?.kind == .audio, "has no audio stream \(track.stream)")
            try track.check()
        }
        try require(Set(audio.map(\.stream)).count == audio.count, "uses an audio stream twice")
        for track in subtitles {
            guard let stream = track.stream else { continue }
            try require(source.stream(stream)?.kind == .subtitles, "has no subtitle stream \(stream)")
        }
    }

    /// Throws a `parameter` error unless `current`, which is made from the current input and options, is the same
    /// plan. A plan from a file can therefore not do more than a plan that is made here.
    func check(isStill current: TranscodePlan) throws(MediaError) {
        guard self != current else { return }
        throw MediaError(
            .parameter, code: .planOutdated, step: "plan",
            reason: source == current.source
                ? "the plan was made with other options, or was changed"
                : "the plan was made for another file, or the file has changed since",
            advice: "make the plan again")
    }
}

private func require(_ holds: Bool, _ reason: String) throws(MediaError) {
    guard holds else {
        throw MediaError(.parameter, step: "plan", reason: "the plan \(reason)", advice: "make the plan again")
    }
}

extension VideoPlan {
    fileprivate func check() throws(MediaError) {
        try range?.check()
        try timing.check()
        try require(action == .copy || !renditions.isEmpty, "has no renditions")
        try require(keyFrameInterval.map { (0.01...3600).contains($0) } ?? true, "has an invalid keyframe interval")
        try require(chunkSeconds.map { (1...3600).contains($0) } ?? true, "has chunks of an invalid length")
        for rendition in renditions { try rendition.check() }
    }
}

extension FrameTiming {
    fileprivate func check() throws(MediaError) {
        let rates = [grid, cap, averageRate].compactMap(\.self)
        try require(
            (rates + [timeBase]).allSatisfy { max($0.numerator, $0.denominator) <= Int(Int32.max) }
                && rates.allSatisfy { (0.001...1000).contains($0.value) }
                && (1e-9...1000).contains(timeBase.value),
            "has an invalid frame rate or time base")
        try require(
            (0.0...1000).contains(offset) && repeatInterval.map { (1e-4...3600).contains($0) } ?? true,
            "has invalid frame timing")
    }
}

extension RenditionPlan {
    /// The frame sides that encoders and their formats support.
    private static let sides = 2...16_384

    fileprivate func check() throws(MediaError) {
        try require(
            Self.sides.contains(size.width) && Self.sides.contains(size.height) && size == size.even,
            "has a rendition of \(size)")
        try require(
            plainSource.map { Self.sides.contains($0.width) && Self.sides.contains($0.height) } ?? true,
            "scales frames of an invalid size")
        try require((1...64).contains(threads), "has a rendition with \(threads) threads")
        try require(
            HLSOptions.parallelGOPCounts.contains(parallelGOPs), "encodes \(parallelGOPs) GOPs at the same time")
        try require(encoder == VideoEncoderInfo.of(codec).name, "encodes \(codec.rawValue) by '\(encoder)'")
        let bits = [rate.bitRate, rate.maxBitRate, rate.bufferBits, rate.maxBytes].compactMap(\.self)
        try require(
            bits.allSatisfy { (1...1 << 40).contains($0) } && rate.crf.map { (0.0...100).contains($0) } ?? true,
            "has an invalid bit rate")
    }
}

extension AudioPlan {
    fileprivate func check() throws(MediaError) {
        try range?.check()
        try require(
            track >= 1 && (1...768_000).contains(sampleRate) && (1...64).contains(channelCount)
                && (1...1 << 30).contains(bitRate) && loudness.map { (-100.0...20).contains($0) } ?? true,
            "has an audio track with invalid settings")
    }
}

extension TranscodePlan {
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
