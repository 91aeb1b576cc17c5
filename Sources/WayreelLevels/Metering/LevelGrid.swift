public import WayreelCore

/// How a sound is cut into buckets, each of which gets one reading.
public enum LevelGrid: Hashable, Sendable, Codable {
    /// So many a second. Bucket i begins with the first sample at or after i / rate seconds: no drift, whatever the
    /// rate.
    case rate(Rational)
    /// Of so many samples each.
    case samples(Int)
    /// So many in all, as equal as whole samples allow; of a sound with fewer samples, one for each of these.
    ///
    /// How long a sound is shows at its end. Beyond 65 536 samples the edges are therefore near to their places only:
    /// mostly to 1/64 of a point. No peak is lost or counted twice by that.
    case points(Int)
}
