package import WayreelCore

/// Maps the timestamps of a source to PTS of the output, which are whole units of its time base and increase.
///
/// Frames before 0 are dropped. Timestamps that jump back, or beyond the length of the file, are treated as damage:
/// frames there follow each other without a gap.
package struct FrameClock: Sendable {
    /// The state of the clock between frames.
    package struct State: Hashable, Sendable, Codable {
        /// The last frame that was kept: its PTS, and its time on the file's timeline in seconds.
        package struct Last: Hashable, Sendable, Codable {
            package var pts: Int64
            package var seconds: Double
        }

        package var last: Last?
        /// The earliest time of the next frame in seconds, if the frame rate is capped.
        package var due = 0.0
        /// The seconds that are added to the file's timestamps because of jumps.
        package var shift = 0.0
        /// The number of positions at which the timestamps jump.
        package var jumps = 0
        package var dropped = 0
        /// The number of frames that were dropped because their timestamps do not increase, not because of a frame
        /// rate limit.
        package var collisions = 0

        package init() {}
    }

    private let timing: FrameTiming
    private let frameSeconds: Double
    /// The rounding tolerance in grid steps: 0.5 = nearest. If the grid is slower than the source, it is half of the
    /// source's interval, so that the first frame of each step is kept.
    private let slack: Double
    /// The last plausible time in seconds, if the length of the stream is known.
    private let lastPlausible: Double?
    /// The longest gap between frames in seconds; longer gaps are jumps of the file's clock. nil: no limit.
    private let maxGap: Double?
    /// Whether the grid is slower than the source, so that several source frames share a step.
    private let isReduced: Bool
    package private(set) var state: State

    /// The minimum backward step of the file's clock in seconds that is not jitter.
    private static let tolerance = 0.5
    /// The longest duration of the last frame of a file of unknown length, in seconds.
    private static let maxUnknownDuration = 60.0
    /// Timestamps beyond it are damaged, in seconds.
    static let maxSeconds = 1e9

    /// `seconds`: the length of the stream, if known; `frameRate`: that of the source.
    package init(
        _ timing: FrameTiming, seconds: Double?, frameRate: Rational?, maxGap: Double? = nil, state: State = State()
    ) {
        self.maxGap = maxGap
        self.timing = timing
        self.state = state
        frameSeconds = 1 / (timing.grid ?? frameRate ?? 25).value
        let steps = timing.grid.flatMap { grid in frameRate.map { grid.value / $0.value } } ?? 1
        isReduced = timing.cap != nil || steps < 0.999
        slack = timing.cap == nil ? 0.5 : 0.5 * min(1, steps)
        lastPlausible = seconds.map { $0 * 1.01 + 30 }
    }

    /// The default duration of a frame in units of the output, if nothing else is known.
    var defaultDuration: Int64 {
        let seconds = max(frameSeconds, 1 / (timing.cap ?? FrameTiming.maxRate).value)
        return max(1, Int64((seconds / timing.timeBase.value).rounded()))
    }

    /// Returns the end of the last frame, which the file shows from `pts` to `end`, limited to what is plausible; in
    /// units of the output.
    func lastEnd(_ end: Int64, from pts: Int64) -> Int64 {
        let seconds = lastPlausible ?? Double(pts) * timing.timeBase.value + (maxGap ?? Self.maxUnknownDuration)
        let plausible = Int64(min(seconds / timing.timeBase.value, 1e15).rounded(.down))
        return max(pts + defaultDuration, min(end, plausible))
    }

    /// Returns the PTS of the frame that the source shows at `seconds`, at least 0, or nil if it is dropped.
    mutating func pts(at seconds: Double) -> Int64? {
        var time = seconds + state.shift
        let end = lastPlausible ?? .infinity
        if let last = state.last,
            time < last.seconds - Self.tolerance || time > end && last.seconds <= end
                || time > last.seconds + (maxGap ?? .infinity)
        {
            let next = last.seconds + frameSeconds
            state.shift += next - time
            state.jumps += 1
            time = next
        }
        guard time.isFinite, time.magnitude < Self.maxSeconds else { return nil }
        let step = timing.grid.map { 1 / $0.value } ?? timing.timeBase.value
        // Up to half a step before 0 is rounded to 0.
        let index = ((time - timing.offset) / step + slack).rounded(.down)
        guard index >= 0 else { return nil }
        var pts = Int64((index * step / timing.timeBase.value).rounded())
        if state.last == nil, timing.repeatInterval != nil { pts = 0 }
        if let last = state.last {
            guard pts > last.pts else {
                if !isReduced { state.collisions += 1 }
                return drop()
            }
        }
        if let cap = timing.cap?.value {
            // Jitter around the cap drops no frames, and does not accumulate.
            let early = timing.grid.map { slack / $0.value } ?? 0.45 / cap
            let late = time - timing.offset - state.due
            guard late >= -early else { return drop() }
            state.due += (late > early ? late : 0) + 1 / cap
        }
        state.last = State.Last(pts: pts, seconds: time)
        return pts
    }

    private mutating func drop() -> Int64? {
        state.dropped += 1
        return nil
    }
}

/// The position in the source at which a chunk begins, and the state of the stages at that point.
struct ChunkStart: Sendable, Codable, Equatable {
    /// The PTS of the first frame in the stream's time base.
    var sourceTime: Int64
    /// The number of source frames before the chunk.
    var sourceFrames: Int
    /// The clock before the first frame; nil: at the beginning of the source.
    var clock: FrameClock.State?
    /// The damage before the chunk.
    var damage = DecodingDamage()

    static let beginning = ChunkStart(sourceTime: .min, sourceFrames: 0, clock: nil)
}

/// Skips the frames before the chunk with which an interrupted encoding resumes.
struct ResumePoint {
    let start: ChunkStart
    /// Whether each PTS occurs once in the source, so that the first frame is identified by its PTS; otherwise frames
    /// are counted.
    let timesAreUnique: Bool
    private(set) var isReached = false
    /// The number of source frames so far, or since the start was reached.
    private var frames = 0

    init(_ start: ChunkStart, timesAreUnique: Bool) {
        self.start = start
        self.timesAreUnique = timesAreUnique
    }

    /// The number of source frames before the current one.
    var framesBefore: Int { start.sourceFrames + frames - 1 }

    /// Counts the source frame at `time`. Returns whether it is the first frame of the chunk or a later one.
    mutating func passes(_ time: Int64) -> Bool {
        frames += 1
        guard !isReached else { return true }
        isReached = timesAreUnique ? time >= start.sourceTime : frames > start.sourceFrames
        if isReached { frames = 1 }
        return isReached
    }
}
