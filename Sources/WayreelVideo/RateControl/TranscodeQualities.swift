package import WayreelAV
package import WayreelCore

/// What encodings of one file to MP4 are expected to weigh and how much they keep, measured on excerpts.
package struct TranscodeQualities: Sendable {
    package enum Rate: Hashable, Sendable {
        /// By the options as they are: also a copy.
        case asPlanned
        case crf(Double)
        case audio(bitRate: Int)
    }

    package struct Reading: Hashable, Sendable {
        package var rate: Rate
        /// Of the file.
        package var bytes: Int
        /// SSIM of the luma, decoded against the frames that the encoder gets; nil of audio alone.
        package var similarity: Double?
    }

    /// Of the frames; nil of audio alone.
    package private(set) var size: PixelSize?
    /// The first is that of the options.
    package private(set) var readings: [Reading] = []

    private let options: TranscodeOptions
    private let plan: TranscodePlan
    /// The expected length of the output.
    package let seconds: Double

    /// The number of CRF that are tried, from the encoder's default on, and how far beyond those that a quality is searched at.
    private static let crfCount = 8
    private static let furtherCRFs = 6.0
    private static let bitRates = [96_000, 64_000, 48_000]
    /// The length of audio that is encoded for a bit rate.
    private static let audioSeconds = 20.0
    /// The share of a limited size that an expected one may take.
    package static let limitShare = 0.8
    /// The index in MP4, and its header.
    private static let bytesPerPacket = 12.0
    private static let bytesOfHeader = 1500.0

    /// nil where nothing can be chosen: the file's length is unknown, or its frames are too small to be compared.
    package init?(
        of source: MediaInput, _ options: TranscodeOptions, threads: Int, task: TaskContext
    ) throws(MediaError) {
        let file = try Demuxer(source, limits: options.limits, task: task)
        let info = try MediaScan.info(of: file, limits: options.limits, task: task)
        let plan = try TranscodePlan(of: info, options)
        guard options.delivery == .mp4, let seconds = plan.seconds, seconds > 0 else { return nil }
        self.options = options
        self.plan = plan
        self.seconds = seconds
        if plan.video == nil {
            try measureAudio(source, task)
        } else {
            guard try measureVideo(source, threads, task) else { return nil }
        }
    }

    // MARK: Video

    private mutating func measureVideo(
        _ source: MediaInput, _ threads: Int, _ task: TaskContext
    ) throws(MediaError) -> Bool {
        let encoder = VideoEncoderInfo.of(options.video.codec)
        var encoding = options
        encoding.video.rate = .crf(encoder.defaultCRF)
        encoding.video.alwaysEncodes = true
        let reencoding = try TranscodePlan(of: plan.source, encoding)
        guard let video = reencoding.video, let rendition = video.renditions.first,
            Similarity(size: rendition.size) != nil
        else { return false }
        size = rendition.size
        let effects = try Effects(
            filters: options.video.filters, overlays: options.video.overlays, limits: options.limits.forImages)
        let search = try CRFSearch(
            video, of: source, seconds: seconds, effects: effects, limits: options.limits, threads: threads, task: task)
        var others = Self.bytesOfHeader
        for track in reencoding.audio { others += try audioBytes(track, source, task) }
        let rate = video.timing.grid ?? plan.source.video?.videoProperties?.frameRate
        let index = seconds * (rate?.value ?? 30) * Self.bytesPerPacket
        for crf in Self.crfs(encoder) {
            let found = try search.measure(crf: crf)
            guard let bytes = found.bytes else { return false }
            let isPlanned = options.video.rate.crf(encoder) == crf && plan.video?.action == .transcode
            readings.append(
                Reading(
                    rate: isPlanned ? .asPlanned : .crf(crf), bytes: Int(Double(bytes) + others + index),
                    similarity: found.similarity))
        }
        if readings.first?.rate != .asPlanned, let planned = plannedReading(readings) {
            readings.insert(planned, at: 0)
        }
        return !readings.isEmpty
    }

    /// A copy keeps everything; a file of a limited size is as large as that, and as good as the CRF of that size. Where the encoder's
    /// default is clearly smaller, the limit changes nothing: nil.
    private func plannedReading(_ others: [Reading]) -> Reading? {
        if plan.video?.action == .copy {
            return plan.source.bytes.map { Reading(rate: .asPlanned, bytes: $0, similarity: 1) }
        }
        guard case .maxBytes(let limit) = options.video.rate, let standard = others.first,
            Double(standard.bytes) > Double(limit) * Self.limitShare
        else { return nil }
        let best = others.first { $0.bytes <= limit } ?? others.last
        return Reading(rate: .asPlanned, bytes: limit, similarity: best?.similarity)
    }

    private static func crfs(_ encoder: VideoEncoderInfo) -> [Double] {
        let first = encoder.defaultCRF
        let last = min(encoder.searchedCRFs.upperBound + furtherCRFs, encoder.crfRange.upperBound)
        return (0..<crfCount).map { index in
            let crf = first + (last - first) * Double(index) / Double(crfCount - 1)
            return (crf / encoder.crfStep).rounded() * encoder.crfStep
        }
    }

    // MARK: Audio

    private mutating func measureAudio(_ source: MediaInput, _ task: TaskContext) throws(MediaError) {
        guard let own = plan.audio.first else { return }
        let bytes = try audioBytes(own, source, task) + Self.bytesOfHeader
        readings = [Reading(rate: .asPlanned, bytes: Int(bytes), similarity: nil)]
        for bitRate in Self.bitRates where bitRate < options.audio.bitRate {
            var lower = options
            lower.audio.bitRate = bitRate
            lower.video.alwaysEncodes = true
            guard let track = try TranscodePlan(of: plan.source, lower).audio.first else { continue }
            let bytes = try audioBytes(track, source, task) + Self.bytesOfHeader
            readings.append(Reading(rate: .audio(bitRate: bitRate), bytes: Int(bytes), similarity: nil))
        }
    }

    /// The size of a track, from what the encoder makes of its beginning.
    private func audioBytes(
        _ track: AudioPlan, _ source: MediaInput, _ task: TaskContext
    ) throws(MediaError) -> Double {
        let packets = seconds * Double(track.sampleRate) / 1024 * Self.bytesPerPacket
        guard track.action == .transcode else { return Double(track.bitRate) / 8 * seconds + packets }
        var excerpt = track
        let length = min(seconds, Self.audioSeconds)
        if length < seconds { excerpt.range = TimeRange(start: 0, end: length) }
        let sink = CountingSink()
        try AudioTrackEncoder(source, excerpt, limits: options.limits, task: task).run(into: sink)
        return Double(sink.bytes) * seconds / length + packets
    }
}

/// Counts the bytes of packets. Belongs to one thread at a time.
private final class CountingSink: PacketSink, @unchecked Sendable {
    private(set) var bytes = 0

    func take(_ packet: Packet) { bytes += packet.bytes.count }
    func finish() {}
}

extension RateTarget {
    /// nil where something else decides.
    fileprivate func crf(_ encoder: VideoEncoderInfo) -> Double? {
        switch self {
        case .standard: encoder.defaultCRF
        case .crf(let crf): crf
        case .quality, .maxBytes: nil
        }
    }
}
