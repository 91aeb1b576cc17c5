/// A value measured per channel and bucket. All values are linear: full scale is 1.
public enum LevelField: String, Hashable, Sendable, Codable, CaseIterable {
    /// The lowest sample, −1 to 1 (floating-point audio may exceed it).
    case minimum
    /// The highest sample.
    case maximum
    /// Root mean square of the samples, 0 to 1 (floating-point audio may exceed it).
    case rms
    /// Max of the meter state in the bucket: 0 to 1.
    case meter
    /// Max of the meter's peak hold in the bucket: 0 to 1.
    case hold
}
