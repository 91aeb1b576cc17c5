internal import WayreelAV
internal import WayreelCore

/// Makes one MP4 file: finds the CRF for a quality, enforces a maximum size, and copies a compliant source if
/// encoding made it larger.
struct MP4Delivery: VideoDelivery {
    /// Throws the errors of encoding and writing, and an `encoding` error if the file cannot be made to fit.
    func deliver(
        _ plan: TranscodePlan, _ job: TranscodeJob, progress: (Double) -> Void
    ) throws(MediaError) -> TranscodedVideo {
        // Written first: a path that cannot be written is found before hours of encoding.
        let poster = try job.poster?.written()
        var attempts = job.attempts
        var made = try make(plan, job, progress)
        var findings = Self.findings(of: made)
        // The muxer may have refused the audio because it is damaged.
        findings.damagedAudio = try job.audioCheck?.damage() ?? [:]
        while let plan = try attempts.next(after: findings, job.task) {
            let next = try make(plan, job, progress)
            findings = Self.findings(of: next)
            guard attempts.isAlternative else {
                made = next
                continue
            }
            let encoded = try made.get()
            var copied = try next.get()
            // Audio that cannot be copied may be larger than the source's.
            guard !copied.isMixedCopy, copied.file.byteCount < encoded.file.byteCount else { break }
            job.task.warn(.transcode, "encoding would make the file larger; the streams are copied")
            copied.chunks = encoded.chunks
            made = .success(copied)
        }
        let file = try made.get()
        warnOfQuality(of: file, job)
        if job.options.tolerance == .warning { try decodeCopies(of: file.plan, job) }
        let bytes = try job.keeping(file.chunks) { () throws(MediaError) in
            try DamageCheck(plan: file.plan, tolerance: job.options.tolerance).run(
                seconds: file.seconds, task: job.task)
            let bytes = file.file.byteCount
            try OutputGroup.publish([file.file] + (poster.map { [$0] } ?? []))
            return bytes
        }
        job.clear(file.chunks)
        return TranscodedVideo(plan: file.plan, seconds: file.seconds, frames: file.frames, bytes: bytes)
    }

    /// A complete file that is not published yet.
    struct UnpublishedFile {
        var plan: TranscodePlan
        var file: AtomicOutput
        var seconds: Double
        var frames: Int
        var videoBytes: Int
        /// The measured similarity; nil if no quality was asked for.
        var similarity: Double?
        var isMixedCopy: Bool
        /// The chunks that it was made of, to be removed once it is published.
        var chunks: ChunkFolder?
    }

    /// Carries out a plan. Returns an `encoding` error, after which another plan may succeed, and throws others.
    private func make(
        _ plan: TranscodePlan, _ job: TranscodeJob, _ progress: (Double) -> Void
    ) throws(MediaError) -> Result<UnpublishedFile, MediaError> {
        let planned = try withCRF(plan, job)
        let made = Result { () throws(MediaError) in try encode(planned, job, progress) }
        if case .failure(let error) = made, error.kind != .encoding { throw error }
        return made
    }

    private static func findings(of made: Result<UnpublishedFile, MediaError>) -> AttemptFindings {
        guard case .success(let file) = made else { return AttemptFindings() }
        let isLarger = file.plan.source.bytes.map { file.file.byteCount > $0 } ?? false
        return AttemptFindings(
            framesVary: file.isMixedCopy, isLarger: isLarger && file.plan.video?.action == .transcode)
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
        let file = try AtomicOutput(job.output, ifExists: job.ifExists, access: .seekable)
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

    /// Decodes the copied streams, to find damage in them.
    func decodeCopies(of plan: TranscodePlan, _ job: TranscodeJob) throws(MediaError) {
        let limits = job.options.limits
        if let video = plan.video, video.action == .copy {
            let file = try Demuxer(job.source, limits: limits, task: job.task)
            let decoding = try DecodeStage(file, video, threads: job.threads, limits: limits, task: job.task)
            try decoding.run().damage.warn(job.task)
        }
        for track in plan.audio where track.action == .copy {
            do throws(MediaError) {
                let reader = try AudioTrackEncoder.reader(of: job.source, track, limits: limits, task: job.task)
                while try reader.next() != nil { try job.task.check() }
            } catch {
                guard error.kind == .decoding else { throw error }
                job.task.warn(.audio, error.reason)
            }
        }
    }

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
                .quality,
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
            .quality,
            "the whole video reaches a similarity of \(measured.asPercent), less than the "
                + "\(target.asPercent) that were requested: its samples were easier to encode")
    }

    private static let ignoredMiss = 0.00005

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
        var attempts = RepeatedProgress(total: plan.seconds, from: firstOptions == nil ? 0 : total * Self.firstPass)
        return try SizeLimit(maxBytes: maxBytes).fit(bitRate: bitRate) { (bitRate) throws(MediaError) in
            let position = attempts.next()
            var second = plan
            second.video?.renditions[0].rate.bitRate = bitRate
            second.video?.renditions[0].options = statistics.options(of: rendition, pass: 2) ?? rendition.options
            var file = try write(second, job, pass: firstOptions == nil ? nil : 2) { progress(position($0)) }
            // The path of the statistics is not part of the report.
            file.plan.video?.renditions[0].options = rendition.options
            return (file, bytes: file.file.byteCount, packetBytes: file.videoBytes)
        }
    }

    /// Makes a file of audio alone, at lower and lower bit rates until it fits into `maxBytes`.
    func fitAudio(
        _ plan: TranscodePlan, maxBytes: Int, _ job: TranscodeJob, _ progress: (Double) -> Void
    ) throws(MediaError) -> UnpublishedFile {
        let planned = plan.audio.reduce(0) { $0 + $1.bitRate }
        let limit = SizeLimit(
            maxBytes: maxBytes, minBitRate: plan.audio.reduce(0) { $0 + $1.minBitRate }, orElse: "")
        var attempts = RepeatedProgress(total: plan.seconds)
        return try limit.fit(bitRate: planned) { (bitRate) throws(MediaError) in
            let position = attempts.next()
            var lower = plan
            if bitRate < planned {
                try job.attempts.require(!plan.copiesAny, "the plan copies audio that is larger than \(maxBytes) bytes")
                lower.audio = plan.audio.map { $0.lowered(to: Double(bitRate) / Double(planned)) }
            }
            let file = try write(lower, job) { progress(position($0)) }
            return (file, bytes: file.file.byteCount, packetBytes: file.file.byteCount)
        }
    }
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
