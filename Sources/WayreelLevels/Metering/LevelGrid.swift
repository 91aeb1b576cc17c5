public import WayreelCore

/// How a sound is cut into buckets, each of which gets one reading.
public enum LevelGrid: Hashable, Sendable, Codable {
    /// So many a second. Bucket i begins with the first sample at or after i / rate seconds: no drift, whatever the rate.
    case rate(Rational)
    /// Of so many samples each.
    case samples(Int)
    /// So many in all, as equal as whole samples allow.
    case points(Int)
}
