/// The measurement for one or more outputs; equal measurements are shared.
package struct LevelMeasurement: Hashable, Sendable {
    package var grid: LevelGrid
    package var channels: ChannelSelection = .stereo
    /// Conversion of samples to 16 bits before measuring, as in audiowaveform; a mono mix is then the truncated mean of
    /// the channels. nil for no conversion.
    package var int16Rounding: Int16Rounding?
    /// Whether samples appended by an MP3 encoder count (audiowaveform never trims them).
    package var countsEndPadding = false
    /// The ballistics of the fields `meter` and `hold`; nil if they are not measured.
    package var meter: MeterBallistics?
    /// Whether ``LevelField/rms`` is measured.
    package var readsRMS = true

    package init(grid: LevelGrid) { self.grid = grid }

    package var fields: [LevelField] {
        [.minimum, .maximum] + (readsRMS ? [.rms] : []) + (meter == nil ? [] : [.meter, .hold])
    }
}

/// Conversion of samples to 16 bits: integers keep their upper bits, floats are converted by one of these and clamped.
package enum Int16Rounding: Hashable, Sendable {
    /// f · 32 767, truncated, as in libsndfile.
    case truncated
    /// f · 32 768, rounded down, as in libmad.
    case floored
}

/// The channels to measure.
public enum ChannelSelection: String, Hashable, Sendable, Codable, CaseIterable {
    /// One or two channels unchanged; more are downmixed by ITU-R BS.775.
    case stereo
    /// The mean of all channels.
    case mono
    /// Every channel.
    case all
}
