/// How loud a sound, or a set of them, is by EBU R 128 (ITU-R BS.1770-4, EBU Tech 3341 and 3342).
///
/// A loudness or peak is nil where there is none: of silence, or of a sound that is too short for the reading.
public struct Loudness: Hashable, Sendable, Codable {
    /// The peaks of one channel.
    public struct ChannelPeaks: Hashable, Sendable, Codable {
        /// dBTP: the peak between the samples, found at four times the sample rate (at twice from 96 kHz, and among the
        /// samples themselves from 192 kHz).
        public var truePeak: Double?
        /// dBFS.
        public var samplePeak: Double?

        public init(truePeak: Double?, samplePeak: Double?) {
            self.truePeak = truePeak
            self.samplePeak = samplePeak
        }
    }

    /// Of the whole, LUFS: the mean over blocks of 400 ms that are neither below −70 LUFS nor below
    /// ``relativeThreshold``. nil where there is no such block.
    public var integrated: Double?
    /// 10 LU below the mean of the blocks above −70 LUFS, in LUFS.
    public var relativeThreshold: Double?
    /// Between ``rangeLow`` and ``rangeHigh``, LU. nil of a sound shorter than 3 s.
    public var range: Double?
    /// The 10th and 95th percentile, in LUFS, of the short-term loudness where it is at or above ``rangeThreshold``.
    public var rangeLow: Double?
    public var rangeHigh: Double?
    /// 20 LU below the mean of the short-term loudness above −70 LUFS, in LUFS.
    public var rangeThreshold: Double?
    /// The greatest loudness of any 400 ms, LUFS, read every 10 ms; before the sound begins is silence.
    public var momentaryMaximum: Double?
    /// The greatest loudness of any 3 s, LUFS, likewise.
    public var shortTermMaximum: Double?
    /// The greatest of all channels, dBTP.
    public var truePeak: Double?
    /// The greatest of all channels, dBFS.
    public var samplePeak: Double?
    /// In the order of the sound's channels; empty for a set of sounds.
    public var channels: [ChannelPeaks]

    public init(
        integrated: Double?, relativeThreshold: Double?, range: Double?, rangeLow: Double?, rangeHigh: Double?,
        rangeThreshold: Double?, momentaryMaximum: Double?, shortTermMaximum: Double?, truePeak: Double?,
        samplePeak: Double?, channels: [ChannelPeaks]
    ) {
        self.integrated = integrated
        self.relativeThreshold = relativeThreshold
        self.range = range
        self.rangeLow = rangeLow
        self.rangeHigh = rangeHigh
        self.rangeThreshold = rangeThreshold
        self.momentaryMaximum = momentaryMaximum
        self.shortTermMaximum = shortTermMaximum
        self.truePeak = truePeak
        self.samplePeak = samplePeak
        self.channels = channels
    }
}
