/// What is to be read of a sound for one output or several: equal measurements are made once.
package struct LevelMeasurement: Hashable, Sendable {
    package var grid: LevelGrid
    package var channels: ChannelSelection = .stereo
    /// How samples are first brought to 16 bits, as audiowaveform does it; a mono mix then is the sum of the channels over
    /// their number, towards zero. nil: they stay as they are.
    package var words: WordRounding?
    /// Whether the samples that an MP3 encoder has added at the end count (audiowaveform never trims them).
    package var countsEndPadding = false
    /// The ballistics of the fields `meter` and `hold`; nil: those fields are not read.
    package var meter: MeterBallistics?
    /// Whether ``LevelField/rms`` is read.
    package var readsRMS = true

    package init(grid: LevelGrid) { self.grid = grid }

    package var fields: [LevelField] {
        [.minimum, .maximum] + (readsRMS ? [.rms] : []) + (meter == nil ? [] : [.meter, .hold])
    }
}

/// How samples of more than 16 bits become words of 16: of integers always the upper bits, of floats one of these, clamped.
package enum WordRounding: Hashable, Sendable {
    /// f · 32 767 towards zero, as libsndfile does it.
    case truncated
    /// f · 32 768 downwards, as libmad does it.
    case floored
}

/// Which channels are read.
public enum ChannelSelection: String, Hashable, Sendable, Codable, CaseIterable {
    /// One or two as they are; more by the downmix of ITU-R BS.775.
    case stereo
    /// The mean of all.
    case mono
    /// Every one as it is.
    case all
}
