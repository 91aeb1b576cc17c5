internal import Glibc
internal import WayreelAV
internal import WayreelCore

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
            throw MediaError(.unsupported, step: "quality", reason: "its ladder cannot be lowered")
        }
        return (rungs, rates)
    }
}

extension VideoPlan {
    fileprivate var byBitRate: [RenditionPlan] {
        renditions.sorted { ($0.rate.bitRate ?? 0, $0.size.pixels) < ($1.rate.bitRate ?? 0, $1.size.pixels) }
    }
}
