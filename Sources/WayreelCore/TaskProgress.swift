/// How far a task is on its way.
public struct TaskProgress: Hashable, Sendable, Codable {
    /// Seconds of the output that are made.
    public var seconds: Double
    /// 0 to 1; nil where the input does not tell how long it is.
    public var fraction: Double?
    /// Seconds of the output that are made in a second.
    public var speed: Double
    /// Seconds that are left at that speed; nil where ``fraction`` is.
    public var secondsLeft: Double?

    public init(seconds: Double, fraction: Double? = nil, speed: Double, secondsLeft: Double? = nil) {
        self.seconds = seconds
        self.fraction = fraction
        self.speed = speed
        self.secondsLeft = secondsLeft
    }
}
