package import WayreelAV
public import WayreelCore

/// Transcodes videos: plan → check audio → poster → subtitles → encode and deliver.
///
/// It is created once for its options, which it checks, and runs for any number of videos on any number of threads.
public struct TranscodePipeline: Sendable {
    public let options: TranscodeOptions
    private let effects: Effects
    private let poster: PosterPipeline?
    private let delivery: any VideoDelivery

    /// Checks the options and loads the files that they name: `.cube` LUTs, overlay images.
    ///
    /// Throws a `parameter` error for invalid options, `io`, `limit` and `decoding` errors for files that cannot be
    /// used.
    public init(_ options: TranscodeOptions) throws(MediaError) { try self.init(options, emit: nil) }

    /// `emit` gets the files of an HLS package, for which no folder is made then.
    init(
        _ options: TranscodeOptions, emit: (@Sendable (HLSFile) throws(MediaError) -> Void)?
    ) throws(MediaError) {
        try options.check()
        self.options = options
        switch options.delivery {
        case .mp4: delivery = MP4Delivery()
        case .hls(let hls): delivery = HLSDelivery(options: hls, emit: emit)
        }
        effects = try Effects(
            filters: options.video.filters, overlays: options.video.overlays, limits: options.limits.forImages)
        poster = try options.poster.map { (settings) throws(MediaError) in
            var settings = settings
            settings.range = settings.range ?? options.range
            return try PosterPipeline(settings)
        }
    }

    /// Transcodes the video at `input` into the file, or for HLS the folder, at `output`, and writes the poster of
    /// the options to `posterPath`. Both are complete and new, or what was at their paths stays.
    ///
    /// `plan`: the plan to carry out as it is. It is refused if it differs from the current one, or copies what turns
    /// out to be damaged. The work runs on separate threads, of which `threads` decode; `progress` is called on the
    /// calling thread.
    package func run(
        _ input: String, to output: String, plan given: TranscodePlan? = nil, posterPath: String? = nil,
        ifExists: ExistingOutput = .replace, threads: Int = 2, task: TaskContext, progress: (TaskProgress) -> Void
    ) throws(MediaError) -> TranscodedVideo {
        let input = try task.step(.read) { () throws(MediaError) in try RereadableInput(input, task: task) }
        return try input.read { (source) throws(MediaError) in
            let (planned, file) = try task.step(.plan, on: .process) { () throws(MediaError) in
                try makePlan(source, given?.constraints, task: task)
            }
            try given?.check(isStill: planned)
            try planned.check()
            var attempts = AttemptLoop(planned, isGiven: given != nil, options)
            var audioCheck =
                planned.audio.contains { $0.action == .copy }
                ? try AudioCopyCheck(of: planned, source, limits: options.limits, task: task) : nil
            // The audio of a copied file is checked concurrently, because that is as fast. Encoded files wait for the
            // check, because repeating the encoding would be expensive.
            if planned.video?.action == .transcode || options.delivery != .mp4, let check = audioCheck {
                try task.step(.checkAudio, on: .process) { () throws(MediaError) in
                    _ = try attempts.next(after: AttemptFindings(damagedAudio: check.damage()), task)
                }
                audioCheck = nil
            }
            let plan = attempts.plan
            for warning in plan.warnings { task.warn(.plan, warning) }
            // The poster is made first, so that no video is delivered without it.
            let image = try posterPath == nil ? nil : makePoster(source, threads: threads, task: task)
            let texts = try task.step(.subtitles) { () throws(MediaError) in
                try TimedTexts(of: plan, source, limits: options.limits, task: task)
            }
            let meter = ProgressMeter(total: plan.seconds)
            var video = try task.step(.transcode, on: .process) { () throws(MediaError) in
                let job = TranscodeJob(
                    source: source, file: file, options: options, effects: effects, texts: texts, threads: threads,
                    output: output,
                    poster: posterPath.flatMap { path in
                        image.map { PosterFile(bytes: $0.bytes, path: path, ifExists: ifExists) }
                    },
                    ifExists: ifExists, attempts: attempts, audioCheck: audioCheck, meter: meter, task: task)
                return try delivery.deliver(plan, job) { progress(meter.state(at: $0)) }
            }
            video.poster = image
            return video
        }
    }

    /// Returns the plan and, if it copies anything, the file, open and unread.
    private func makePlan(
        _ source: MediaInput, _ constraints: PlanConstraints?, task: TaskContext
    ) throws(MediaError) -> (plan: TranscodePlan, file: Demuxer?) {
        let file = try Demuxer(source, limits: options.limits, task: task)
        // Without an index, planning reads the file to its end, and copying reads it again from the beginning.
        let isReadTwice = file.info.video.map { !file.hasIndex(of: $0.index) } ?? false
        let isLikelyCopied =
            isReadTwice && (try? TranscodePlan(of: file.info, options, constraints))?.copiesAny ?? false
        let ahead = isLikelyCopied ? PreopenedFile(source, limits: options.limits, task: task) : nil
        let plan = try TranscodePlan(
            of: MediaScan.info(of: file, limits: options.limits, task: task), options, constraints)
        guard plan.copiesAny else { return (plan, nil) }
        return (plan, file.isUnread ? file : ahead?.file())
    }

