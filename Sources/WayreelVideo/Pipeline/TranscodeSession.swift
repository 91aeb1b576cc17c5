package import WayreelAV
package import WayreelCore

/// Carries out a plan: decodes the video once, encodes each rendition and audio track on its own thread, and writes
/// them and the copied streams to a destination.
package struct TranscodeSession {
    let plan: TranscodePlan
    let source: MediaInput
    /// The source, if it is already open.
    let file: Demuxer?
    let effects: Effects
    let limits: VideoLimits
    /// The threads of the video decoder.
    let threads: Int
    /// The number of the pass, if there are two; the options of the rendition contain the path of its statistics.
    var pass: Int?
    /// The video, if it was encoded before.
    package var encoded: (any EncodedVideo)?
    /// Aligns the ends of audio and video.
    package var ending: EndAlignment?
    /// The receiver of thumbnails of the smallest rendition.
    package var thumbnails: ThumbnailRequest?

    package init(
        _ plan: TranscodePlan, of source: MediaInput, _ file: Demuxer?, effects: Effects, limits: VideoLimits,
        threads: Int
    ) {
        self.plan = plan
        self.source = source
        self.file = file
        self.effects = effects
        self.limits = limits
        self.threads = threads
    }

    package struct Outcome: Sendable {
        /// The number of frames of the first rendition.
        package var frames = 0
        /// The length of the output.
        package var seconds = 0.0
        /// Seconds by which the last frame is extended beyond its end in the source.
        package var heldSeconds = 0.0
        /// The size of the packets of the first rendition.
        package var videoBytes = 0
        /// The measured similarity of the first rendition; nil if no quality was asked for.
        package var similarity: Double?
        /// Audio streams that could not be decoded, with the reasons.
        package var lostAudio: [Int: String] = [:]
        /// Whether the frames of a copied video differ in size or scan, which its header does not reveal.
        package var isMixedCopy = false
    }

    /// Runs to the end. The caller finishes the destination.
    ///
    /// `progress` gets the position in seconds of output. Throws the first error of its threads.
    package func run(
        into destination: any TrackDestination, task: TaskContext, progress: (Double) -> Void
    ) throws(MediaError) -> Outcome {
        // Only copied streams are read from this file; decoders open their own.
        let file = plan.copiesAny ? try unreadFile(task) : nil
        var threads = Threads()
        var outcome = Outcome()
        if let video = plan.video {
            if let file, video.action == .copy {
                prepareCopy(of: video, file)
                threads.copies[video.stream] = try destination.sink(
                    forRendition: 0, copyOf: video.stream, of: file)
            } else if let encoded {
                try addRemux(of: encoded, video, to: &threads, destination, task)
            } else {
                try addEncoders(of: video, to: &threads, destination, task)
            }
        }
        for track in plan.audio {
            if let file, track.action == .copy {
                threads.copies[track.stream] = try destination.audioSink(copyOf: track.stream, of: file)
                continue
            }
            // Audio that cannot be decoded does not fail the video.
            do throws(MediaError) { try addEncoder(of: track, to: &threads, destination, task) } catch {
                guard plan.video != nil, error.kind == .decoding || error.kind == .unsupported else { throw error }
                task.warn(.audio, "\(error.reason); it is left out")
                outcome.lostAudio[track.stream] = error.reason
            }
        }
        if let file { addCopy(of: file, to: &threads, task) }
        try destination.begin()
        try threads.run(stop: { destination.stop() }, task: task) { seconds in
            outcome.seconds = max(outcome.seconds, seconds)
            // The positions of two streams may alternate.
            progress(outcome.seconds)
        }
        try report(threads, file, to: &outcome, task)
        return outcome
    }

    private func report(
        _ threads: Threads, _ file: Demuxer?, to outcome: inout Outcome, _ task: TaskContext
    ) throws(MediaError) {
        let decoded = try threads.decoding?.result()
        let renditions = try threads.encoders.map { (encoder) throws(MediaError) in try encoder.result() }
        decoded?.tally.check(written: renditions.map(\.frames), task)
        let made = encoded?.first ?? renditions.first ?? EncodedRendition()
        outcome.heldSeconds = encoded?.heldSeconds ?? decoded?.heldSeconds ?? 0
        (outcome.frames, outcome.videoBytes) = (made.frames, made.bytes)
        outcome.similarity = made.quality?.similarity
        if let file, let video = plan.video, video.action == .copy {
            outcome.isMixedCopy = file.changesSize(of: video.stream) || file.changesScan(of: video.stream)
        }
    }

    /// Returns the open file if nothing was read from it, which saves opening it again.
    private func unreadFile(_ task: TaskContext) throws(MediaError) -> Demuxer {
        if let file, file.isUnread { return file }
        return try Demuxer(source, limits: limits, task: task)
    }

    private func prepareCopy(of video: VideoPlan, _ file: Demuxer) {
        // Containers without an index round timestamps.
        if let rate = video.timing.grid, !file.hasIndex(of: video.stream) {
            file.alignTimestamps(of: video.stream, rate: rate, offset: video.timing.offset)
        }
        file.trackFormatChanges(of: video.stream)
    }

    /// The threads of a session, and their results.
    struct Threads {
        struct Job: Sendable {
            var name: String
            var task: TaskContext
            /// Stops the threads that wait for this one, or that it waits for.
            var stop: @Sendable () -> Void = {}
            var work: @Sendable (_ report: @Sendable (Double) -> Void) throws(MediaError) -> Void
        }

        var jobs: [Job] = []
        /// The destinations of copied streams.
        var copies: [Int: any PacketSink] = [:]
        var decoding: StageHandover<DecodeStage, DecodeStage.Outcome>?
        var encoders: [StageHandover<RenditionEncoder, EncodedRendition>] = []

        /// Runs all jobs to their end. `stop` ends the destination when one of them fails.
        func run(
            stop: @escaping @Sendable () -> Void, task: TaskContext, progress: (Double) -> Void
        ) throws(MediaError) {
            let stops = jobs.map(\.stop)
            let group = ThreadGroup<Double> {
                stop()
                for stop in stops { stop() }
            }
            for job in jobs { group.start(job.name, job.work) }
            defer { for job in jobs { task.merge(job.task) } }
            try group.wait(progress)
        }
    }

    // MARK: Video

    func addEncoders(
        of video: VideoPlan, to threads: inout Threads, _ destination: any TrackDestination, _ task: TaskContext
    ) throws(MediaError) {
        let reading = task.child()
        let file = try Demuxer(source, limits: limits, task: reading)
        let queues = video.renditions.map { _ in FrameQueue(ofRenditions: video.renditions.count) }
        let stage = try DecodeStage(
            file, video, threads: self.threads, limits: limits, queues: queues, heldUntil: ending?.heldUntil ?? 0,
            task: reading)
        let decoding = StageHandover<DecodeStage, DecodeStage.Outcome>(stage)
        threads.decoding = decoding
        threads.jobs.append(
            Threads.Job(name: "decode", task: reading, stop: { for queue in queues { queue.abandon() } }) {
                (_) throws(MediaError) in
                try decoding.run { (stage) throws(MediaError) in try stage.run() }
                try decoding.result().damage.warn(reading)
            })
        for index in video.renditions.indices {
            let own = task.child()
            let stage = try RenditionEncoder(video, rendition: index, effects: effects, pass: pass, task: own)
            let sink = try destination.sink(forRendition: index, encoder: stage.encoder)
            let encoder = StageHandover<RenditionEncoder, EncodedRendition>(stage)
            let request = index == video.smallestRendition ? thumbnails : nil
            threads.encoders.append(encoder)
            threads.jobs.append(
                Threads.Job(name: "encode", task: own) { [ending] (report) throws(MediaError) in
                    try encoder.run { (stage) throws(MediaError) in
                        var progress = ProgressThrottle()
                        let sampler = request?.sampler(timeBase: video.timing.timeBase)
                        try stage.run(queues[index], into: sink, thumbnails: sampler) { seconds in
                            if index == 0 { progress.report(seconds, report) }
                        }
                        if index == 0 { Self.endVideo(at: stage.result.end, report, ending) }
                        return stage.result
                    }
                })
        }
    }

    /// Writes the packets of a video that was encoded before.
    func addRemux(
        of encoded: any EncodedVideo, _ video: VideoPlan, to threads: inout Threads,
        _ destination: any TrackDestination, _ task: TaskContext
    ) throws(MediaError) {
        for index in video.renditions.indices {
            let own = task.child()
            // Only the encoder's header is used, which is the same for all chunks.
            let encoder = try RenditionEncoder(video, rendition: index, effects: effects, task: own)
            let sink = try destination.sink(forRendition: index, encoder: encoder.encoder)
            threads.jobs.append(
                Threads.Job(name: "join", task: own) { [ending] (report) throws(MediaError) in
                    try encoded.write(rendition: index, to: sink, task: own)
                    if index == 0 { Self.endVideo(at: encoded.first.end, report, ending) }
                })
        }
        guard let thumbnails else { return }
        let own = task.child()
        threads.jobs.append(
            Threads.Job(name: "preview", task: own) { (_) throws(MediaError) in
                try encoded.writeThumbnails(to: thumbnails.sink, task: own)
            })
    }

    private static func endVideo(at seconds: Double, _ report: (Double) -> Void, _ ending: EndAlignment?) {
        report(seconds)
        ending?.reportVideoEnd(seconds)
    }

    // MARK: Audio

    func addEncoder(
        of track: AudioPlan, to threads: inout Threads, _ destination: any TrackDestination, _ task: TaskContext
    ) throws(MediaError) {
        let own = task.child()
        let stage = try AudioTrackEncoder(source, track, gain: try gain(of: track, own), limits: limits, task: own)
        let sink = try destination.audioSink(of: track.stream, encoder: stage.encoder)
        let encoder = StageHandover<AudioTrackEncoder, Void>(stage)
        let reportsProgress = plan.video == nil
        let videoEnd = reportsProgress ? nil : ending?.videoEnds[track.stream]
        threads.jobs.append(
            Threads.Job(name: "audio", task: own, stop: { videoEnd?.abandon() }) { (report) throws(MediaError) in
                try encoder.run { (stage) throws(MediaError) in
                    var progress = ProgressThrottle()
                    try stage.run(into: sink, videoEnd: videoEnd) { seconds in
                        if reportsProgress { progress.report(seconds, report) }
                    }
                    if reportsProgress { report(stage.encoder.seconds) }
                }
            })
    }

    /// Returns the gain that brings a track to the loudness of its plan.
    private func gain(of track: AudioPlan, _ task: TaskContext) throws(MediaError) -> Double {
        guard track.loudness != nil else { return 1 }
        if let survey = ending?.surveys[track.stream] { return survey.gain }
        return try AudioSurvey(of: source, track, limits: limits, task: task).gain
    }

    // MARK: Copies

    func addCopy(of file: Demuxer, to threads: inout Threads, _ task: TaskContext) {
        let own = task.child()
        let copy = StreamCopy(file, to: threads.copies, limits: limits, task: own)
        let reportsProgress = plan.video?.action != .transcode
        threads.jobs.append(
            Threads.Job(name: "copy", task: own) { (report) throws(MediaError) in
                var progress = ProgressThrottle()
                try copy.run { seconds in if reportsProgress { progress.report(seconds, report) } }
                if reportsProgress { report(copy.end) }
            })
    }
}

