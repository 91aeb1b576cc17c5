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
