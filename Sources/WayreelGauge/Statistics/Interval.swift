/// Where a figure lies that a few runs can only estimate.
public struct Interval: Hashable, Sendable, Codable {
    public var lower: Double
    public var upper: Double
    /// How often such an interval holds the true figure: 0.95, or what so few runs allow.
    public var confidence: Double

    public init(lower: Double, upper: Double, confidence: Double) {
        self.lower = lower
        self.upper = upper
        self.confidence = confidence
    }
}
