internal import WayreelAV
internal import WayreelCore

/// Decodes a video once for all renditions: read → shared filters → retime → split into chunks → queues.
///
/// Must be used by one thread at a time.
final class DecodeStage: @unchecked Sendable {
    private let reader: FrameReader
    private let filters: FilterGraph?
    private var resume: ResumePoint?
    private var retimer: FrameRetimer
    /// The schedule of chunks.
    private var chunks: IntervalSchedule?
    private var broadcast: FrameBroadcast
    private let range: TimeRange?
    private let limits: VideoLimits
    private let task: TaskContext
    /// The last frame that was kept, whose duration is not known yet.
    private var pending: Frame?
    /// Whether a frame was kept.
    private var hasKeptFrames = false
    private var hasReachedRangeEnd = false
    /// The damage before the delivered range.
    private var skipped = DecodingDamage()
    private(set) var tally = FrameTally()

    /// The splitting of a video into chunks.
    struct Chunks {
        /// The start of the first chunk to be encoded.
        var start: ChunkStart
        /// The length of a chunk in seconds.
        var seconds: Double
        /// Whether each PTS occurs once in the source.
        var timesAreUnique: Bool
        /// The queues of chunks, one per rendition.
        var queues: [BoundedQueue<ChunkQueue>]
    }

    /// Sends the frames to `queues`, or in `chunks`. The last frame is shown at least until `heldUntil`, in seconds
    /// of output.
    init(
        _ file: Demuxer, _ plan: VideoPlan, threads: Int, limits: VideoLimits, queues: [FrameQueue] = [],
        chunks: Chunks? = nil, heldUntil: Double = 0, task: TaskContext
    ) throws(MediaError) {
        reader = try FrameReader(file, stream: plan.stream, threads: threads, limits: limits, task: task)
        filters =
            plan.sharedChain.isEmpty
            ? nil
            : try FilterGraph(
                plan.sharedChain, timeBase: file.timeBase(of: plan.stream), threads: threads, task: task)
        retimer = FrameRetimer(
            plan.timing, clock: Self.clock(of: plan, reader, chunks?.start.clock), rangeSeconds: plan.range?.length,
            heldUntil: heldUntil)
        resume = chunks.map { ResumePoint($0.start, timesAreUnique: $0.timesAreUnique) }
        self.chunks = chunks.map { IntervalSchedule(every: $0.seconds) }
        broadcast = chunks.map { FrameBroadcast(inChunksTo: $0.queues) } ?? FrameBroadcast(to: queues)
        range = plan.range
        self.limits = limits
        self.task = task
    }

    private static func clock(of plan: VideoPlan, _ reader: FrameReader, _ state: FrameClock.State?) -> FrameClock {
        // If the clock may restart, the file's length is computed from its first and last timestamps.
        let seconds = reader.file.maxTimestampGap == nil ? reader.stream.seconds ?? reader.file.info.seconds : nil
        return FrameClock(
            plan.timing, seconds: seconds.map { max(0, $0 - (plan.range?.start ?? 0)) },
            frameRate: reader.stream.videoProperties?.frameRate, maxGap: reader.file.maxTimestampGap,
            state: state ?? FrameClock.State())
    }

    /// The damage of the whole source so far, including that of chunks finished by an earlier run.
    var damage: DecodingDamage {
        let before = resume?.start.damage ?? DecodingDamage()
        return DecodingDamage(
            lost: before.lost + reader.lost - skipped.lost,
            damaged: before.damaged + reader.damaged - skipped.damaged, jumps: retimer.clock.state.jumps,
            endedWithErrors: reader.file.endedWithErrors, collisions: retimer.clock.state.collisions)
    }

    /// Seconds by which the last frame is extended beyond its end in the source.
    var heldSeconds: Double { retimer.heldSeconds }

    /// Decodes to the end and ends the queues. Throws the error that stopped it.
    func run() throws(MediaError) {
        do throws(MediaError) {
            seekToStart()
            if let resume { try broadcast.startChunk(resume.start) }
            try decodeAll()
            broadcast.finish()
        } catch {
            broadcast.finish(error)
            throw error
        }
    }

