package import WayreelCore

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
