package import WayreelAV
package import WayreelCore

/// Carries out a plan: decodes the pictures once, encodes every rendition and the sound each on a thread of its own, and
/// puts them, and what is copied, into a destination.
package struct TranscodeSession {
    let plan: TranscodePlan
    let source: AudioSource
    /// The same, open already.
    let file: MediaFile?
    let look: Look
    let limits: VideoLimits
    /// Threads that decode the pictures.
    let threads: Int
    /// Which of two; the options of the rendition tell the encoder where it keeps what the first has found out.
    var pass: Int?
    /// Where the pictures were encoded before, if they were.
    var parts: PartsFolder?
    /// Where sound and pictures are to end together.
    var ending: CommonEnding?

    package init(
        _ plan: TranscodePlan, of source: AudioSource, _ file: MediaFile?, look: Look, limits: VideoLimits, threads: Int
    ) {
        self.plan = plan
        self.source = source
        self.file = file
        self.look = look
        self.limits = limits
        self.threads = threads
    }

    /// What was made.
    package struct Outcome: Sendable {
        /// Pictures of a rendition.
        package var frames = 0
        /// Of the output.
        package var seconds = 0.0
        /// Of those, at the end: for which the last picture stays longer than in the source.
        package var heldSeconds = 0.0
        /// Of the packets of the first rendition.
        package var pictureBytes = 0
        /// Of the first rendition, as it was measured; nil where no quality was asked for.
        package var similarity: Double?
        /// Why there is no audio of a stream, by its index, where there was to be some.
        package var lostSounds: [Int: String] = [:]
        /// Whether pictures were taken over that do not all look as the first one: the file does not tell of them.
        package var isMixedCopy = false
    }

    /// Runs to the end. The destination is finished by the caller.
    ///
    /// `preview` is handed the pictures of the smallest rendition; `progress` is told how far, in seconds of output. Throws what
    /// stopped the first of the threads.
    package func run(
        into destination: any TrackDestination, preview: PreviewSheets? = nil, watch: TaskWatch,
        progress: (Double) -> Void
    ) throws(MediaError) -> Outcome {
        // Only what is copied is read here; pictures and sound are opened by those who decode them.
        let file = plan.copiesAny ? try unreadFile(watch) : nil
        var jobs: [Job] = []
        var copies: [Int: any PacketSink] = [:]
        var encoders: [RenditionEncoder] = []
        var frames: FrameSource?
        var outcome = Outcome()
        if let file, let picture = plan.picture, picture.action == .copy {
            // The index of other containers does not round.
            if let rate = picture.timing.grid, !file.hasIndex(of: picture.stream) {
                file.putOnGrid(picture.stream, rate: rate, offset: picture.timing.offset)
            }
            file.watchShapes(of: picture.stream)
            copies[picture.stream] = try destination.sink(forRendition: 0, copyOf: picture.stream, of: file)
        } else if let picture = plan.picture, let parts {
            jobs += try joinJobs(picture, parts, into: destination, preview, watch)
        } else if let picture = plan.picture {
            let made = try pictureJobs(picture, into: destination, preview, watch)
            (frames, encoders) = (made.source, made.encoders)
            jobs += made.jobs
        }
        for sound in plan.audio {
            if let file, sound.action == .copy {
                copies[sound.stream] = try destination.soundSink(copyOf: sound.stream, of: file)
                continue
            }
            // A sound that cannot be decoded is no reason to lose the pictures.
            do throws(MediaError) { jobs.append(try soundJob(sound, into: destination, watch)) } catch {
                guard plan.picture != nil, error.kind == .decoding || error.kind == .unsupported else { throw error }
                watch.warn("sound", "\(error.reason); it is left out")
                outcome.lostSounds[sound.stream] = error.reason
            }
        }
        if let file { jobs.append(copyJob(file, copies, watch)) }
        try destination.begin()
        let stops = jobs.map(\.stop)
        let crew = ThreadGroup<Double> {
            destination.stop()
            for stop in stops { stop() }
        }
        for job in jobs { crew.start(job.name, job.work) }
        defer { for job in jobs { watch.adopt(job.watch) } }
        try crew.wait { seconds in
            outcome.seconds = max(outcome.seconds, seconds)
            progress(seconds)
        }
        frames?.tally.check(written: encoders.map(\.count), watch)
        let joined = parts?.total(ofRendition: 0)
        outcome.heldSeconds = parts?.parts.last?.heldSeconds ?? frames?.heldSeconds ?? 0
        outcome.frames = joined?.frames ?? encoders.first?.count ?? 0
        outcome.pictureBytes = joined?.bytes ?? encoders.first?.bytes ?? 0
        outcome.similarity = (joined.map(\.quality) ?? encoders.first?.quality)?.similarity
        if let file, let picture = plan.picture, picture.action == .copy {
            outcome.isMixedCopy = file.changesSize(of: picture.stream) || file.changesScan(of: picture.stream)
        }
        return outcome
    }

    /// Where nothing was read of the file that is open, it need not be looked through once more.
    private func unreadFile(_ watch: TaskWatch) throws(MediaError) -> MediaFile {
        if let file, file.isUnread { return file }
        return try MediaFile(source, limits: limits, watch: watch)
    }

    /// What one thread does.
    private struct Job: Sendable {
        /// Of the thread.
        var name: String
        var watch: TaskWatch
        /// Has the threads that wait for this one, or that it waits for, end.
        var stop: @Sendable () -> Void = {}
        var work: @Sendable (_ tell: @Sendable (Double) -> Void) throws(MediaError) -> Void
    }

    private func pictureJobs(
        _ picture: PicturePlan, into destination: any TrackDestination, _ preview: PreviewSheets?, _ watch: TaskWatch
    ) throws(MediaError) -> (jobs: [Job], source: FrameSource, encoders: [RenditionEncoder]) {
        let reading = watch.companion()
        let file = try MediaFile(source, limits: limits, watch: reading)
        let lines = picture.renditions.map { _ in FrameSource.makeLine(ofRenditions: picture.renditions.count) }
        let source = try FrameSource(
            file, picture, threads: threads, limits: limits, lines: lines, heldUntil: ending?.heldUntil ?? 0,
            watch: reading)
        var jobs = [
            Job(name: "decode", watch: reading, stop: { for line in lines { line.abandon() } }) {
                (_) throws(MediaError) in
                try source.run()
                source.damage.warn(reading)
            }
        ]
        let frameRate = file.info.streams[picture.stream].picture?.frameRate
        var encoders: [RenditionEncoder] = []
        for index in picture.renditions.indices {
            let own = watch.companion()
            let encoder = try RenditionEncoder(
                picture, rendition: index, look: look, frameRate: frameRate, pass: pass, watch: own)
            let sink = try destination.sink(forRendition: index, encoder: encoder.encoder)
            let isObserved = index == picture.smallestRendition
            let observer = isObserved ? preview?.sampler(timeBase: picture.timing.timeBase) : nil
            encoders.append(encoder)
            jobs.append(
                Job(name: "encode", watch: own) { (tell) throws(MediaError) in
                    var report = ProgressReport()
                    try encoder.run(lines[index], into: sink, observer: observer) { seconds in
                        if index == 0 { report.note(seconds, tell) }
                    }
                    if index == 0 { end(encoder.end, tell) }
                })
        }
        return (jobs, source, encoders)
    }

    /// The pictures have come to their end, in seconds.
    private func end(_ seconds: Double, _ tell: (Double) -> Void) {
        tell(seconds)
        ending?.tellPictureEnd(seconds)
    }

    /// Put together what was encoded in parts.
    private func joinJobs(
        _ picture: PicturePlan, _ parts: PartsFolder, into destination: any TrackDestination,
        _ preview: PreviewSheets?, _ watch: TaskWatch
    ) throws(MediaError) -> [Job] {
        let frameRate = plan.source.streams[picture.stream].picture?.frameRate
        var jobs: [Job] = []
        for index in picture.renditions.indices {
            let own = watch.companion()
            // It is not used but for its header, which is the same for all parts.
            let encoder = try RenditionEncoder(
                picture, rendition: index, look: look, frameRate: frameRate, watch: own)
            let sink = try destination.sink(forRendition: index, encoder: encoder.encoder)
            jobs.append(
                Job(name: "join", watch: own) { (tell) throws(MediaError) in
                    try parts.join(rendition: index, into: sink, watch: own)
                    if index == 0 { end(parts.parts.last?.end ?? 0, tell) }
                })
        }
        if let preview {
            let own = watch.companion()
            jobs.append(
                Job(name: "preview", watch: own) { (_) throws(MediaError) in
                    for number in parts.parts.indices {
                        try own.check()
                        try PreviewFile.read(parts.pictures(ofPart: number), preview.add)
                    }
                })
        }
        return jobs
    }

    private func soundJob(
        _ sound: SoundPlan, into destination: any TrackDestination, _ watch: TaskWatch
    ) throws(MediaError) -> Job {
        let own = watch.companion()
        let track = try SoundTrack(
            source, sound, gain: try gain(for: sound, own), limits: limits, watch: own)
        let sink = try destination.soundSink(of: sound.stream, encoder: track.encoder)
        let pictureEnd = plan.picture == nil ? nil : ending?.pictureEnd(for: sound)
        return Job(name: "sound", watch: own, stop: { pictureEnd?.abandon() }) { (_) throws(MediaError) in
            try track.run(into: sink, pictureEnd: pictureEnd)
        }
    }

    /// The factor that brings the sound to the loudness that is asked for.
    private func gain(for sound: SoundPlan, _ watch: TaskWatch) throws(MediaError) -> Double {
        guard sound.loudness != nil else { return 1 }
        if let survey = ending?.survey(of: sound) { return survey.gain }
        return try SoundSurvey(of: source, sound, limits: limits, watch: watch).gain
    }

    private func copyJob(_ file: MediaFile, _ sinks: [Int: any PacketSink], _ watch: TaskWatch) -> Job {
        let own = watch.companion()
        let copy = StreamCopy(file, to: sinks, limits: limits, watch: own)
        let isAllThereIs = plan.picture?.action != .transcode
        return Job(name: "copy", watch: own) { (tell) throws(MediaError) in
            var report = ProgressReport()
            try copy.run { seconds in if isAllThereIs { report.note(seconds, tell) } }
            if isAllThereIs { tell(copy.end) }
        }
    }
}

