public import WayreelCore

/// The division of audio into buckets with one reading each.
public enum LevelGrid: Hashable, Sendable, Codable {
    /// Buckets per second. Bucket i starts with the first sample at or after i / rate seconds, without drift at any
    /// rate.
    case rate(Rational)
    /// Samples per bucket.
    case samples(Int)
    /// Total number of buckets, as equal as whole samples allow; for audio with fewer samples, one bucket per sample.
    ///
    /// The duration is only known at the end. Beyond 65 536 samples the edges are therefore approximate, usually within
    /// 1/64 of a bucket. No peak is lost or counted twice.
    case points(Int)
}
