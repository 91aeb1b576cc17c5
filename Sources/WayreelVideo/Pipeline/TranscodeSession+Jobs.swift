internal import WayreelAV
internal import WayreelCore

extension TranscodeSession {
    /// The threads of a session, and their results.
    struct Threads {
        struct Job: Sendable {
            /// The name of the thread.
            var name: String
            var task: TaskContext
            /// Stops the threads that wait for this one, or that it waits for.
            var stop: @Sendable () -> Void = {}
            var work: @Sendable (_ report: @Sendable (Double) -> Void) throws(MediaError) -> Void
        }

        var jobs: [Job] = []
        /// The destinations of copied streams.
        var copies: [Int: any PacketSink] = [:]
        var decoding: DecodeStage?
        var encoders: [RenditionEncoder] = []

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
        let decoding = try DecodeStage(
            file, video, threads: self.threads, limits: limits, queues: queues, heldUntil: ending?.heldUntil ?? 0,
            task: reading)
        threads.decoding = decoding
        threads.jobs.append(
            Threads.Job(name: "decode", task: reading, stop: { for queue in queues { queue.abandon() } }) {
                (_) throws(MediaError) in
                try decoding.run()
                decoding.damage.warn(reading)
            })
        for index in video.renditions.indices {
            let own = task.child()
            let encoder = try RenditionEncoder(video, rendition: index, effects: effects, pass: pass, task: own)
            let sink = try destination.sink(forRendition: index, encoder: encoder.encoder)
            let sampler =
                index == video.smallestRendition ? thumbnails?.sampler(timeBase: video.timing.timeBase) : nil
            threads.encoders.append(encoder)
            threads.jobs.append(
                Threads.Job(name: "encode", task: own) { (report) throws(MediaError) in
                    var progress = ProgressThrottle()
                    try encoder.run(queues[index], into: sink, thumbnails: sampler) { seconds in
                        if index == 0 { progress.report(seconds, report) }
                    }
                    if index == 0 { endVideo(at: encoder.result.end, report) }
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
                Threads.Job(name: "join", task: own) { (report) throws(MediaError) in
                    try encoded.write(rendition: index, to: sink, task: own)
                    if index == 0 { endVideo(at: encoded.first.end, report) }
                })
        }
        guard let thumbnails else { return }
        let own = task.child()
        threads.jobs.append(
            Threads.Job(name: "preview", task: own) { (_) throws(MediaError) in
                try encoded.writeThumbnails(to: thumbnails.sink, task: own)
            })
    }

    private func endVideo(at seconds: Double, _ report: (Double) -> Void) {
        report(seconds)
        ending?.reportVideoEnd(seconds)
    }

    // MARK: Audio

    func addEncoder(
        of track: AudioPlan, to threads: inout Threads, _ destination: any TrackDestination, _ task: TaskContext
    ) throws(MediaError) {
        let own = task.child()
        let encoder = try AudioTrackEncoder(source, track, gain: try gain(of: track, own), limits: limits, task: own)
        let sink = try destination.audioSink(of: track.stream, encoder: encoder.encoder)
        let reportsProgress = plan.video == nil
        let videoEnd = reportsProgress ? nil : ending?.videoEnd(for: track)
        threads.jobs.append(
            Threads.Job(name: "audio", task: own, stop: { videoEnd?.abandon() }) { (report) throws(MediaError) in
                var progress = ProgressThrottle()
                try encoder.run(into: sink, videoEnd: videoEnd) { seconds in
                    if reportsProgress { progress.report(seconds, report) }
                }
                if reportsProgress { report(encoder.encoder.seconds) }
            })
    }

    /// Returns the gain that brings a track to the loudness of its plan.
    private func gain(of track: AudioPlan, _ task: TaskContext) throws(MediaError) -> Double {
        guard track.loudness != nil else { return 1 }
        if let survey = ending?.survey(of: track) { return survey.gain }
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
