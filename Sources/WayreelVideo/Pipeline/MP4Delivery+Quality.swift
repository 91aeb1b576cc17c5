internal import WayreelCore

extension MP4Delivery {
    /// Returns the plan with the CRF that reaches its quality; a plan without a quality is returned unchanged.
    func withCRF(_ plan: TranscodePlan, _ job: TranscodeJob) throws(MediaError) -> TranscodePlan {
        guard let video = plan.video, video.action == .transcode, let target = video.renditions[0].rate.quality
        else { return plan }
        let choice = try CRFSearch(
            video, of: job.source, seconds: plan.seconds, effects: job.effects, limits: job.options.limits,
            threads: job.threads, task: job.task
        ).run(for: target)
        if !choice.isReached {
            job.task.warn(
                "quality",
                "even a CRF of \(choice.crf.shortDescription) does not reach a similarity of "
                    + "\(target.similarity.asPercent), only \(choice.similarity.asPercent)")
        }
        var resolved = plan
        resolved.video?.renditions[0].rate.crf = choice.crf
        resolved.video?.reasons.append(choice.description)
        return resolved
    }

    /// Warns if the measured quality is too low: the samples of the search may be easier to encode than the rest.
    func warnOfQuality(of encoded: UnpublishedFile, _ job: TranscodeJob) {
        guard let target = encoded.plan.video?.renditions.first?.rate.quality?.similarity,
            let measured = encoded.similarity, measured < target - Self.ignoredMiss
        else { return }
        job.task.warn(
            "quality",
            "the whole video reaches a similarity of \(measured.asPercent), less than the "
                + "\(target.asPercent) that were requested: its samples were easier to encode")
    }

    private static let ignoredMiss = 0.00005
}

extension CRFSearch.Choice: CustomStringConvertible {
    /// `a CRF of 23.5 reaches a similarity of 97.12 on samples; about 1.2 MB of video are expected`.
    package var description: String {
        let found = "a CRF of \(crf.shortDescription) reaches a similarity of \(similarity.asPercent) on samples"
        guard let bytes else { return found }
        return found + "; about \(bytes.asSize) of video are expected"
    }
}

extension Double {
    /// The similarity in percent: `97.12` for 0.9712.
    fileprivate var asPercent: String { (self * 100).rounded(to: 2) }
}
