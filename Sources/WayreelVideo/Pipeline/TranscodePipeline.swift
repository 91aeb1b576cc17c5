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
        look = try Look(filters: options.picture.filters, overlays: options.picture.overlays)
        if let settings = options.poster { poster = try PosterPipeline(settings) } else { poster = nil }
    }

    private func plan(_ original: MediaOriginal, watch: TaskWatch) throws(MediaError) -> TranscodePlan {
        do throws(MediaError) {
            let info = try MediaScan.info(of: original.source, limits: options.limits, watch: watch)
            return try TranscodePlan(of: info, options)
        } catch { throw original.named(error) }
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
        do throws(MediaError) {
            let plan = try watch.step("plan", on: .process) { () throws(MediaError) in
                try self.plan(original, watch: watch)
            }
            for warning in plan.warnings { watch.warn("plan", warning) }
            let meter = ProgressMeter(total: plan.source.seconds)
            let made = try watch.step("transcode", on: .process) { () throws(MediaError) in
                try deliver(plan, original, to: output, threads: threads, watch: watch) {
                    progress(meter.state(at: $0))
                }
            }
            var video = TranscodedVideo(plan: made.plan, seconds: made.seconds, frames: made.frames, bytes: made.bytes)
            if let poster, let posterPath {
                let picture = try watch.step("poster", on: .process) { () throws(MediaError) in
                    try poster.make(original.source, threads: threads, watch: watch.companion())
                }
                try OutputFile.write(picture.bytes, to: posterPath)
                video.poster = picture
            }
            return video
        } catch { throw original.named(error) }
    }

    private struct Delivered {
        var plan: TranscodePlan
        var seconds: Double
        var frames: Int
        var bytes: Int
    }

    private func deliver(
        _ plan: TranscodePlan, _ original: MediaOriginal, to output: String, threads: Int, watch: TaskWatch,
        progress: (Double) -> Void
    ) throws(MediaError) -> Delivered {
        switch options.delivery {
        case .mp4:
            let film = try FilmDelivery(
                source: original.source, options: options, look: look, threads: threads, output: output, watch: watch
            ).run(plan, progress: progress)
            return Delivered(plan: film.plan, seconds: film.seconds, frames: film.frames, bytes: film.bytes)
        case .hls(let hls):
            let package = try HLSPackage(output, plan: plan, options: hls)
            let preview = try plan.picture.flatMap { (picture) throws(MediaError) in
                try package.preview(timeBase: picture.timing.timeBase)
            }
            let outcome = try session(plan, original, threads).run(
                into: package, preview: preview, watch: watch, progress: progress)
            try DamageCheck(plan: plan, tolerance: options.tolerance).run(seconds: outcome.seconds, watch: watch)
            let report = try package.finish()
            for warning in report.warnings { watch.warn(warning.step, warning.message) }
            return Delivered(plan: plan, seconds: report.seconds, frames: outcome.frames, bytes: report.bytes)
        }
    }

    private func session(
        _ plan: TranscodePlan, _ original: MediaOriginal, _ threads: Int
    ) -> TranscodeSession {
        TranscodeSession(plan, of: original.source, look: look, limits: options.limits, threads: threads)
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

/// From seconds of output to what is told.
private struct ProgressMeter {
    private let total: Double?
    private let start = Clock.wall

    init(total: Double?) { self.total = total }

    func state(at seconds: Double) -> TaskProgress {
        let speed = seconds / max(Clock.wall - start, 1e-6)
        let fraction = total.flatMap { $0 > 0 ? min(max(seconds / $0, 0), 1) : nil }
        let left = total.flatMap { speed > 0 && fraction != nil ? max(0, $0 - seconds) / speed : nil }
        return TaskProgress(seconds: seconds, fraction: fraction, speed: speed, secondsLeft: left)
    }
}
