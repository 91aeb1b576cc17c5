/// The size of a pin as a function of its distance: natural perspective by default, or as set by an author with the
/// parameters of ARML 2.0 (OGC 12-132r4, class ScalingMode).
public struct PinScaling: Hashable, Sendable, Codable {
    /// A distance in metres: nearer pins have the size that they have at this distance. nil is 0.
    public var minScalingDistance: Double?
    /// A distance in metres: farther pins have the size that they have at this distance. nil is no limit.
    public var maxScalingDistance: Double?
    /// The size at ``maxScalingDistance`` divided by the size at ``minScalingDistance``, with linear interpolation
    /// between them. nil is natural perspective. It requires both distances.
    public var scalingFactor: Double?

    public static let natural = PinScaling()

    public init(
        minScalingDistance: Double? = nil, maxScalingDistance: Double? = nil, scalingFactor: Double? = nil
    ) {
        self.minScalingDistance = minScalingDistance
        self.maxScalingDistance = maxScalingDistance
        self.scalingFactor = scalingFactor
    }

    /// Returns the size in pixels of an object of `metres`, for a focal length in pixels and a depth in metres above
    /// 0.
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
