internal import Glibc
package import WayreelAV
package import WayreelCore

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
        /// The SSIM of the luma, compared with the encoder's input; for HLS the mean of the renditions; for audio only the
        /// comparable value of ``NoiseToMask``.
        package var similarity: Double
    }

    /// The size of the frames; nil for audio only.
    package private(set) var size: PixelSize?
    /// The readings; the first one is for the unchanged options.
    package private(set) var readings: [Reading] = []

    private let options: TranscodeOptions
    private let plan: TranscodePlan
    /// The expected length of the output in seconds.
    package let seconds: Double

    /// The number of CRF values that are tried, from the encoder's default on; ``furtherCRFs`` is how far beyond them
    /// a quality is searched.
    private static let crfCount = 8
    private static let furtherCRFs = 6.0
    private static let bitRates = [112_000, 96_000, 80_000, 64_000, 48_000, 32_000]
    /// The factors by which the bit rates of a ladder are reduced.
    private static let ladderShares = [1, 0.75, 0.56, 0.42, 0.32, 0.24]
    private static let minBitRate = 20_000.0
    /// The length in seconds of a video's audio that is encoded to predict its size.
    private static let audioSeconds = 20.0
    /// The maximum share of a size limit that an expected size may take.
    package static let limitShare = 0.8
    /// The size of the index in MP4 per packet; ``bytesOfHeader`` is the size of the header.
    private static let bytesPerPacket = 12.0
    private static let bytesOfHeader = 1500.0

    /// Returns nil if there is nothing to choose: the file's length is unknown, or its frames are too small to
    /// compare.
    package init?(
        of source: MediaInput, _ options: TranscodeOptions, threads: Int, task: TaskContext
    ) throws(MediaError) {
        let file = try Demuxer(source, limits: options.limits, task: task)
        let info = try MediaScan.info(of: file, limits: options.limits, task: task)
        let plan = try TranscodePlan(of: info, options)
        guard let seconds = plan.seconds, seconds > 0 else { return nil }
        self.options = options
        self.plan = plan
        self.seconds = seconds
        switch (options.delivery, plan.video) {
        case (.hls(let hls), let video?): guard try measureLadder(hls, video, source, threads, task) else { return nil }
        case (.mp4, nil): try measureAudio(source, task)
        case (.mp4, _): guard try measureVideo(source, threads, task) else { return nil }
        default: return nil
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

    /// Returns the reading of the unchanged plan: a copy is lossless; a file of a limited size has that size and the
    /// similarity of the CRF with that size. If the encoder's default is clearly smaller, the limit has no effect,
    /// and the result is nil.
    private func plannedReading(_ others: [Reading]) -> Reading? {
        if plan.video?.action == .copy {
            return plan.source.bytes.map { Reading(rate: .asPlanned, bytes: $0, similarity: 1) }
        }
        guard case .maxBytes(let limit) = options.video.rate, let standard = others.first,
            Double(standard.bytes) > Double(limit) * Self.limitShare
        else { return nil }
        let best = others.first { $0.bytes <= limit } ?? others.last
        return Reading(rate: .asPlanned, bytes: limit, similarity: best?.similarity ?? 1)
    }

    private static func crfs(_ encoder: VideoEncoderInfo) -> [Double] {
        let first = encoder.defaultCRF
        let last = min(encoder.searchedCRFs.upperBound + furtherCRFs, encoder.crfRange.upperBound)
        return (0..<crfCount).map { index in
            let crf = first + (last - first) * Double(index) / Double(crfCount - 1)
            return (crf / encoder.crfStep).rounded() * encoder.crfStep
        }
    }

    // MARK: HLS

    /// Measures a ladder. The bit rates of all renditions are lowered by the same factor, so that their ratios stay
    /// the same.
    private mutating func measureLadder(
        _ hls: HLSOptions, _ video: VideoPlan, _ source: MediaInput, _ threads: Int, _ task: TaskContext
    ) throws(MediaError) -> Bool {
        let renditions = video.byBitRate
        guard video.action == .transcode, renditions.allSatisfy({ Similarity(size: $0.size) != nil }) else {
            return false
        }
        size = renditions.last?.size
        let effects = try Effects(
            filters: options.video.filters, overlays: options.video.overlays, limits: options.limits.forImages)
        let ladders = try Self.ladderShares.map { (share) throws(MediaError) in
            try lowered(hls, renditions, to: share)
        }
        var others = Self.bytesOfHeader
        for track in plan.audio { others += try audioBytes(track, source, task) }
        let rate = video.timing.grid ?? plan.source.video?.videoProperties?.frameRate
        others += seconds * (rate?.value ?? 30) * Self.bytesPerPacket * Double(renditions.count)
        var found = ladders.map { _ in (bytes: others, similarity: 0.0) }
        // One rendition at a time, because the excerpts of each are kept in memory.
        for (index, rendition) in renditions.enumerated() {
            var plain = rendition
            plain.rate = RenditionRate()
            var alone = video
            alone.renditions = [plain]
            let search = try CRFSearch(
                alone, of: source, seconds: seconds, effects: effects, limits: options.limits, threads: threads,
                task: task)
            let curve = try RateCurve(of: search, encoder: VideoEncoderInfo.of(rendition.codec))
            for (step, ladder) in ladders.enumerated() {
                let expected = curve.expected(at: Double(ladder.rates[index].bitRate ?? 0) / 8 * seconds)
                found[step].bytes += expected.bytes
                found[step].similarity += expected.similarity / Double(renditions.count)
            }
        }
        readings = zip(ladders, found).enumerated().map { index, step in
            Reading(
                rate: index == 0 ? .asPlanned : .ladder(step.0.rungs), bytes: Int(step.1.bytes),
                similarity: step.1.similarity)
        }
        return true
    }

    /// Returns the ladder with reduced bit rates, and the resulting rates of the renditions.
    private func lowered(
        _ hls: HLSOptions, _ renditions: [RenditionPlan], to share: Double
    ) throws(MediaError) -> (rungs: [LadderRung], rates: [RenditionRate]) {
        let rungs = renditions.map { rendition in
            let bitRate = max(Double(rendition.rate.bitRate ?? 0) * share, Self.minBitRate)
            return LadderRung(box: rendition.size, bitRate: Int(bitRate))
        }
        var options = options
        var hls = hls
        hls.ladder = rungs
        options.delivery = .hls(hls)
        let rates = try TranscodePlan(of: plan.source, options).video?.byBitRate.map(\.rate) ?? []
        guard rates.count == renditions.count else {
            throw MediaError(.unsupported, step: "quality", reason: "its ladder cannot be lowered")
        }
        return (rungs, rates)
    }

    // MARK: Audio

    /// Each bit rate encodes the same excerpts.
    private mutating func measureAudio(_ source: MediaInput, _ task: TaskContext) throws(MediaError) {
        guard let own = plan.audio.first else { return }
        if own.action == .copy {
            let bytes = try audioBytes(own, source, task) + Self.bytesOfHeader
            readings = [Reading(rate: .asPlanned, bytes: Int(bytes), similarity: 1)]
        }
        var samples: AudioSamples?
        let wanted = options.audio.bitRate
        for bitRate in (own.action == .copy ? [] : [wanted]) + Self.bitRates.filter({ $0 < wanted }) {
            var lower = options
            lower.audio.bitRate = bitRate
            if bitRate != wanted { lower.video.alwaysEncodes = true }
            guard let track = try TranscodePlan(of: plan.source, lower).audio.first else { continue }
            let excerpts: AudioSamples
            if let samples {
                excerpts = samples
            } else {
                excerpts = try AudioSamples(of: track, seconds, source, limits: options.limits, task: task)
                samples = excerpts
            }
            // Nothing but silence, or next to nothing: it is as good at any bit rate.
            let found = try excerpts.measure(track.encoderSettings)
            let length = Double(excerpts.count) / Double(track.sampleRate)
            guard length > 0 else { return }
            let bytes = Double(found.bytes) * max(1, seconds / length) + packetBytes(track) + Self.bytesOfHeader
            readings.append(
                Reading(
                    rate: bitRate == wanted ? .asPlanned : .audio(bitRate: bitRate), bytes: Int(bytes),
                    similarity: found.similarity ?? 1))
            try task.check()
        }
    }

    private func packetBytes(_ track: AudioPlan) -> Double {
        seconds * Double(track.sampleRate) / 1024 * Self.bytesPerPacket
    }

    /// Returns the expected size of a track, from encoding its beginning.
    private func audioBytes(
        _ track: AudioPlan, _ source: MediaInput, _ task: TaskContext
    ) throws(MediaError) -> Double {
        let packets = packetBytes(track)
        guard track.action == .transcode else { return Double(track.bitRate) / 8 * seconds + packets }
        var excerpt = track
        let length = min(seconds, Self.audioSeconds)
        if length < seconds { excerpt.range = TimeRange(start: 0, end: length) }
        let sink = CountingSink()
        try AudioTrackEncoder(source, excerpt, limits: options.limits, task: task).run(into: sink)
        return Double(sink.bytes) * seconds / length + packets
    }
}

extension AudioSamples {
    /// The maximum length of an excerpt in seconds, and the maximum number of excerpts.
    private static let excerptSeconds = 5.0
    private static let maxExcerpts = 4

    /// Excerpts at even distances of a track, or all of a short one, as its encoder gets them.
    fileprivate convenience init(
        of plan: AudioPlan, _ seconds: Double, _ source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        let reader = try AudioTrackEncoder.reader(of: source, plan, limits: limits, task: task)
        let rate = Double(reader.info.format.sampleRate)
        try self.init(of: reader.info.format, sampleRate: plan.sampleRate, channelCount: plan.channelCount)
        let isShort = seconds <= Self.excerptSeconds * Double(Self.maxExcerpts)
        let excerpts: [Range<Int>] = (0..<(isShort ? 1 : Self.maxExcerpts)).map { index in
            // A file may hold more than it declares.
            if isShort { return 0..<Int(Self.excerptSeconds * Double(Self.maxExcerpts) * rate) + 1 }
            let middle = seconds * (Double(index) + 0.5) / Double(Self.maxExcerpts)
            let start = Int((middle - Self.excerptSeconds / 2) * rate)
            return start..<start + Int(Self.excerptSeconds * rate)
        }
        var position = 0
        do throws(MediaError) {
            while position < excerpts[excerpts.count - 1].upperBound, let block = try reader.next() {
                try task.check()
                guard !block.isPadding else { continue }
                position = block.start + block.count
                for excerpt in excerpts where excerpt.overlaps(block.start..<position) {
                    let part = excerpt.clamped(to: block.start..<position)
                    try append(block.slice(part.lowerBound - block.start..<part.upperBound - block.start))
                }
            }
        } catch {
            // Of damaged audio what there is; preparing tells of the damage.
            guard error.kind == .decoding else { throw error }
        }
        try append(nil)
    }
}

extension VideoPlan {
    fileprivate var byBitRate: [RenditionPlan] {
        renditions.sorted { ($0.rate.bitRate ?? 0, $0.size.pixels) < ($1.rate.bitRate ?? 0, $1.size.pixels) }
    }
}

/// The similarity of a rendition as a function of its size, from a few CRF values: excerpts are too short for an
/// encoder to converge to a bit rate.
private struct RateCurve {
    /// The points, largest size first.
    private var points: [(bytes: Double, similarity: Double)] = []

    private static let count = 6

    init(of search: CRFSearch, encoder: VideoEncoderInfo) throws(MediaError) {
        let (first, last) = (encoder.crfRange.lowerBound + 6, encoder.crfRange.upperBound)
        for index in 0..<Self.count {
            let crf = first + (last - first) * Double(index) / Double(Self.count - 1)
            let found = try search.measure(crf: (crf / encoder.crfStep).rounded() * encoder.crfStep)
            guard let bytes = found.bytes else { continue }
            points.append((max(1, Double(bytes)), found.similarity))
        }
    }

    /// Returns the expected result for an average bit rate that allows `bytes`, interpolated between the points, in
    /// decibels over the logarithm of the size. Simple content does not use its bit rate, and difficult content does
    /// not become smaller than at the highest CRF.
    func expected(at bytes: Double) -> (bytes: Double, similarity: Double) {
        guard let first = points.first, let last = points.last else { return (bytes, 0) }
        guard bytes < first.bytes else { return first }
        for (above, below) in zip(points, points.dropFirst()) where below.bytes <= bytes && below.bytes < above.bytes {
            let share = (log(bytes) - log(below.bytes)) / (log(above.bytes) - log(below.bytes))
            let (high, low) = (QualityTarget.decibels(above.similarity), QualityTarget.decibels(below.similarity))
            return (bytes, 1 - pow(10, -(low + (high - low) * share) / 10))
        }
        return (max(bytes, last.bytes), last.similarity)
    }
}

/// Counts the bytes of packets. Must be used by one thread at a time.
private final class CountingSink: PacketSink, @unchecked Sendable {
    private(set) var bytes = 0

    func take(_ packet: Packet) { bytes += packet.bytes.count }
    func finish() {}
}

extension RateTarget {
    /// The CRF of the target; nil if it is determined otherwise.
    fileprivate func crf(_ encoder: VideoEncoderInfo) -> Double? {
        switch self {
        case .standard: encoder.defaultCRF
        case .crf(let crf): crf
        case .quality, .maxBytes: nil
        }
    }
}
