internal import WayreelCore

extension MP4Delivery {
    /// The first pass's share of the total work.
    private static let firstPass = 0.3

    /// Encodes, in two passes if the encoder supports them, until the file fits into `maxBytes`.
    func fit(
        _ plan: TranscodePlan, _ rendition: RenditionPlan, bitRate: Int, maxBytes: Int, _ job: TranscodeJob,
        _ progress: (Double) -> Void
    ) throws(MediaError) -> UnpublishedFile {
        let total = plan.seconds ?? 0
        let statistics = try PassStatistics(for: job.output)
        let firstOptions = statistics.options(of: rendition, pass: 1)
        if let firstOptions {
            var first = plan
            first.audio = []
            first.video?.renditions[0].options = firstOptions
            var session = job.session(first)
            session.pass = 1
            // The second pass repeats its warnings.
            _ = try session.run(into: DiscardingDestination(), task: job.task.child()) {
                progress($0 * Self.firstPass)
            }
        }
        var encoded: UnpublishedFile?
        var attempts = RepeatedProgress(total: plan.seconds, from: firstOptions == nil ? 0 : total * Self.firstPass)
        try SizeLimit(maxBytes: maxBytes).fit(bitRate: bitRate) { (bitRate) throws(MediaError) in
            let position = attempts.next()
            var second = plan
            second.video?.renditions[0].rate.bitRate = bitRate
            second.video?.renditions[0].options = statistics.options(of: rendition, pass: 2) ?? rendition.options
            var file = try write(second, job, pass: firstOptions == nil ? nil : 2) { progress(position($0)) }
            // The path of the statistics is not part of the report.
            file.plan.video?.renditions[0].options = rendition.options
            encoded = file
            return SizeLimit.Made(bytes: file.file.byteCount, packetBytes: file.videoBytes)
        }
        guard let encoded else { throw MediaError(.encoding, step: "encode", reason: "nothing was encoded") }
        return encoded
    }

    /// Makes a file of audio alone, at lower and lower bit rates until it fits into `maxBytes`.
    func fitAudio(
        _ plan: TranscodePlan, maxBytes: Int, _ job: TranscodeJob, _ progress: (Double) -> Void
    ) throws(MediaError) -> UnpublishedFile {
        let planned = plan.audio.reduce(0) { $0 + $1.bitRate }
        let limit = SizeLimit(
            maxBytes: maxBytes, minBitRate: plan.audio.reduce(0) { $0 + $1.minBitRate }, orElse: "")
        var encoded: UnpublishedFile?
        var attempts = RepeatedProgress(total: plan.seconds)
        try limit.fit(bitRate: planned) { (bitRate) throws(MediaError) in
            let position = attempts.next()
            var lower = plan
            if bitRate < planned {
                lower.audio = plan.audio.map { $0.lowered(to: Double(bitRate) / Double(planned)) }
            }
            let file = try write(lower, job) { progress(position($0)) }
            encoded = file
            return SizeLimit.Made(bytes: file.file.byteCount, packetBytes: file.file.byteCount)
        }
        guard let encoded else { throw MediaError(.encoding, step: "encode", reason: "nothing was encoded") }
        return encoded
    }
}
