/// What is read of each channel in each bucket. Every value is linear: full scale is 1.
public enum LevelField: String, Hashable, Sendable, Codable, CaseIterable {
    /// The lowest sample, −1 to 1 (floating-point sounds may go beyond).
    case minimum
    /// The highest sample.
    case maximum
    /// The square root of the mean of the samples' squares, 0 to 1.
    case rms
    /// Where a meter's needle stands at the end of the bucket, or its highest place in it where it falls again: 0 to 1.
    case meter
    /// The meter's held peak, 0 to 1.
    case hold
}