    /// The seconds that are decoded before the first frame, for filters that depend on previous frames.
    private static let preroll = 1.0

    /// Seeks to the start. Without an index, everything is decoded from the beginning, and unneeded frames are
    /// dropped.
    private func seekToStart() {
        if let resume, resume.start != .beginning {
            guard resume.timesAreUnique else { return }
            seek(to: reader.seconds(resume.start.sourceTime))
        } else if let range, range.start > 0, reader.file.maxTimestampGap == nil, resume?.timesAreUnique ?? true {
            seek(to: range.start)
        }
    }

    private func seek(to seconds: Double) {
        _ = reader.seek(before: seconds - Self.preroll, awaitsKeyFrame: false)
    }

    private func decodeAll() throws(MediaError) {
        while let frame = try filteredFrame() { try retime(frame) }
        if let last = retimer.finish() {
            try limits.check(seconds: retimer.seconds(last.end))
            try emit(last)
        }
        guard !hasKeptFrames else { return }
        if let range {
            throw MediaError(
                .decoding, step: "decode", subject: reader.file.name,
                reason: "no frame in it is shown \(range.description)",
                advice: "give other values of \(.rangeStart) and \(.rangeEnd)")
        }
        throw MediaError.undecodable().naming(reader.file.name)
    }

    private func filteredFrame() throws(MediaError) -> Frame? {
        guard let filters else { return try decodedFrame() }
        return try task.span("filter") { () throws(MediaError) in try filters.next(from: decodedFrame) }
    }

    private func decodedFrame() throws(MediaError) -> Frame? {
        guard !hasReachedRangeEnd, let frame = try reader.next() else { return nil }
        tally.decoded += 1
        return frame
    }

    private func retime(_ frame: Frame) throws(MediaError) {
        guard !hasReachedRangeEnd, let time = frame.time, isAfterResumePoint(time) else {
            tally.dropped += 1
            return
        }
        let seconds = reader.seconds(time)
        let before = retimer.clock.state
        let input = FrameRetimer.Input(
            seconds: seconds - (range?.start ?? 0), duration: reader.duration(of: frame),
            secondsLeft: reader.file.secondsLeft(after: seconds))
        switch retimer.add(input) {
        case .dropped:
            if range != nil || retimer.clock.state.dropped > before.dropped { tally.dropped += 1 }
            // Damage before the range is ignored.
            if range != nil, !hasKeptFrames, resume?.start ?? .beginning == .beginning { skipDamage() }
        case .ended(let previous):
            try emit(previous)
            hasReachedRangeEnd = true
            tally.dropped += 1
        case .kept(let pts, let previous):
            try limits.check(seconds: retimer.seconds(pts))
            try emit(previous)
            let isFirst = !hasKeptFrames
            hasKeptFrames = true
            if chunks?.interval(startingAt: retimer.seconds(pts)) != nil, !isFirst, let resume {
                try broadcast.startChunk(
                    ChunkStart(sourceTime: time, sourceFrames: resume.framesBefore, clock: before, damage: damage))
            }
            frame.requestKeyFrame(false)
            pending = frame
        }
    }

    private func isAfterResumePoint(_ time: Int64) -> Bool {
        guard let isReached = resume?.isReached else { return true }
        defer { if !isReached, resume?.start.sourceFrames ?? 0 > 0 { skipDamage() } }
        return resume?.passes(time) ?? true
    }

    private func skipDamage() { skipped = DecodingDamage(lost: reader.lost, damaged: reader.damaged) }

    private func emit(_ repeats: FrameRepeats?) throws(MediaError) {
        guard let repeats, let frame = pending else { return }
        pending = nil
        tally.repeated -= 1
        for span in repeats {
            try task.check()
            tally.repeated += 1
            try broadcast.put(frame, span, task: task)
        }
    }
}
