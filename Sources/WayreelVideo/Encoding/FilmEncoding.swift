package import WayreelAV
package import WayreelCore

/// Carries out a plan whose delivery is one MP4 file: each track on threads of its own.
package struct FilmEncoding {
    package let plan: TranscodePlan
    package let source: AudioSource
    package let look: Look
    package let limits: VideoLimits
    /// Threads that decode the pictures.
    package let threads: Int

    package init(
        _ plan: TranscodePlan, of source: AudioSource, look: Look, limits: VideoLimits, threads: Int
    ) {
        self.plan = plan
        self.source = source
        self.look = look
        self.limits = limits
        self.threads = threads
    }

    /// What was made.
    package struct Outcome: Sendable {
        package var frames = 0
        /// Of the output.
        package var seconds = 0.0
        package var bytes = 0
    }

    /// Writes the whole file into `output`, which the caller finishes; `progress` is told how far, in seconds.
    package func run(
        into output: SeekableOutput, watch: TaskWatch, progress: (Double) -> Void
    ) throws(MediaError) -> Outcome {
        let writer = try FilmWriter(output)
        var jobs: [Job] = []
        var copies: [Int: any PacketSink] = [:]
        let file = try MediaFile(source, limits: limits, watch: watch)
        if let picture = plan.picture {
            switch picture.action {
            case .copy: copies[picture.stream] = try writer.add(copyOf: picture.stream, of: file)
            case .transcode:
                jobs += try pictureJobs(picture, writer: writer, watch: watch)
            }
        }
        if let sound = plan.sound {
            switch sound.action {
            case .copy: copies[sound.stream] = try writer.add(copyOf: sound.stream, of: file)
            case .transcode: jobs.append(try soundJob(sound, writer: writer, watch: watch))
            }
        }
        if !copies.isEmpty { jobs.append(copyJob(file, copies, watch: watch)) }
        try writer.begin()
        var outcome = Outcome()
        let stops = jobs.map(\.stop)
        let crew = WorkCrew<Double> {
            writer.stop()
            for stop in stops { stop() }
        }
        for job in jobs { crew.start(job.work) }
        defer { for job in jobs { watch.adopt(job.watch) } }
        try crew.wait { seconds in
            outcome.seconds = max(outcome.seconds, seconds)
            progress(seconds)
        }
        for job in jobs { outcome.frames += job.frames() }
        try writer.finish()
        outcome.bytes = output.byteCount
        return outcome
    }

    /// What one thread does.
    private struct Job: Sendable {
        var watch: TaskWatch
        var stop: @Sendable () -> Void = {}
        /// Pictures that were encoded, when it has ended.
        var frames: @Sendable () -> Int = { 0 }
        var work: @Sendable (_ tell: @Sendable (Double) -> Void) throws(MediaError) -> Void
    }

    private func pictureJobs(
        _ picture: PicturePlan, writer: FilmWriter, watch: TaskWatch
    ) throws(MediaError) -> [Job] {
        let rendition = picture.renditions[0]
        let line = FrameLine(limit: 4)
        let reading = watch.companion()
        let encoding = watch.companion()
        let file = try MediaFile(source, limits: limits, watch: reading)
        let source = try FrameSource(
            file, picture, threads: threads, limits: limits, lines: [line], watch: reading)
        let encoder = try RenditionEncoder(
            rendition, timing: picture.timing, look: look,
            frameRate: file.info.streams[picture.stream].picture?.frameRate, watch: encoding)
        let sink = try writer.add(encoder.encoder)
        return [
            Job(watch: reading, stop: { line.abandon() }) { (_) throws(MediaError) in
                do throws(MediaError) {
                    try source.run()
                    line.finish()
                } catch {
                    line.finish(error)
                    throw error
                }
                source.damage.warn(reading)
            },
            Job(watch: encoding, frames: { encoder.count }) { (tell) throws(MediaError) in
                var told = Clock.wall
                try encoder.run(line, into: sink) { seconds in
                    guard Clock.wall - told > 0.1 else { return }
                    told = Clock.wall
                    tell(seconds)
                }
                tell(encoder.end)
            },
        ]
    }

    private func soundJob(_ sound: SoundPlan, writer: FilmWriter, watch: TaskWatch) throws(MediaError) -> Job {
        let own = watch.companion()
        let track = try SoundTrack(source, sound, limits: limits, watch: own)
        let sink = try writer.add(track.encoder)
        let isAlone = plan.picture == nil
        return Job(watch: own) { (tell) throws(MediaError) in
            try track.run(into: sink) { seconds in if isAlone { tell(seconds) } }
        }
    }

    private func copyJob(_ file: MediaFile, _ sinks: [Int: any PacketSink], watch: TaskWatch) -> Job {
        let own = watch.companion()
        let copy = StreamCopy(file, to: sinks, watch: own)
        let tells = plan.picture?.action != .transcode
        return Job(watch: own) { (tell) throws(MediaError) in
            var told = Clock.wall
            var end = 0.0
            try copy.run { seconds in
                end = max(end, seconds)
                guard tells, Clock.wall - told > 0.1 else { return }
                told = Clock.wall
                tell(end)
            }
            if tells { tell(end) }
        }
    }
}

extension FrameSource.Damage {
    /// Tells what was wrong with the pictures but could be helped.
    func warn(_ watch: TaskWatch) {
        if lost > 0 { watch.warn("decode", "pictures that could not be decoded: \(lost)") }
        if damaged > 0 { watch.warn("decode", "pictures with damage in them: \(damaged)") }
        if jumps > 0 { watch.warn("decode", "places where the times of pictures jump: \(jumps); they are put in a row") }
        if isCutShort { watch.warn("read", "the file breaks off; what was there is kept") }
    }
}
