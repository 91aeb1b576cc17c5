/// What a ``LevelMeter`` has read over some samples: a bucket of its grid, or all that came since it was last polled.
public struct LiveReading: Hashable, Sendable, Codable {
    /// One channel's levels. Every value is linear: full scale is 1.
    public struct Channel: Hashable, Sendable, Codable {
        /// The lowest sample, −1 to 1 (floating-point sounds may go beyond).
        public var minimum: Float
        /// The highest sample.
        public var maximum: Float
        /// The square root of the mean of the samples' squares.
        public var rms: Float
        /// Where the meter's needle stands at the end, or its highest place since where it falls again.
        public var meter: Float
        /// The meter's held peak.
        public var hold: Float

        /// The largest magnitude of any sample.
        public var peak: Float { max(-minimum, maximum) }
    }

    /// Counted from 0: the number of the bucket, or of the poll. Of several buckets that were merged, the first.
    public var index: Int
    /// Seconds from the meter's beginning to the first of the samples.
    public var time: Double
    /// Seconds that the samples last.
    public var duration: Double
    /// How many further buckets were merged into this one since the reader had fallen too far behind: 0 as a rule. None of
    /// their peaks is lost.
    public var merged: Int
    /// Whether the sound ended before the bucket did.
    public var isPartial: Bool
    /// In the order of the meter's channels.
    public var channels: [Channel]
}
