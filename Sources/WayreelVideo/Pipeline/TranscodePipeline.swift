internal import WayreelAV
public import WayreelCore

/// Transcodes videos: plan → decode → scale, tone-map, turn → filters → overlays → encode → MP4 or HLS, and a poster.
///
/// Made once for its options, which it checks, and used for any number of videos from any number of threads.
public struct TranscodePipeline: Sendable {
    public let options: TranscodeOptions
    private let look: Look
    private let poster: PosterPipeline?

    /// Checks the options and loads what they name: `.cube` tables, overlay pictures.
    ///
    /// Throws a `parameter` error for what cannot be, `io`, `limit` and `decoding` errors for files that cannot be used.
    public init(_ options: TranscodeOptions) throws(MediaError) {
        try options.check()
        self.options = options
        look = try Look(
            filters: options.picture.filters, overlays: options.picture.overlays, limits: options.limits.forImages)
        if var settings = options.poster {
            settings.range = settings.range ?? options.range
            poster = try PosterPipeline(settings)
        } else {
            poster = nil
        }
    }

    /// The plan, and where anything is taken over from the file, that, open and unread.
    private func plan(
        _ source: AudioSource, watch: TaskWatch
    ) throws(MediaError) -> (plan: TranscodePlan, file: MediaFile?) {
        let file = try MediaFile(source, limits: options.limits, watch: watch)
        // A container without an index is read to its end for the plan, and then once more from the beginning.
        let isReadTwice = file.info.video.map { !file.hasIndex(of: $0.index) } ?? false
        let isLikelyCopied = isReadTwice && (try? TranscodePlan(of: file.info, options))?.copiesAny ?? false
        let ahead =
            isLikelyCopied ? FileOpenedAhead(source, limits: options.limits, watch: watch) : nil
        let plan = try TranscodePlan(
            of: MediaScan.info(of: file, limits: options.limits, watch: watch), options)
        guard plan.copiesAny else { return (plan, nil) }
        return (plan, file.isUnread ? file : ahead?.file())
    }

    /// Transcodes the video at `input` into the file, or for HLS the folder, at `output`, and makes the poster of the options
    /// at `posterPath`. Each is there whole or not at all.
    ///
    /// Works on threads of its own, of which `threads` decode; `progress` is called on the calling one.
    package func run(
        _ input: String, to output: String, posterPath: String? = nil, threads: Int = 2, watch: TaskWatch,
        progress: (TaskProgress) -> Void
    ) throws(MediaError) -> TranscodedVideo {
        let original = try watch.step("read") { () throws(MediaError) in try MediaOriginal(input, watch: watch) }
        return try original.read { (source) throws(MediaError) in
            let (planned, file) = try watch.step("plan", on: .process) { () throws(MediaError) in
                try self.plan(source, watch: watch)
            }
            var (plan, audioCheck) = (planned, try audioCheck(of: planned, source, watch: watch))
            // Beside copying, which is as fast; encoding would be lost where it had to be done again.
            if plan.picture?.action == .transcode, let check = audioCheck {
                plan = try watch.step("check audio", on: .process) { () throws(MediaError) in
                    try check.correctedPlan(watch) ?? planned
                }
                audioCheck = nil
            }
            for warning in plan.warnings { watch.warn("plan", warning) }
            // First, so that no video stands there without its poster.
            let picture = try posterPath == nil ? nil : makePoster(source, threads: threads, watch: watch)
            let texts = try watch.step("subtitles") { () throws(MediaError) in
                try TimedTexts(of: plan, source, limits: options.limits, watch: watch)
            }
            let meter = ProgressMeter(total: plan.seconds)
            var video = try watch.step("transcode", on: .process) { () throws(MediaError) in
                let work = VideoWork(
                    source: source, file: file, options: options, look: look, texts: texts, threads: threads,
                    output: output, audioCheck: audioCheck, meter: meter, watch: watch)
                return try deliver(plan, by: work) { progress(meter.state(at: $0)) }
            }
            if let picture, let posterPath { try OutputFile.write(picture.bytes, to: posterPath) }
            video.poster = picture
            return video
        }
    }

    private func audioCheck(
        of plan: TranscodePlan, _ source: AudioSource, watch: TaskWatch
    ) throws(MediaError) -> AudioCopyCheck? {
        guard plan.audio.contains(where: { $0.action == .copy }) else { return nil }
        return try AudioCopyCheck(of: plan, source, options: options, watch: watch)
    }

    private func makePoster(
        _ source: AudioSource, threads: Int, watch: TaskWatch
    ) throws(MediaError) -> Poster? {
        guard let poster else { return nil }
        let own = watch.companion()
        defer { watch.adopt(own) }
        return try watch.step("poster", on: .process) { () throws(MediaError) in
            try poster.make(source, threads: threads, watch: own)
        }
    }

    private func deliver(
        _ plan: TranscodePlan, by work: VideoWork, progress: (Double) -> Void
    ) throws(MediaError) -> TranscodedVideo {
        switch options.delivery {
        case .mp4: try FilmDelivery(work: work).run(plan, progress: progress)
        case .hls(let hls): try PackageDelivery(work: work, options: hls).run(plan, progress: progress)
        }
    }
}

/// A video that was made ready, and how it came about.
public struct TranscodedVideo: Sendable {
    /// As it was carried out: with the rate factors that were found.
    public let plan: TranscodePlan
    public let seconds: Double
    /// Pictures of a rendition; 0 where they were copied.
    public let frames: Int
    /// Of the file, or of all files of the folder.
    public let bytes: Int
    public internal(set) var poster: Poster?

    init(plan: TranscodePlan, seconds: Double, frames: Int, bytes: Int) {
        self.plan = plan
        self.seconds = seconds
        self.frames = frames
        self.bytes = bytes
    }
}
