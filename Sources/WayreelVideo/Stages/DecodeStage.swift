package import WayreelAV
package import WayreelCore

/// Decodes a video once for all renditions: read → shared filters → retime → split into chunks → queues.
///
/// Must be used by one thread at a time.
final class DecodeStage {
    private let reader: FrameReader
    private let filters: FilterGraph?
    private var resume: ResumePoint?
    private var retimer: FrameRetimer
    private var chunks: IntervalSchedule?
    private var broadcast: FrameBroadcast
    private let range: TimeRange?
    private let limits: VideoLimits
    private let task: TaskContext
    /// The last frame that was kept, whose duration is not known yet.
    private var pending: Frame?
    private var hasKeptFrames = false
    private var hasReachedRangeEnd = false
    /// The damage before the delivered range.
    private var skipped = DecodingDamage()
    private var tally = FrameTally()

    /// What is known after the end.
    struct Outcome: Sendable {
        var tally: FrameTally
        /// The damage of the whole source, including that of chunks finished by an earlier run.
        var damage: DecodingDamage
        /// Seconds by which the last frame is extended beyond its end in the source.
        var heldSeconds: Double
    }

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
        let shared = plan.sharedFilters
        filters =
            shared.isEmpty
            ? nil
            : try FilterGraph(shared, timeBase: file.timeBase(of: plan.stream), threads: threads, task: task)
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

    /// The damage so far.
    private var damage: DecodingDamage {
        let before = resume?.start.damage ?? DecodingDamage()
        return DecodingDamage(
            lost: before.lost + reader.decoder.lost - skipped.lost,
            damaged: before.damaged + reader.decoder.damaged - skipped.damaged, jumps: retimer.clock.state.jumps,
            endedWithErrors: reader.file.endedWithErrors, collisions: retimer.clock.state.collisions)
    }

    /// Decodes to the end and ends the queues. Throws the error that stopped it.
    func run() throws(MediaError) -> Outcome {
        do throws(MediaError) {
            seekToStart()
            if let resume { try broadcast.startChunk(resume.start) }
            try decodeAll()
            broadcast.finish()
            return Outcome(tally: tally, damage: damage, heldSeconds: retimer.heldSeconds)
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
                .decoding, step: .decode, subject: reader.file.name,
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

    private func skipDamage() { skipped = DecodingDamage(lost: reader.decoder.lost, damaged: reader.decoder.damaged) }

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

/// Errors during the decoding of a video that did not stop it.
struct DecodingDamage: Hashable, Codable {
    /// The number of packets and frames that could not be decoded.
    var lost = 0
    /// The number of frames that were decoded with errors.
    var damaged = 0
    /// The number of positions at which the timestamps jump.
    var jumps = 0
    var endedWithErrors = false
    /// The number of frames that were dropped because their timestamps do not increase.
    var collisions = 0

    func warn(_ task: TaskContext) {
        if lost > 0 { task.warn(.decode, "frames that could not be decoded: \(lost)") }
        if damaged > 0 { task.warn(.decode, "damaged frames: \(damaged)") }
        if collisions > 0 {
            task.warn(.decode, "\(collisions) frames were dropped: their timestamps do not increase")
        }
        if jumps > 0 {
            task.warn(
                .decode,
                "positions where the timestamps of frames jump: \(jumps); the frames there follow each other without a gap"
            )
        }
        if endedWithErrors { task.warn(.read, "reading ended with errors; what was read before is kept") }
    }
}

extension MediaError {
    /// The error of a video without a frame that can be decoded.
    static func undecodable(codec: String? = nil, step: MediaError.Step = .decode) -> MediaError {
        let codec = codec.map { " (\($0))" } ?? ""
        return MediaError(
            .decoding, step: step, reason: "none of its frames\(codec) can be decoded",
            advice: "send the whole file, from its first keyframe on")
    }
}

/// Puts every frame into the queues of all renditions. Must be used by one thread at a time.
struct FrameBroadcast {
    private var queues: [FrameQueue]
    /// The queues of the chunks' queues, one per rendition; empty if the video is encoded as a whole.
    private let chunks: [BoundedQueue<ChunkQueue>]

    /// Sends the whole video to `queues`.
    init(to queues: [FrameQueue]) { (self.queues, chunks) = (queues, []) }

    /// Sends the frames of each chunk through a separate queue.
    init(inChunksTo chunks: [BoundedQueue<ChunkQueue>]) { (queues, self.chunks) = ([], chunks) }

    /// Ends the queues of the current chunk and opens those of the next.
    mutating func startChunk(_ start: ChunkStart) throws(MediaError) {
        for queue in queues { queue.finish() }
        queues = chunks.map { _ in FrameQueue(ofRenditions: chunks.count) }
        for (chunk, queue) in zip(chunks, queues) {
            guard chunk.put(ChunkQueue(start: start, frames: queue)) else { throw .cancelled(step: .decode) }
        }
    }

    /// Sends a copy of the frame to each rendition; the copies share its pixels.
    func put(_ frame: Frame, _ span: FrameRepeats.Span, task: TaskContext) throws(MediaError) {
        frame.time = span.pts
        frame.duration = span.end - span.pts
        for queue in queues {
            let copy = try frame.copy()
            guard try task.span("wait for an encoder", { queue.put(copy) }) else { throw .cancelled(step: .decode) }
        }
    }

    /// Ends all queues, with the error that stopped the decoder.
    func finish(_ failure: MediaError? = nil) {
        for queue in queues { queue.finish(failure) }
        for chunk in chunks { chunk.finish(failure) }
    }
}

/// Counts decoded frames by result: each is written, or dropped for a reason.
package struct FrameTally: Equatable {
    package var decoded = 0
    /// The number of frames that are dropped by the plan or because their timestamps do not increase: outside of the
    /// range, above the frame rate limit, or before the chunk with which an interrupted run resumes.
    package var dropped = 0
    /// The number of additional copies of frames that are shown for long.
    package var repeated = 0

    package init() {}

    /// Warns if the encoder of a rendition has written a different number of frames than expected.
    package func check(written: [Int], _ task: TaskContext) {
        let expected = decoded - dropped + repeated
        guard let count = written.first(where: { $0 != expected }) else { return }
        task.warn(.encode, "frames that should have been written: \(expected); written: \(count)")
    }
}

/// A queue of frames from the decoder to the encoder of one rendition, with PTS and durations in the plan's time
/// base.
package typealias FrameQueue = BoundedQueue<Frame>

extension BoundedQueue where Element == Frame {
    /// Creates a queue to one of `count` renditions. If there are several, the queues are longer, so that encoders
    /// can be ahead of each other.
    package convenience init(ofRenditions count: Int) { self.init(limit: count > 1 ? 4 : 1) }
}

/// A chunk of one rendition in transit to the encoder.
struct ChunkQueue: Sendable {
    let start: ChunkStart
    let frames: FrameQueue
}