extension TranscodePlan {
    /// Returns the plan as it was carried out.
    package func completed(by outcome: TranscodeSession.Outcome) -> TranscodePlan {
        var plan = self
        for (stream, reason) in outcome.lostAudio.sorted(by: { $0.key < $1.key }) {
            plan.audio.removeAll { $0.stream == stream }
            plan.dropped.append(DroppedStream(stream: stream, kind: .audio, reason: reason))
        }
        return plan
    }
}

/// Computes the progress of a task from its position, which may go back if a part of the work is repeated; the progress
/// does not. Must be used from a single thread.
package final class ProgressMeter {
    private let total: Double?
    /// The last position, and the largest so far.
    private var (last, largest) = (0.0, 0.0)
    /// When and where the work began to advance without going back, for its speed.
    private var (runStart, runOrigin) = (Clock.wall, 0.0)

    /// `total`: seconds of output, if known.
    package init(total: Double?) { self.total = total }

    /// Continues an earlier run, which made `seconds` of output. They are excluded from the speed.
    package func resume(at seconds: Double) { (last, runOrigin) = (seconds, seconds) }

    package func state(at seconds: Double) -> TaskProgress {
        let now = Clock.wall
        if seconds < last { (runStart, runOrigin) = (now, seconds) }
        (last, largest) = (seconds, max(largest, seconds))
        let speed = max(0, seconds - runOrigin) / max(now - runStart, 1e-6)
        let fraction = total.flatMap { $0 > 0 ? min(max(largest / $0, 0), 1) : nil }
        let left = total.flatMap { speed > 0 && fraction != nil ? max(0, $0 - seconds) / speed : nil }
        return TaskProgress(seconds: largest, fraction: fraction, speed: speed, secondsLeft: left)
    }
}

/// The positions of encodings of the same video, of which all but the last have failed to reach a size: each takes most
/// of what is left, so that another one can follow. The first usually suffices.
package struct RepeatedProgress {
    private static let share = 0.9

    /// The length of the video; nil if it is unknown.
    let total: Double?
    /// Where the next encoding begins.
    private var start: Double

    package init(total: Double?, from start: Double = 0) { (self.total, self.start) = (total, start) }

    /// Begins the next encoding. Returns the function from its position to that of the whole task.
    package mutating func next() -> (Double) -> Double {
        guard let total, total > start else { return { $0 } }
        let (from, share) = (start, Self.share * (total - start) / total)
        start += share * total
        return { from + min($0, total) * share }
    }
}

/// Reports the position of a thread at most ten times a second.
struct ProgressThrottle {
    private var last = Clock.wall

    mutating func report(_ seconds: Double, _ body: (Double) -> Void) {
        guard Clock.wall - last > 0.1 else { return }
        last = Clock.wall
        body(seconds)
    }
}
