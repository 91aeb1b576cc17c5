internal import WayreelCore

/// Assigns PTS and durations in the output to the frames of a source, within a range of the source.
///
/// A frame's duration is known when the next frame arrives, so results are one frame behind. PTS are in units of the
/// output's time base.
package struct FrameRetimer {
    /// A frame of the source, in seconds.
    package struct Input {
        /// The seconds from the start of the range.
        package var seconds: Double
        /// The duration according to the source; 0 or less: unknown.
        package var duration: Double
        /// The seconds from the frame to the end of the file; nil: unknown.
        package var secondsLeft: Double?

        package init(seconds: Double, duration: Double, secondsLeft: Double? = nil) {
            self.seconds = seconds
            self.duration = duration
            self.secondsLeft = secondsLeft
        }
    }

    package enum Result {
        case dropped
        /// The frame is kept; the previous frame is shown for `previous`.
        case kept(pts: Int64, previous: FrameRepeats?)
        /// The range ends before the frame; the previous frame is shown for `previous`.
        case ended(previous: FrameRepeats?)
    }

    package private(set) var clock: FrameClock
    private let timing: FrameTiming
    /// The end of the range: the first PTS at which no frame is shown; nil: the source's end.
    private let rangeEnd: Int64?
    /// The time in seconds of output until which the last frame is shown, unless it ends only a little earlier.
    private let heldUntil: Double
    /// The seconds by which audio may be longer than video, because audio encoders add some samples at the end.
    private static let holdTolerance = 0.25
    /// The last frame that was kept.
    private var pending: Pending?
    /// The duration of the frame before the last one.
    private var lastDuration: Int64 = 1
    /// Seconds by which the last frame is extended beyond its end in the source.
    package private(set) var heldSeconds = 0.0

    private struct Pending {
        var pts: Int64
        /// The duration according to the source; 0: unknown.
        var duration: Int64
        /// The time from the frame to the end of the file; `.max`: unknown.
        var left: Int64
    }

    /// `rangeSeconds`: the length of the range, if it has an end.
    package init(_ timing: FrameTiming, clock: FrameClock, rangeSeconds: Double? = nil, heldUntil: Double = 0) {
        self.timing = timing
        self.clock = clock
        self.heldUntil = heldUntil
        rangeEnd = rangeSeconds.map { length in
            let step = timing.grid.map { 1 / $0.value } ?? timing.timeBase.value
            let steps = ((length - timing.offset) / step - 0.001).rounded(.up)
            return Int64((max(1, steps) * step / timing.timeBase.value).rounded())
        }
    }

    func seconds(_ pts: Int64) -> Double { Double(pts) * timing.timeBase.value }

    package mutating func add(_ input: Input) -> Result {
        guard let pts = clock.pts(at: input.seconds) else { return .dropped }
        if let rangeEnd, pts >= rangeEnd { return .ended(previous: end(at: rangeEnd)) }
        let previous = end(at: pts)
        pending = Pending(
            pts: pts, duration: max(0, units(input.duration, limit: 1e12) ?? 0),
            left: input.secondsLeft.flatMap { units($0, limit: 1e15) }.map { max(1, $0) } ?? .max)
        return .kept(pts: pts, previous: previous)
    }

    /// Ends the source, and returns the last frame, which is held.
    package mutating func finish() -> FrameRepeats? {
        guard let last = pending else { return nil }
        pending = nil
        let end = last.pts + durationOfLast(last)
        guard let interval = timing.repeatInterval else { return FrameRepeats(from: last.pts, to: end, timing) }
        let own = clock.lastEnd(end, from: last.pts)
        let wanted = (heldUntil / interval - 1e-6).rounded(.up) * interval
        let isHeld = heldUntil - seconds(own) > Self.holdTolerance
        let held = isHeld ? max(own, Int64((wanted / timing.timeBase.value).rounded())) : own
        heldSeconds = seconds(held - own)
        return FrameRepeats(from: last.pts, to: held, timing)
    }

    private mutating func end(at pts: Int64) -> FrameRepeats? {
        guard let frame = pending else { return nil }
        pending = nil
        lastDuration = pts - frame.pts
        return FrameRepeats(from: frame.pts, to: pts, timing)
    }

    /// Converts seconds to units of the output. Returns nil if the value is not finite or is beyond `limit` units.
    private func units(_ seconds: Double, limit: Double) -> Int64? {
        let units = seconds / timing.timeBase.value
        return units.magnitude < limit ? Int64(units.rounded()) : nil
    }

    /// Returns the duration of the last frame: its own, or else that of the previous frame. At a variable or unknown
    /// rate, it ends no later than the file, because Matroska gives all frames the default duration.
    private func durationOfLast(_ frame: Pending) -> Int64 {
        guard timing.grid == nil || frame.duration == 0 else { return frame.duration }
        return min(frame.left, frame.duration == 0 ? lastDuration : frame.duration)
    }
}

/// The PTS and ends of one frame in the output; it is repeated if it is shown for long.
package struct FrameRepeats: Sequence, IteratorProtocol {
    /// One copy of the frame.
    package struct Span: Hashable, Sendable {
        package var pts: Int64
        package var end: Int64

        package init(pts: Int64, end: Int64) {
            self.pts = pts
            self.end = end
        }
    }

    /// The seconds for which a frame may be shown at a variable rate before it is repeated.
    private static let long = 0.25
    /// The seconds between repeats if no other interval is set: MP4 stores the duration of a frame in 32 bits.
    private static let maxDuration = 3600.0

    /// The end of the last copy.
    let end: Int64
    private let unit: Double
    private let interval: Double
    private var start: Int64
    /// The next multiple of the interval; nil after the last one.
    private var number: Double?
    private var isDone = false

    init(from pts: Int64, to end: Int64, _ timing: FrameTiming) {
        (start, self.end, unit) = (pts, end, timing.timeBase.value)
        interval = timing.repeatInterval ?? Self.maxDuration
        let isLong = timing.grid != nil || Double(end - pts) * unit > Self.long
        // A repeat is at least half an interval after the frame itself.
        number = isLong ? (Double(pts) * unit / interval + 0.5).rounded(.down) + 1 : nil
    }

    package mutating func next() -> Span? {
        guard !isDone else { return nil }
        let pts = start
        if let number, Double(end) * unit - number * interval > interval / 2 {
            start = Int64((number * interval / unit - 1e-6).rounded(.up))
            self.number = number + 1
            return Span(pts: pts, end: start)
        }
        isDone = true
        return Span(pts: pts, end: end)
    }
}