extension TranscodePlan {
    /// As it was carried out.
    func settled(by outcome: TranscodeSession.Outcome) -> TranscodePlan {
        var plan = self
        for (stream, reason) in outcome.lostSounds.sorted(by: { $0.key < $1.key }) {
            plan.audio.removeAll { $0.stream == stream }
            plan.dropped.append(DroppedStream(stream: stream, kind: .sound, reason: reason))
        }
        return plan
    }
}

/// Passes on how far a thread has come, ten times a second.
struct ProgressReport {
    private var last = Clock.wall

    mutating func note(_ seconds: Double, _ tell: (Double) -> Void) {
        guard Clock.wall - last > 0.1 else { return }
        last = Clock.wall
        tell(seconds)
    }
}

extension FrameSource.Damage {
    /// Tells what was wrong with the pictures but could be helped.
    func warn(_ watch: TaskWatch) {
        if lost > 0 { watch.warn("decode", "frames that could not be decoded: \(lost)") }
        if damaged > 0 { watch.warn("decode", "damaged frames: \(damaged)") }
        if collisions > 0 {
            watch.warn("decode", "\(collisions) frames were dropped: their timestamps do not increase")
        }
        if jumps > 0 {
            watch.warn(
                "decode",
                "places where the timestamps of frames jump: \(jumps); the frames follow each other there")
        }
        if isCutShort { watch.warn("read", "the file breaks off; what was there is kept") }
    }
}
