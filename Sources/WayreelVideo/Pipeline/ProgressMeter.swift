internal import WayreelCore

/// Computes the progress of a task from its position. Must be used from a single thread.
final class ProgressMeter {
    private let total: Double?
    private let start = Clock.wall
    /// Seconds of output made by an earlier run, which are excluded from the speed.
    var earlier = 0.0

    /// `total`: seconds of output, if known.
    init(total: Double?) { self.total = total }

    func state(at seconds: Double) -> TaskProgress {
        let speed = max(0, seconds - earlier) / max(Clock.wall - start, 1e-6)
        let fraction = total.flatMap { $0 > 0 ? min(max(seconds / $0, 0), 1) : nil }
        let left = total.flatMap { speed > 0 && fraction != nil ? max(0, $0 - seconds) / speed : nil }
        return TaskProgress(seconds: seconds, fraction: fraction, speed: speed, secondsLeft: left)
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
