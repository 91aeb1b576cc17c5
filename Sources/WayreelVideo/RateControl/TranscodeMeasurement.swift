internal import WayreelAV
internal import WayreelCore

/// Measures on excerpts of a file how large and how similar cheaper encodings of it are.
struct TranscodeMeasurement {
    let source: MediaInput
    let options: TranscodeOptions
    let plan: TranscodePlan
    let threads: Int
    let task: TaskContext
    /// The length of the output in seconds: what the file declares, but no more than it is known to hold.
    var seconds: Double

    var limits: VideoLimits { options.limits }

    /// The usual size in bytes of MP4's header, and of its index per packet.
    static let bytesOfHeader = 1500.0
    private static let bytesPerPacket = 12.0
    /// Packets of audio are all of one length, so that only their sizes are in the index.
    private static let bytesPerAudioPacket = 4.0
    /// The length in seconds of a video's audio that is encoded to predict its size.
    private static let audioSeconds = 20.0

    /// Returns nil if the file's length is unknown. Throws a `limit` error if it is longer than the limit.
    init?(
        of source: MediaInput, _ options: TranscodeOptions, threads: Int, task: TaskContext
    ) throws(MediaError) {
        let file = try Demuxer(source, limits: options.limits, task: task)
        let info = try MediaScan.info(of: file, limits: options.limits, task: task)
        plan = try TranscodePlan(of: info, options)
        guard let seconds = plan.knownSeconds, seconds > 0 else { return nil }
        try options.limits.check(seconds: seconds)
        (self.source, self.options, self.threads, self.task) = (source, options, threads, task)
        self.seconds = seconds
    }

    /// Returns nil if there is nothing to choose.
    mutating func qualities() throws(MediaError) -> TranscodeQualities? {
        switch (options.delivery, plan.video) {
        case (.hls(let hls), let video?): try ladderQualities(hls, video)
        case (.mp4, nil): try audioQualities()
        case (.mp4, _): try videoQualities()
        default: nil
        }
    }

    // MARK: Parts

    /// Returns what is neither video nor its index: the header, and the audio that belongs to the video.
    func bytesBesideVideo(_ tracks: [AudioPlan]) throws(MediaError) -> Double {
        var bytes = Self.bytesOfHeader
        for track in tracks { bytes += try audioBytes(track) }
        return bytes
    }

    /// The size of the index of a video.
    func indexBytes(_ video: VideoPlan) -> Double {
        seconds * video.timing.frameRate.value * Self.bytesPerPacket
    }

    /// The size of the index of an audio track.
    func indexBytes(_ track: AudioPlan) -> Double {
        seconds * Double(track.sampleRate) / 1024 * Self.bytesPerAudioPacket
    }

    /// Returns the expected size of a track, from encoding its beginning.
    func audioBytes(_ track: AudioPlan) throws(MediaError) -> Double {
        guard track.action == .transcode else { return Double(track.bitRate) / 8 * seconds + indexBytes(track) }
        var excerpt = track
        let length = min(seconds, Self.audioSeconds)
        if length < seconds {
            let start = track.range?.start ?? 0
            excerpt.range = TimeRange(start: start, end: start + length)
        }
        let sink = CountingSink()
        try AudioTrackEncoder(source, excerpt, limits: limits, task: task).run(into: sink)
        return Double(sink.bytes) * seconds / length + indexBytes(track)
    }
}

extension TranscodePlan {
    /// The length that the file declares; of streams whose ends are known no more than to the last of these.
    fileprivate var knownSeconds: Double? {
        let used = [video?.stream].compactMap(\.self) + audio.map(\.stream)
        let ends = used.compactMap { source.stream($0)?.end }
        guard let seconds, ends.count == used.count, let last = ends.max() else { return seconds }
        return min(seconds, max(0, last - (range?.start ?? 0)))
    }
}

/// Counts the bytes of packets. Must be used by one thread at a time.
private final class CountingSink: PacketSink, @unchecked Sendable {
    private(set) var bytes = 0

    func take(_ packet: Packet) { bytes += packet.bytes.count }
    func finish() {}
}
