internal import WayreelCore

/// From seconds of output to what is told of how far the work has come. Belongs to one thread.
final class ProgressMeter {
    private let total: Double?
    private let start = Clock.wall
    /// Seconds of output that an earlier run has left, which are none of this one's speed.
    var earlier = 0.0

    /// `total`: seconds of output, where that is known.
    init(total: Double?) { self.total = total }

    func state(at seconds: Double) -> TaskProgress {
        let speed = max(0, seconds - earlier) / max(Clock.wall - start, 1e-6)
        let fraction = total.flatMap { $0 > 0 ? min(max(seconds / $0, 0), 1) : nil }
        let left = total.flatMap { speed > 0 && fraction != nil ? max(0, $0 - seconds) / speed : nil }
        return TaskProgress(seconds: seconds, fraction: fraction, speed: speed, secondsLeft: left)
    }
}
