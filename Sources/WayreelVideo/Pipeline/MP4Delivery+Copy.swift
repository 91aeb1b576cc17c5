internal import WayreelAV
internal import WayreelCore

extension MP4Delivery {
    /// Returns a plan that encodes a video whose frames were found to differ in size or scan while it was copied.
    func reencoding(_ plan: TranscodePlan, _ job: TranscodeJob) throws(MediaError) -> TranscodePlan {
        var options = job.options
        options.video.alwaysEncodes = true
        var source = plan.source
        // Then only frames that are marked as interlaced are changed.
        if let stream = plan.video?.stream, let index = source.streams.firstIndex(where: { $0.index == stream }) {
            source.streams[index].videoProperties?.scan = .interlaced
        }
        var encoding = try TranscodePlan(of: source, options)
        encoding.audio = plan.audio
        encoding.video?.reasons = ["its size or scan changes within the stream"]
        return encoding
    }

    /// Returns a plan that copies the video if it is compliant and the encoded file is larger than the source.
    func copyFallback(
        for encoded: UnpublishedFile, _ plan: TranscodePlan, _ job: TranscodeJob
    ) throws(MediaError) -> TranscodePlan? {
        guard let bytes = plan.source.bytes, encoded.file.byteCount > bytes, plan.video?.action == .transcode,
            !job.options.video.alwaysEncodes
        else { return nil }
        // A high bit rate is then no longer a reason to encode it.
        var source = plan.source
        if let index = source.streams.firstIndex(where: { $0.index == plan.video?.stream }) {
            source.streams[index].bitRate = nil
        }
        var copy = try TranscodePlan(of: source, job.options)
        copy.source = plan.source
        return copy.video?.action == .copy ? copy : nil
    }

    /// Decodes the copied streams, to find damage in them.
    func decodeCopies(of plan: TranscodePlan, _ job: TranscodeJob) throws(MediaError) {
        let limits = job.options.limits
        if let video = plan.video, video.action == .copy {
            let file = try Demuxer(job.source, limits: limits, task: job.task)
            let decoding = try DecodeStage(file, video, threads: job.threads, limits: limits, task: job.task)
            try decoding.run()
            decoding.damage.warn(job.task)
        }
        for track in plan.audio where track.action == .copy {
            do throws(MediaError) {
                let reader = try AudioTrackEncoder.reader(of: job.source, track, limits: limits, task: job.task)
                while try reader.next() != nil { try job.task.check() }
            } catch {
                guard error.kind == .decoding else { throw error }
                job.task.warn("audio", error.reason)
            }
        }
    }
}
