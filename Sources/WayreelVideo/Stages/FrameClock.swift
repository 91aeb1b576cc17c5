internal import WayreelCore

/// Gives pictures their times in the output: whole units of its time base, each later than the one before.
///
/// What stands before 0 is left out; times that jump back, or beyond what the file says is its length, are taken for
/// damage, and the pictures go on where the last has ended.
struct FrameClock: Hashable, Sendable, Codable {
    /// How the last picture that was let through stands.
    private struct Last: Hashable, Codable {
        var time: Int64
        /// On the file's timeline, in seconds.
        var seconds: Double
    }

    private let timing: FrameTiming
    private let frameSeconds: Double
    /// How far before its place a picture may come, in places of the grid: half of the source's distance where only some are kept,
    /// so that these are the first of each place; else half a place, the nearest.
    private let slack: Double
    /// The last instant that can be meant, in seconds, where that is known.
    private let lastPlausible: Double?
    /// Seconds beyond which a gap is a jump of the file's clock; nil: none is.
    private let mostGap: Double?
    private var last: Last?
    /// When the next picture is due where there is a cap, in seconds.
    private var due = 0.0
    /// What is added to the file's times because they jumped, in seconds.
    private(set) var shift = 0.0
    /// Places where that was so.
    private(set) var jumps = 0
    /// Pictures that were left out.
    private(set) var dropped = 0
    /// Frames among these that no frame rate limit asked to drop: their timestamps are not later than the one before.
    private(set) var collisions = 0
    /// Whether the grid is slower than the source, so that several source frames share a place.
    private let isReduced: Bool

    /// A backward step of the file's clock that is more than disorder, in seconds.
    private static let tolerance = 0.5

    /// `seconds`: the length of the stream, where it is known; `frameRate`: what is expected; `mostGap`: seconds beyond which a
    /// gap is a jump of the file's clock.
    init(_ timing: FrameTiming, seconds: Double?, frameRate: Rational?, mostGap: Double? = nil) {
        self.mostGap = mostGap
        self.timing = timing
        frameSeconds = 1 / (timing.grid ?? frameRate ?? 25).value
        let places = timing.grid.flatMap { grid in frameRate.map { grid.value / $0.value } } ?? 1
        isReduced = timing.cap != nil || places < 0.999
        slack = timing.cap == nil ? 0.5 : 0.5 * min(1, places)
        lastPlausible = seconds.map { $0 * 1.01 + 30 }
    }

    /// How long a picture is shown that nothing else is known of, in units of the output.
    var usualLength: Int64 {
        let seconds = max(frameSeconds, 1 / (timing.cap ?? FrameTiming.most).value)
        return max(1, Int64((seconds / timing.timeBase.value).rounded()))
    }

    /// When the last picture can have ended at the latest, of which the file says that it is shown from `place` to `end`, in units of
    /// the output.
    func lastEnd(_ end: Int64, from place: Int64) -> Int64 {
        let seconds = lastPlausible ?? Double(place) * timing.timeBase.value + (mostGap ?? Self.longestUnknown)
        let plausible = Int64(min(seconds / timing.timeBase.value, 1e15).rounded(.down))
        return max(place + usualLength, min(end, plausible))
    }

    /// Seconds that the last picture of a file of unknown length is shown at most.
    private static let longestUnknown = 60.0

    /// Where the picture shown at `seconds` on the file's timeline stands; nil where it is left out.
    mutating func place(_ seconds: Double) -> Int64? {
        var instant = seconds + shift
        let end = lastPlausible ?? .infinity
        if let last,
            instant < last.seconds - Self.tolerance || instant > end && last.seconds <= end
                || instant > last.seconds + (mostGap ?? .infinity)
        {
            let next = last.seconds + frameSeconds
            shift += next - instant
            jumps += 1
            instant = next
        }
        guard instant.isFinite, instant.magnitude < 1e9 else { return nil }
        let unit = timing.grid.map { 1 / $0.value } ?? timing.timeBase.value
        // Half a unit before 0 is 0.
        let place = ((instant - timing.offset) / unit + slack).rounded(.down)
        guard place >= 0 else { return nil }
        var time = Int64((place * unit / timing.timeBase.value).rounded())
        if last == nil, timing.repeatInterval != nil { time = 0 }
        if let last {
            guard time > last.time else {
                if !isReduced { collisions += 1 }
                return drop()
            }
        }
        if let cap = timing.cap?.value {
            // Times that waver around the cap lose no picture, and what they waver does not add up.
            let early = timing.grid.map { slack / $0.value } ?? 0.45 / cap
            let late = instant - timing.offset - due
            guard late >= -early else { return drop() }
            due += (late > early ? late : 0) + 1 / cap
        }
        last = Last(time: time, seconds: instant)
        return time
    }

    private mutating func drop() -> Int64? {
        dropped += 1
        return nil
    }
}
