internal import Glibc
package import WayreelAV
package import WayreelCore

/// Finds the highest rate factor whose pictures are as much like what goes into the encoder as is asked for.
///
/// Encodes a few short excerpts at several factors, decodes them again and measures the similarity of their luma. As that is
/// nearly linear in decibels, the search is a secant's, on the grid of factors that the encoder knows.
package struct CRFSearch {
    /// What the search has settled on.
    package struct Choice: Hashable, Sendable {
        package var factor: Double
        /// Of the excerpts at this factor, on average; 1 is the same.
        package var similarity: Double
        /// False where not even the lowest factor is good enough.
        package var isReached: Bool
        /// What the pictures of the whole video will take; nil where its length is not known.
        package var bytes: Int?
        /// Encodings of the excerpts that it took.
        package var tries: Int
    }

    private let rendition: RenditionPlan
    private let plan: VideoPlan
    private let samples: CRFSamples
    private let seconds: Double?
    private let watch: TaskWatch

    private var choice: VideoEncoderInfo { VideoEncoderInfo.of(rendition.codec) }

    /// Decodes the excerpts. Throws an `unsupported` error for pictures that are too small for a similarity.
    package init(
        _ plan: VideoPlan, of source: AudioSource, seconds: Double?, look: Effects, limits: VideoLimits, threads: Int,
        watch: TaskWatch
    ) throws(MediaError) {
        self.plan = plan
        self.rendition = plan.renditions[0]
        self.seconds = seconds
        self.watch = watch
        guard Similarity(size: rendition.size) != nil else {
            throw MediaError(
                .unsupported, step: "quality", reason: "pictures of \(rendition.size) are too small to be compared",
                advice: "use --crf")
        }
        samples = try CRFSamples(plan, of: source, look: look, limits: limits, threads: threads, watch: watch)
    }

    /// What one encoding of the excerpts came to.
    private struct Reading {
        var factor: Double
        var similarity: Double
        var keyBytes = 0
        var otherBytes = 0

        /// −10·log10(1 − similarity).
        var decibels: Double { QualityTarget.decibels(similarity) }
    }

    /// Encodings at most; a secant needs three or four.
    private static let tries = 7
    /// Decibels that similarity loses for a step of the factor, as it is with x264.
    private static let usualSlope = -0.6

    package func run(for target: QualityTarget) throws(MediaError) -> Choice {
        let wanted = QualityTarget.decibels(target.similarity)
        let range = choice.sensibleFactors
        var tries = 0
        // The highest that is good enough, and the lowest that is not.
        var (good, bad): (Reading?, Reading?)
        var next = choice.usualFactor
        while true {
            let reading = try encode(next)
            tries += 1
            if reading.decibels >= wanted { good = reading } else { bad = reading }
            let isSettled =
                if let good, let bad {
                    bad.factor - good.factor <= choice.factorStep
                } else {
                    good.map { $0.factor >= range.upperBound } ?? (reading.factor <= range.lowerBound)
                }
            if isSettled || tries == Self.tries {
                let best = good ?? reading
                return Choice(
                    factor: best.factor, similarity: best.similarity, isReached: good != nil, bytes: bytes(of: best),
                    tries: tries)
            }
            next = guess(after: reading, good, bad, wanted, in: range)
        }
    }

    /// The factor at which the target should lie, between those that are known.
    private func guess(
        after last: Reading, _ good: Reading?, _ bad: Reading?, _ wanted: Double, in range: ClosedRange<Double>
    ) -> Double {
        let step = choice.factorStep
        let lowest = good.map { $0.factor + step } ?? range.lowerBound
        let highest = bad.map { $0.factor - step } ?? range.upperBound
        var slope = Self.usualSlope
        if let good, let bad { slope = min((bad.decibels - good.decibels) / (bad.factor - good.factor), -0.05) }
        let factor = last.factor + (wanted - last.decibels) / slope
        return min(max((factor / step).rounded(.down) * step, lowest), highest)
    }

    private func encode(_ factor: Double) throws(MediaError) -> Reading {
        var rate = rendition.rate
        rate.factor = factor
        let encoder = try VideoEncoder(
            VideoEncoder.Settings(
                encoder: rendition.encoder, size: rendition.size, timeBase: plan.timing.timeBase,
                frameRate: plan.timing.grid, threads: rendition.threads,
                options: rendition.options.merging(rate.options) { own, _ in own }))
        let decoder = try VideoDecoder(of: encoder, threads: 1)
        var similarity = Similarity(size: rendition.size)
        var reading = Reading(factor: factor, similarity: 0)
        var (sum, compared) = (0.0, 0)
        let compare = { (decoded: Frame) throws(MediaError) in
            // As many come out as go in, in the same order.
            guard compared < samples.samples.count else { return }
            sum += try similarity?.compare(samples.samples[compared].frame, decoded) ?? 0
            compared += 1
        }
        let pass = { (packet: MediaPacket) throws(MediaError) in
            if packet.isKeyFrame {
                reading.keyBytes += packet.bytes.count
            } else {
                reading.otherBytes += packet.bytes.count
            }
            try decoder.decode(packet) { (frame) throws(MediaError) in try compare(frame) }
        }
        for sample in samples.samples {
            try watch.check()
            let frame = try sample.frame.copy()
            frame.time = sample.time
            frame.askForKeyFrame(sample.beginsExcerpt)
            try encoder.encode(frame) { (packet) throws(MediaError) in try pass(packet) }
        }
        try encoder.encode(nil) { (packet) throws(MediaError) in try pass(packet) }
        try decoder.decode(nil) { (frame) throws(MediaError) in try compare(frame) }
        guard compared > 0 else {
            throw MediaError(.encoding, step: "quality", reason: "\(rendition.encoder) made nothing of the excerpts")
        }
        reading.similarity = sum / Double(compared)
        return reading
    }

    /// Excerpts begin with a key frame each, the video has fewer.
    private func bytes(of reading: Reading) -> Int? {
        guard let seconds, samples.seconds > 0 else { return nil }
        let keyFrame = Double(reading.keyBytes) / Double(samples.excerpts)
        let others = Double(reading.otherBytes) / samples.seconds * seconds
        let interval = plan.keyFrameInterval ?? 10
        return Int(exactly: (others + keyFrame * max(1, (seconds / interval).rounded(.up))).rounded(.up))
    }
}

extension QualityTarget {
    /// Chosen by looking at clips at 540 lines, and close to what x264 makes of them at factors of 29, 24 and 19: fine texture
    /// is smoothed at the first, little of it is at the second, and the last can hardly be told from the source.
    var similarity: Double {
        switch self {
        case .low: 0.94
        case .medium: 0.97
        case .high: 0.985
        case .ssim(let hundredths): hundredths / 100
        }
    }

    static func decibels(_ similarity: Double) -> Double { -10 * log10(max(1 - similarity, 1e-6)) }
}

extension VideoEncoderInfo {
    /// Between two factors that make a difference.
    var factorStep: Double { name == "libsvtav1" ? 1 : 0.5 }

    /// Between which a factor is looked for: from where nobody sees what is lost to where everybody does.
    var sensibleFactors: ClosedRange<Double> {
        switch name {
        case "libx264": 14...36
        case "libx265": 16...40
        default: 16...58
        }
    }
}
