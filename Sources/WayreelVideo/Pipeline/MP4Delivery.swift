internal import WayreelAV
package import WayreelCore

/// Makes one MP4 file: finds the CRF for a quality, enforces a maximum size, and copies a compliant source if
/// encoding made it larger.
package struct MP4Delivery: VideoDelivery {
    package init() {}

    /// Throws the errors of encoding and writing, and an `encoding` error if the file cannot be made to fit.
    package func deliver(
        _ plan: TranscodePlan, _ job: TranscodeJob, progress: (Double) -> Void
    ) throws(MediaError) -> TranscodedVideo {
        // Written first: a path that cannot be written is found before hours of encoding.
        let poster = try job.poster?.written()
        var plan = plan
        var encoded = try encode(&plan, job, progress)
        if encoded.isMixedCopy { encoded = try encode(try withCRF(reencoding(plan, job), job), job, progress) }
        let chunks = encoded.chunks
        if let fallback = try copyFallback(for: encoded, plan, job) {
            let copied = try write(fallback, job, progress: progress)
            // Audio that cannot be copied may be larger than the source's.
            if !copied.isMixedCopy, copied.file.byteCount < encoded.file.byteCount {
                job.task.warn("transcode", "encoding would make the file larger; the streams are copied")
                encoded = copied
            }
        }
        warnOfQuality(of: encoded, job)
        if job.options.tolerance == .warning { try decodeCopies(of: encoded.plan, job) }
        let bytes = try job.keeping(chunks) { () throws(MediaError) in
            try DamageCheck(plan: plan, tolerance: job.options.tolerance).run(seconds: encoded.seconds, task: job.task)
            let bytes = encoded.file.byteCount
            try OutputGroup.publish([encoded.file] + (poster.map { [$0] } ?? []))
            return bytes
        }
        job.clear(chunks)
        return TranscodedVideo(plan: encoded.plan, seconds: encoded.seconds, frames: encoded.frames, bytes: bytes)
    }

    /// A complete file that is not published yet.
    struct UnpublishedFile {
        var plan: TranscodePlan
        var file: SeekableOutput
        var seconds: Double
        var frames: Int
        var videoBytes: Int
        /// The measured similarity; nil if no quality was asked for.
        var similarity: Double?
        var isMixedCopy: Bool
        /// The chunks that it was made of, to be removed once it is published.
        var chunks: ChunkFolder?
    }

    /// Encodes, and again with a corrected plan if copied audio was found to be damaged, which the muxer may refuse.
    private func encode(
        _ plan: inout TranscodePlan, _ job: TranscodeJob, _ progress: (Double) -> Void
    ) throws(MediaError) -> UnpublishedFile {
        let planned = try withCRF(plan, job)
        let first = Result { () throws(MediaError) in try encode(planned, job, progress) }
        if case .failure(let error) = first, error.kind != .encoding { throw error }
        guard let corrected = try job.audioCheck?.correctedPlan(job.task) else { return try first.get() }
        for warning in corrected.warnings where !plan.warnings.contains(warning) { job.task.warn("plan", warning) }
        plan = corrected
        return try encode(try withCRF(plan, job), job, progress)
    }

    /// Encodes once, or several times if the size is limited.
    private func encode(
        _ plan: TranscodePlan, _ job: TranscodeJob, _ progress: (Double) -> Void
    ) throws(MediaError) -> UnpublishedFile {
        if plan.video == nil, case .maxBytes(let maxBytes) = job.options.video.rate {
            return try fitAudio(plan, maxBytes: maxBytes, job, progress)
        }
        guard let rendition = plan.video?.renditions.first, let maxBytes = rendition.rate.maxBytes,
            let bitRate = rendition.rate.bitRate
        else { return try write(plan, job, progress: progress) }
        return try fit(plan, rendition, bitRate: bitRate, maxBytes: maxBytes, job, progress)
    }

    func write(
        _ plan: TranscodePlan, _ job: TranscodeJob, pass: Int? = nil, progress: (Double) -> Void
    ) throws(MediaError) -> UnpublishedFile {
        let file = try SeekableOutput(job.output, ifExists: job.ifExists)
        let chunks = pass == nil ? try job.encodeChunks(of: plan, progress) : nil
        return try job.keeping(chunks) { () throws(MediaError) in
            let writer = try MP4Writer(
                file, videoOffset: plan.video?.timing.offset ?? 0, texts: job.texts, streams: plan.source.streams)
            var session = job.session(plan)
            session.pass = pass
            session.encoded = chunks
            let outcome = try session.run(into: writer, task: job.task, progress: progress)
            try writer.finish()
            return UnpublishedFile(
                plan: plan.completed(by: outcome), file: file, seconds: outcome.seconds, frames: outcome.frames,
                videoBytes: outcome.videoBytes, similarity: outcome.similarity, isMixedCopy: outcome.isMixedCopy,
                chunks: chunks)
        }
    }
}