    private func makePoster(
        _ source: MediaInput, threads: Int, task: TaskContext
    ) throws(MediaError) -> Poster? {
        guard let poster else { return nil }
        let own = task.child()
        defer { task.merge(own) }
        return try task.step(.poster, on: .process) { () throws(MediaError) in
            try poster.make(source, threads: threads, task: own)
        }
    }
}

extension TranscodePipeline: MediaPipeline {
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: TranscodeTask, ifExists: ExistingOutput = .replace, threads: Int = 2,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        run(task, ifExists: ifExists, threads: threads, cancellation: cancellation) { _ in }
    }

    /// Transcodes the task's input on separate threads, of which `threads` decode, and writes each output atomically.
    /// `task.options` must equal the pipeline's options.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: TranscodeTask, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation,
        progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context, cpuOf: .process) {
            (report) throws(MediaError) in
            let video = try run(
                task.input, to: task.output, plan: task.plan, posterPath: task.poster, ifExists: ifExists,
                threads: threads, task: context, progress: progress)
            report.input = TaskReport.Media(path: task.input, video.plan.source)
            report.output = TaskReport.Media(
                path: task.output, video, format: options.delivery.hls == nil ? "mp4" : "hls")
            if let path = task.poster, let poster = video.poster {
                report.furtherOutputs = [TaskReport.Media(path: path, poster)]
            }
            report.streams = video.plan.streams
        }
    }
}

/// The last stage of the pipeline: encodes according to a plan, and writes the output in one format.
protocol VideoDelivery: Sendable {
    /// `progress` gets the position in seconds of output. Throws the errors of encoding and writing.
    func deliver(
        _ plan: TranscodePlan, _ job: TranscodeJob, progress: (Double) -> Void
    ) throws(MediaError) -> TranscodedVideo
}

/// A transcoded video.
public struct TranscodedVideo: Sendable {
    /// The plan as it was carried out: with the CRF that was found, and without streams that could not be decoded.
    public let plan: TranscodePlan
    public let seconds: Double
    /// The number of frames of a rendition; 0 if the video was copied.
    public let frames: Int
    /// The size of the file, or of all files of the folder.
    public let bytes: Int
    public internal(set) var poster: Poster?
}

/// One run of the pipeline: its source, options and output.
struct TranscodeJob {
    let source: MediaInput
    /// The source, open and unread; nil if it must be opened again.
    let file: Demuxer?
    let options: TranscodeOptions
    let effects: Effects
    /// The subtitles and chapters of the output.
    let texts: TimedTexts
    /// The number of threads per decoder.
    let threads: Int
    let output: String
    /// The encoded poster; nil for none.
    let poster: PosterFile?
    let ifExists: ExistingOutput
    /// What has been tried, and what may still be.
    let attempts: AttemptLoop
    /// The check of copied audio; nil if it has ended.
    let audioCheck: AudioCopyCheck?
    let meter: ProgressMeter
    let task: TaskContext

    func session(_ plan: TranscodePlan) -> TranscodeSession {
        TranscodeSession(plan, of: source, file, effects: effects, limits: options.limits, threads: threads)
    }
}

/// An encoded poster that is published together with its video.
package struct PosterFile: Sendable {
    package let bytes: [UInt8]
    package let path: String
    let ifExists: ExistingOutput

    /// Returns the poster, written beside its path and not published.
    ///
    /// Throws an `io` error, for example if the disk is full.
    package func written() throws(MediaError) -> any UnpublishedOutput {
        let sink = try AtomicOutput(path, ifExists: ifExists)
        try sink.write(bytes)
        return sink
    }
}

/// Opens a file on its own thread, ahead of its use.
final class PreopenedFile: Sendable {
    private let opened = BoundedQueue<Demuxer>(limit: 1)
    private let thread: WorkThread?

    init(_ source: MediaInput, limits: VideoLimits, task: TaskContext) {
        let own = task.child()
        thread = try? WorkThread("open") { [opened] in
            if let file = try? Demuxer(source, limits: limits, task: own) { _ = opened.put(file) }
            opened.finish()
            own.countThread()
        }
    }

    deinit { thread?.join() }

    /// Waits for the file. Returns nil if it cannot be opened: the caller then opens it again, which throws the
    /// reason.
    func file() -> Demuxer? { thread == nil ? nil : try? opened.take() }
}

/// An input that can be read several times: a pipe is spooled into an unnamed file.
package final class RereadableInput: Sendable {
    package let name: String
    private let source: MediaInput
    private let copy: SpooledInput?

    /// `path`: any path, or `-` for standard input.
    package init(_ path: String, task: TaskContext) throws(MediaError) {
        name = path == "-" ? "standard input" : path
        let given = MediaInput(path, raw: nil)
        copy = try SpooledInput(of: given, task: task)
        source = copy.map { .path($0.path) } ?? given
    }

    /// Calls `body` with the source, which is readable during the call. Errors contain the caller's name of the
    /// input.
    package func read<Result>(
        _ body: (MediaInput) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        do throws(MediaError) {
            return try withExtendedLifetime(self) { () throws(MediaError) in try body(source) }
        } catch {
            var named = error
            if named.subject == copy?.path { named.subject = nil }
            throw named.naming(name)
        }
    }
}
