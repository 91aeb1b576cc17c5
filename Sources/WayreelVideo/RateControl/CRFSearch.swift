internal import Glibc
package import WayreelAV
package import WayreelCore

/// Finds the highest CRF that reaches a similarity of encoded and original frames.
///
/// It encodes a few short excerpts at several CRF values, decodes them again and measures the similarity of their
/// luma. The similarity in decibels is nearly linear in the CRF, so the search uses the secant method on the grid of
/// CRF values that the encoder distinguishes.
package struct CRFSearch {
    /// The result of a search.
    package struct Choice: Hashable, Sendable {
        package var crf: Double
        /// The mean similarity of the excerpts at this CRF; 1: identical.
        package var similarity: Double
        /// Whether the quality is reached; false if even the lowest CRF is not good enough.
        package var isReached: Bool
        /// The expected size of the whole video; nil if its length is unknown.
        package var bytes: Int?
        /// The number of encodings of the excerpts.
        package var tries: Int
    }

    private let rendition: RenditionPlan
    private let video: VideoPlan
    private let samples: CRFSamples
    private let seconds: Double?
    private let task: TaskContext

    private var encoder: VideoEncoderInfo { VideoEncoderInfo.of(rendition.codec) }

    /// Decodes the excerpts. Throws an `unsupported` error for frames that are too small for measuring similarity.
    package init(
        _ video: VideoPlan, of source: MediaInput, seconds: Double?, effects: Effects, limits: VideoLimits,
        threads: Int, task: TaskContext
    ) throws(MediaError) {
        let rendition = video.renditions[0]
        guard Similarity(size: rendition.size) != nil else {
            throw MediaError(
                .unsupported, step: .quality, reason: "frames of \(rendition.size) are too small to be compared",
                advice: "use \(.crf)")
        }
        let found = try CRFSamples.decoded(
            video, [rendition], of: source, effects: effects, limits: limits, threads: threads, task: task)
        self.init(
            rendition, of: video, found.samples[0], seconds: [seconds, found.seconds].compactMap(\.self).min(),
            task: task)
    }

    /// `seconds`: the length of the whole video, if it is known.
    init(_ rendition: RenditionPlan, of video: VideoPlan, _ samples: CRFSamples, seconds: Double?, task: TaskContext) {
        self.rendition = rendition
        self.video = video
        self.samples = samples
        self.seconds = seconds
        self.task = task
    }

    /// The result of one encoding of the excerpts.
    private struct Reading {
        var crf: Double
        var similarity: Double
        var keyBytes = 0
        var otherBytes = 0

        /// The similarity in decibels: −10·log10(1 − similarity).
        var decibels: Double { QualityTarget.decibels(similarity) }
    }

    /// The maximum number of encodings; the secant method needs three or four.
    private static let maxTries = 7
    /// Decibels of similarity per CRF, as measured for x264.
    private static let defaultSlope = -0.6

    package func run(for target: QualityTarget) throws(MediaError) -> Choice {
        let wanted = QualityTarget.decibels(target.similarity)
        let range = encoder.searchedCRFs
        var tries = 0
        // The highest CRF that is good enough, and the lowest that is not.
        var (good, bad): (Reading?, Reading?)
        var next = encoder.defaultCRF
        while true {
            let reading = try encode(next)
            tries += 1
            if reading.decibels >= wanted { good = reading } else { bad = reading }
            let isFound =
                if let good, let bad {
                    bad.crf - good.crf <= encoder.crfStep
                } else {
                    good.map { $0.crf >= range.upperBound } ?? (reading.crf <= range.lowerBound)
                }
            if isFound || tries == Self.maxTries {
                let best = good ?? reading
                return Choice(
                    crf: best.crf, similarity: best.similarity, isReached: good != nil,
                    bytes: seconds.flatMap { Int(exactly: bytes(of: best, seconds: $0)) }, tries: tries)
            }
            next = guess(after: reading, good, bad, wanted, in: range)
        }
    }

    /// What is expected of an encoding of the whole video, from the excerpts.
    struct Measured {
        var crf: Double
        var bytes: Double
        var similarity: Double
    }

    func measure(crf: Double) throws(MediaError) -> Measured {
        let reading = try encode(crf)
        return Measured(
            crf: crf, bytes: bytes(of: reading, seconds: seconds ?? samples.seconds), similarity: reading.similarity)
    }

    /// Returns the CRF at which the target is expected, between those that were tried.
    private func guess(
        after last: Reading, _ good: Reading?, _ bad: Reading?, _ wanted: Double, in range: ClosedRange<Double>
    ) -> Double {
        let step = encoder.crfStep
        let lowest = good.map { $0.crf + step } ?? range.lowerBound
        let highest = bad.map { $0.crf - step } ?? range.upperBound
        var slope = Self.defaultSlope
        if let good, let bad { slope = min((bad.decibels - good.decibels) / (bad.crf - good.crf), -0.05) }
        let crf = last.crf + (wanted - last.decibels) / slope
        return min(max((crf / step).rounded(.down) * step, lowest), highest)
    }

    private func encode(_ crf: Double) throws(MediaError) -> Reading {
        var rate = rendition.rate
        rate.crf = crf
        let sampleEncoder = try VideoEncoder(
            VideoEncoder.Settings(
                encoder: rendition.encoder, size: rendition.size, timeBase: video.timing.timeBase,
                frameRate: video.timing.frameRate, threads: rendition.threads,
                options: rendition.options.merging(rate.options) { own, _ in own }))
        let decoder = try VideoDecoder(of: sampleEncoder, threads: 1)
        var similarity = Similarity(size: rendition.size)
        var reading = Reading(crf: crf, similarity: 0)
        var (sum, compared) = (0.0, 0)
        var inputs = samples.samples.makeIterator()
        let frame = { () throws(MediaError) -> Frame? in
            guard let sample = inputs.next() else { return nil }
            try task.check()
            let frame = try sample.frame.copy()
            frame.time = sample.time
            frame.requestKeyFrame(sample.beginsExcerpt)
            return frame
        }
        let packet = { () throws(MediaError) -> Packet? in
            guard let packet = try sampleEncoder.next(from: frame) else { return nil }
            if packet.isKeyFrame {
                reading.keyBytes += packet.bytes.count
            } else {
                reading.otherBytes += packet.bytes.count
            }
            return packet
        }
        // The decoder returns the same number of frames as were encoded, in the same order.
        while let decoded = try decoder.next(from: packet) {
            guard compared < samples.samples.count else { continue }
            sum += try similarity?.compare(samples.samples[compared].frame, decoded) ?? 0
            compared += 1
        }
        guard compared > 0 else {
            throw MediaError(.encoding, step: .quality, reason: "\(rendition.encoder) encoded nothing of the excerpts")
        }
        reading.similarity = sum / Double(compared)
        return reading
    }

    /// Estimates the size of the whole video: each excerpt begins with a keyframe, and the video has fewer keyframes.
    private func bytes(of reading: Reading, seconds: Double) -> Double {
        guard samples.seconds > 0 else { return 0 }
        let keyFrame = Double(reading.keyBytes) / Double(samples.excerpts)
        let others = Double(reading.otherBytes) / samples.seconds * seconds
        let interval = video.keyFrameInterval ?? 10
        return (others + keyFrame * max(1, (seconds / interval).rounded(.up))).rounded(.up)
    }
}

extension QualityTarget {
    /// The presets are close to the similarities that x264 reaches on clips at 540 lines at CRF 29, 24 and 19: fine
    /// texture is smoothed at the first, hardly at the second, and the last can hardly be distinguished from the
    /// source.
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
