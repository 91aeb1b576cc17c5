/// Levels of a ``LevelMeter`` over some samples: a bucket of a grid, or everything since the last poll.
public struct LiveReading: Hashable, Sendable, Codable {
    /// The levels of one channel. All values are linear: full scale is 1.
    public struct Channel: Hashable, Sendable, Codable {
        /// The lowest sample, −1 to 1 (floating-point audio may exceed it).
        public var minimum: Float
        /// The highest sample.
        public var maximum: Float
        /// Root mean square of the samples.
        public var rms: Float
        /// Meter state at the end, or its maximum if it has fallen since.
        public var meter: Float
        /// The meter's peak hold.
        public var hold: Float

        /// The largest magnitude of any sample.
        public var peak: Float { max(-minimum, maximum) }

        init(_ reading: ChannelReading) {
            minimum = reading.minimum
            maximum = reading.maximum
            rms = reading.rms
            meter = reading.meter
            hold = reading.hold
        }
    }

    /// Index of the bucket or poll, from 0; the first one of merged buckets.
    public var index: Int
    /// Seconds from the start of the meter to the first sample.
    public var time: Double
    /// Duration of the samples in seconds.
    public var duration: Double
    /// Number of further buckets merged into this one because the reader was too slow; usually 0. Their peaks are kept.
    public var merged: Int
    /// Whether the audio ended before the bucket.
    public var isPartial: Bool
    /// The levels in the order of the meter's channels.
    public var channels: [Channel]
}
