internal import Synchronization
package import WayreelAV
package import WayreelCore

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

    func indexBytes(_ video: VideoPlan) -> Double {
        seconds * video.timing.frameRate.value * Self.bytesPerPacket
    }

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

    // Audio alone, at several bit rates.
    private static let bitRates = [112_000, 96_000, 80_000, 64_000, 48_000, 32_000]

    /// Each bit rate encodes the same excerpts.
    mutating func audioQualities() throws(MediaError) -> TranscodeQualities? {
        guard let own = plan.audio.first else { return nil }
        var readings: [TranscodeQualities.Reading] = []
        if own.action == .copy {
            let bytes = try bytesBesideVideo([own])
            readings = [.init(.asPlanned, bytes: bytes, similarity: 1)]
        }
        var samples: AudioSamples?
        let wanted = options.audio.bitRate
        for bitRate in (own.action == .copy ? [] : [wanted]) + Self.bitRates.filter({ $0 < wanted }) {
            var lower = options
            lower.audio.bitRate = bitRate
            if bitRate != wanted { lower.video.alwaysEncodes = true }
            guard let track = try TranscodePlan(of: plan.source, lower).audio.first else { continue }
            let excerpts = if let samples { samples } else { try audioExcerpts(of: track) }
            samples = excerpts
            let found = try excerpts.measure(track.encoderSettings)
            let length = Double(excerpts.count) / Double(track.sampleRate)
            guard length > 0 else { break }
            let bytes = Double(found.bytes) * max(1, seconds / length) + indexBytes(track) + Self.bytesOfHeader
            // Nothing but silence, or next to nothing: it is as good at any bit rate.
            readings.append(
                .init(
                    bitRate == wanted ? .asPlanned : .audio(bitRate: bitRate), bytes: bytes,
                    similarity: found.similarity ?? 1))
            try task.check()
        }
        return readings.isEmpty ? nil : TranscodeQualities(seconds: seconds, readings: readings)
    }

    /// Returns excerpts of a track. If it ends before the last one, ``seconds`` is changed, and there are other
    /// excerpts.
    private mutating func audioExcerpts(of track: AudioPlan) throws(MediaError) -> AudioSamples {
        let (samples, held) = try AudioSamples.decoded(of: track, seconds, source, limits: limits, task: task)
        guard let held, held < seconds else { return samples }
        seconds = held
        return try AudioSamples.decoded(of: track, held, source, limits: limits, task: task).samples
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

/// Counts the bytes of packets.
private final class CountingSink: PacketSink {
    private let count = Atomic(0)

    var bytes: Int { count.load(ordering: .relaxed) }

    func take(_ packet: Packet) { count.add(packet.bytes.count, ordering: .relaxed) }
    func finish() {}
}

/// The expected sizes and similarities of encodings of one file to MP4 or HLS, measured on excerpts.
package struct TranscodeQualities: Sendable {
    package enum Rate: Hashable, Sendable {
        /// The options unchanged, which may result in a copy.
        case asPlanned
        case crf(Double)
        case audio(bitRate: Int)
        /// For HLS: the renditions at lower bit rates.
        case ladder([LadderRung])
    }

    package struct Reading: Hashable, Sendable {
        package var rate: Rate
        /// The size of the file, or of all files of the package.
        package var bytes: Int
        /// The SSIM of the luma, compared with the encoder's input; for HLS the mean of the renditions; for audio only
        /// the comparable value of ``NoiseToMask``.
        package var similarity: Double

        init(_ rate: Rate, bytes: Double, similarity: Double) {
            self.rate = rate
            self.bytes = Int(min(max(bytes, 0), 1e15))
            self.similarity = similarity
        }
    }

    /// The size of the frames, for HLS of the largest rendition; nil for audio only.
    package var size: PixelSize?
    /// The expected length of the output in seconds.
    package var seconds: Double
    /// The readings; the first one is for the unchanged options.
    package var readings: [Reading]

    /// The maximum share of a size limit that an expected size may take.
    package static let limitShare = 0.8

    /// Returns nil if there is nothing to choose: the file's length is unknown, or its frames are too small to
    /// compare.
    package static func measured(
        of source: MediaInput, _ options: TranscodeOptions, threads: Int, task: TaskContext
    ) throws(MediaError) -> TranscodeQualities? {
        var measurement = try TranscodeMeasurement(of: source, options, threads: threads, task: task)
        return try measurement?.qualities()
    }
}

extension AudioSamples {
    /// The maximum length of an excerpt in seconds, and the maximum number of excerpts.
    private static let excerptSeconds = 5.0
    private static let maxExcerpts = 4

    /// Decodes excerpts at even distances of a track, or all of a short one, as its encoder gets them. `held` is the
    /// length of a track that ends before the last one; nil for any other.
    fileprivate static func decoded(
        of plan: AudioPlan, _ seconds: Double, _ source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) -> (samples: AudioSamples, held: Double?) {
        let reader = try AudioTrackEncoder.reader(of: source, plan, limits: limits, task: task)
        let rate = Double(reader.info.format.sampleRate)
        let samples = try AudioSamples(
            of: reader.info.format, sampleRate: plan.sampleRate, channelCount: plan.channelCount)
        let isShort = seconds <= excerptSeconds * Double(maxExcerpts)
        let excerpts: [Range<Int>] = (0..<(isShort ? 1 : maxExcerpts)).map { index in
            // A file may hold more than it declares.
            if isShort { return 0..<Int(excerptSeconds * Double(maxExcerpts) * rate) + 1 }
            let middle = seconds * (Double(index) + 0.5) / Double(maxExcerpts)
            let start = Int((middle - excerptSeconds / 2) * rate)
            return start..<start + Int(excerptSeconds * rate)
        }
        let needed = excerpts[excerpts.count - 1].upperBound
        var end = 0
        do throws(MediaError) {
            while end < needed, let block = try reader.next() {
                try task.check()
                guard !block.isPadding else { continue }
                let range = block.start..<block.start + block.count
                for excerpt in excerpts where excerpt.overlaps(range) {
                    let part = excerpt.clamped(to: range)
                    try samples.append(block.slice(part.lowerBound - block.start..<part.upperBound - block.start))
                }
                end = range.upperBound
            }
        } catch {
            // Audio before the damage is used; transcoding reports the damage.
            guard error.kind == .decoding else { throw error }
        }
        try samples.append(nil)
        return (samples, end >= needed || isShort || end == 0 ? nil : Double(end) / rate)
    }
}
