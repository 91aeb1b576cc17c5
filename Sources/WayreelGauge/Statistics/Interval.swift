/// A confidence interval.
public struct Interval: Hashable, Sendable, Codable {
    public var lower: Double
    public var upper: Double
    /// Confidence level: 0.95, or what few runs allow.
    public var confidence: Double

    public init(lower: Double, upper: Double, confidence: Double) {
        self.lower = lower
        self.upper = upper
        self.confidence = confidence
    }
}
