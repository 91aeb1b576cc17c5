/// What is read of each channel in each bucket. Every value is linear: full scale is 1.
public enum LevelField: String, Hashable, Sendable, Codable, CaseIterable {
    /// The lowest sample, −1 to 1 (floating-point sounds may go beyond).
    case minimum
    /// The highest sample.
    case maximum
    /// The square root of the mean of the samples' squares, 0 to 1; beyond where the samples are, as below.
    case rms
    /// The highest place of a meter's needle in the bucket: 0 to 1.
    case meter
    /// The highest peak that the meter held in the bucket: 0 to 1.
    case hold
}
