/// Progress of a running task.
public struct TaskProgress: Hashable, Sendable, Codable {
    /// Seconds of output produced.
    public var seconds: Double
    /// 0 to 1; nil if the duration of the input is unknown.
    public var fraction: Double?
    /// Seconds of output produced per second of wall time.
    public var speed: Double
    /// Estimated wall time left in seconds; nil if ``fraction`` is nil.
    public var secondsLeft: Double?

    public init(seconds: Double, fraction: Double? = nil, speed: Double, secondsLeft: Double? = nil) {
        self.seconds = seconds
        self.fraction = fraction
        self.speed = speed
        self.secondsLeft = secondsLeft
    }
}
