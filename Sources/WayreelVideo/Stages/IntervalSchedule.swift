/// Finds the first frame of each interval of a video, which begins a GOP or a chunk or becomes a thumbnail.
package struct IntervalSchedule {
    /// The length of an interval in seconds.
    let interval: Double
    /// The first interval that has no frame yet.
    private var next = 0

    /// Seconds by which a frame may be early because of rounding; less than a unit of the finest time base.
    private static let tolerance = 1e-6

    package init(every interval: Double) { self.interval = interval }

    /// Returns the number of the interval whose first frame is at `seconds`; nil if that frame is not the first. Must
    /// be called for each frame in order.
    package mutating func interval(startingAt seconds: Double) -> Int? {
        let number = Int(((seconds + Self.tolerance) / interval).rounded(.down))
        guard number >= next else { return nil }
        next = number + 1
        return number
    }
}
