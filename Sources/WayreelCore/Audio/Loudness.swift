/// Loudness of one audio file or of several, by EBU R 128 (ITU-R BS.1770-4, EBU Tech 3341 and 3342).
///
/// A value is nil for silence, and for audio that is too short for the measurement.
public struct Loudness: Hashable, Sendable, Codable {
    /// The peaks of one channel.
    public struct ChannelPeaks: Hashable, Sendable, Codable {
        /// Peak between the samples in dBTP, measured at four times the sample rate (at twice from 96 kHz, and on the
        /// samples themselves from 192 kHz).
        public var truePeak: Double?
        /// Sample peak in dBFS.
        public var samplePeak: Double?

        public init(truePeak: Double?, samplePeak: Double?) {
            self.truePeak = truePeak
            self.samplePeak = samplePeak
        }
    }

    /// Programme loudness in LUFS: the mean over 400 ms blocks that are neither below −70 LUFS nor below
    /// ``relativeThreshold``. nil without such a block.
    public var integrated: Double?
    /// 10 LU below the mean of the blocks above −70 LUFS, in LUFS.
    public var relativeThreshold: Double?
    /// Loudness range in LU, from ``rangeLow`` to ``rangeHigh``. nil for audio shorter than 3 s.
    public var range: Double?
    /// The 10th and 95th percentile, in LUFS, of the short-term loudness that is at or above ``rangeThreshold``.
    public var rangeLow: Double?
    public var rangeHigh: Double?
    /// 20 LU below the mean of the short-term loudness above −70 LUFS, in LUFS.
    public var rangeThreshold: Double?
    /// Max loudness of any 400 ms in LUFS, measured every 10 ms. Silence is assumed before the start.
    public var momentaryMaximum: Double?
    /// Max loudness of any 3 s in LUFS, measured every 10 ms. Silence is assumed before the start.
    public var shortTermMaximum: Double?
    /// Max of all channels, dBTP.
    public var truePeak: Double?
    /// Max of all channels, dBFS.
    public var samplePeak: Double?
    /// Peaks in channel order; empty for several files.
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
