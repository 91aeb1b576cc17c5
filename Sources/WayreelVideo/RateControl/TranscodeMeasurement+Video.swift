internal import Glibc
internal import WayreelAV
internal import WayreelCore
internal import WayreelImage

// MP4: one video at several CRF values.
extension TranscodeMeasurement {
    /// The number of CRF values, from the encoder's default on; ``furtherCRFs`` is how far beyond the searched ones
    /// they go.
    private static let crfCount = 8
    private static let furtherCRFs = 6.0
    /// The indices of the values that are measured; those between are interpolated, within about 1 % of the size.
    private static let measuredCRFs = [0, 2, 5, 7]

    mutating func videoQualities() throws(MediaError) -> TranscodeQualities? {
        let encoder = VideoEncoderInfo.of(options.video.codec)
        var encoding = options
        encoding.video.rate = .crf(encoder.defaultCRF)
        encoding.video.alwaysEncodes = true
        let reencoding = try TranscodePlan(of: plan.source, encoding)
        guard let video = reencoding.video, let rendition = video.renditions.first,
            Similarity(size: rendition.size) != nil
        else { return nil }
        let samples = try excerpts(of: video, [rendition])[0]
        let search = CRFSearch(rendition, of: video, samples, seconds: seconds, task: task)
        let crfs = Self.crfs(encoder)
        var curve = RateCurve()
        for index in Self.measuredCRFs { curve.add(try search.measure(crf: crfs[index])) }
        let others = try bytesBesideVideo(reencoding.audio) + indexBytes(video)
        var readings = crfs.map { crf in
            let expected = curve.expected(crf: crf)
            let isPlanned = options.video.rate.crf(encoder) == crf && plan.video?.action == .transcode
            return TranscodeQualities.Reading(
                isPlanned ? .asPlanned : .crf(crf), bytes: expected.bytes + others, similarity: expected.similarity)
        }
        if readings.first?.rate != .asPlanned, let planned = plannedReading(readings) {
            readings.insert(planned, at: 0)
        }
        return TranscodeQualities(size: rendition.size, seconds: seconds, readings: readings)
    }

    /// Decodes excerpts in the form of `renditions`. If they show that the file is shorter than it declares,
    /// ``seconds`` is changed.
    mutating func excerpts(
        of video: VideoPlan, _ renditions: [RenditionPlan]
    ) throws(MediaError) -> [CRFSamples] {
        let effects = try Effects(
            filters: options.video.filters, overlays: options.video.overlays, limits: limits.forImages)
        let found = try CRFSamples.decoded(
            video, renditions, of: source, effects: effects, limits: limits, threads: threads, task: task)
        if let held = found.seconds { seconds = min(seconds, held) }
        return found.samples
    }

    /// Returns the reading of the unchanged plan: a copy is lossless; a file of a limited size has that size and the
    /// similarity of the CRF with that size. If the encoder's default is clearly smaller, the limit has no effect,
    /// and the result is nil.
    private func plannedReading(_ others: [TranscodeQualities.Reading]) -> TranscodeQualities.Reading? {
        if plan.video?.action == .copy {
            return plan.source.bytes.map { .init(.asPlanned, bytes: Double($0), similarity: 1) }
        }
        guard case .maxBytes(let limit) = options.video.rate, let standard = others.first,
            Double(standard.bytes) > Double(limit) * TranscodeQualities.limitShare
        else { return nil }
        let best = others.first { $0.bytes <= limit } ?? others.last
        return .init(.asPlanned, bytes: Double(limit), similarity: best?.similarity ?? 1)
    }

    private static func crfs(_ encoder: VideoEncoderInfo) -> [Double] {
        let first = encoder.defaultCRF
        let last = min(encoder.searchedCRFs.upperBound + furtherCRFs, encoder.crfRange.upperBound)
        return (0..<crfCount).map { index in
            encoder.rounded(crf: first + (last - first) * Double(index) / Double(crfCount - 1))
        }
    }
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

// HLS: a ladder whose bit rates are lowered together, so that their ratios stay the same.
extension TranscodeMeasurement {
    /// The factors by which the bit rates are reduced.
    private static let shares = [1, 0.75, 0.56, 0.42, 0.32, 0.24]
    private static let minBitRate = 20_000.0
    /// At one CRF, the size grows less than the number of pixels: by this exponent.
    private static let pixelExponent = 0.75

    mutating func ladderQualities(_ hls: HLSOptions, _ video: VideoPlan) throws(MediaError) -> TranscodeQualities? {
        let renditions = video.byBitRate
        guard video.action == .transcode, renditions.allSatisfy({ Similarity(size: $0.size) != nil }) else {
            return nil
        }
        var ladders: [(rungs: [LadderRung], rates: [RenditionRate])] = []
        for share in Self.shares { ladders.append(try lowered(hls, renditions, to: share)) }
        let samples = try excerpts(of: video, renditions)
        let others = try bytesBesideVideo(plan.audio) + indexBytes(video) * Double(renditions.count)
        var found = ladders.map { _ in (bytes: others, similarity: 0.0) }
        // One rendition is measured at several CRF values, the others at one: their curves are alike.
        let middle = (renditions.count - 1) / 2
        var shape: RateCurve?
        for index in [middle] + renditions.indices.filter({ $0 != middle }) {
            // Excerpts are too short for an encoder to converge to a bit rate, so they are encoded at a CRF.
            var plain = renditions[index]
            plain.rate = RenditionRate()
            let search = CRFSearch(plain, of: video, samples[index], seconds: seconds, task: task)
            let sizes = ladders.map { Double($0.rates[index].bitRate ?? 0) / 8 * seconds }
            let encoder = VideoEncoderInfo.of(plain.codec)
            let growth = pow(Double(plain.size.pixels) / Double(renditions[middle].size.pixels), Self.pixelExponent)
            let curve =
                if let shape {
                    try shape.moved(to: sizes, growth: growth, by: search, encoder)
                } else {
                    try RateCurve(of: sizes, by: search, encoder)
                }
            if index == middle { shape = curve }
            for (step, size) in sizes.enumerated() {
                let expected = curve.expected(bytes: size, in: encoder.usefulCRFs)
                found[step].bytes += expected.bytes
                found[step].similarity += expected.similarity / Double(renditions.count)
            }
        }
        let readings = zip(ladders, found).enumerated().map { index, step in
            TranscodeQualities.Reading(
                index == 0 ? .asPlanned : .ladder(step.0.rungs), bytes: step.1.bytes, similarity: step.1.similarity)
        }
        return TranscodeQualities(size: renditions.last?.size, seconds: seconds, readings: readings)
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
            throw MediaError(.unsupported, step: .quality, reason: "its ladder cannot be lowered")
        }
        return (rungs, rates)
    }
}

extension VideoPlan {
    fileprivate var byBitRate: [RenditionPlan] {
        renditions.sorted { ($0.rate.bitRate ?? 0, $0.size.pixels) < ($1.rate.bitRate ?? 0, $1.size.pixels) }
    }
}
