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
    /// If a file does not declare its exact length, it is decoded a second time; a pipe is copied to a temporary file.
    case points(Int)
}
