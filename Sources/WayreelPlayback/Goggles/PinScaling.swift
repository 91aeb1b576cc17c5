/// How large a pin appears at which distance: naturally, as things do, unless an author says otherwise in the words of ARML 2.0
/// (OGC 12-132r4, class ScalingMode).
public struct PinScaling: Hashable, Sendable, Codable {
    /// Metres: a pin that is nearer looks as large as at this distance. nil: 0.
    public var minScalingDistance: Double?
    /// Metres: a pin that is farther looks as large as at this distance. nil: no limit.
    public var maxScalingDistance: Double?
    /// The size at ``maxScalingDistance`` as a share of that at ``minScalingDistance``, between which it changes in a straight line.
    /// nil: what is natural. It needs both distances.
    public var scalingFactor: Double?

    public static let natural = PinScaling()

    public init(
        minScalingDistance: Double? = nil, maxScalingDistance: Double? = nil, scalingFactor: Double? = nil
    ) {
        self.minScalingDistance = minScalingDistance
        self.maxScalingDistance = maxScalingDistance
        self.scalingFactor = scalingFactor
    }

    /// Pixels that `metres` take in an image with a focal length in pixels, at a depth in metres above 0.
    public func pixels(of metres: Double, depth: Double, focalLength: Double) -> Double {
        let nearest = minScalingDistance ?? 0
        let farthest = max(maxScalingDistance ?? .infinity, nearest)
        let bounded = min(max(depth, nearest), farthest)
        guard let scalingFactor, nearest > 0, farthest > nearest, farthest.isFinite else {
            return focalLength * metres / bounded
        }
        let share = (bounded - nearest) / (farthest - nearest)
        return focalLength * metres / nearest * (1 + (scalingFactor - 1) * share)
    }
}
