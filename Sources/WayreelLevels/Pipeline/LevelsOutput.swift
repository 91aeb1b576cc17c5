public import WayreelCore

/// What is made of a sound's levels: data in one of the formats, or a picture.
public enum LevelsOutput: Hashable, Sendable, Codable {
    case data(LevelsEncoding)
    /// `rate` is that of a strip's readings, 30 a second where nil; `channels` are left and right where nil.
    case plot(LevelsPlot, LevelsPlot.FileType, rate: Rational? = nil, channels: ChannelSelection? = nil)

    /// `json`, `dat`, `png`, …
    public var formatName: String {
        switch self {
        case .data(let encoding): encoding.format.rawValue
        case .plot(_, let type, _, _): type.rawValue
        }
    }

    /// Throws a `parameter` error where a setting is out of its range or does not go with the format.
    func check() throws(MediaError) {
        switch self {
        case .data(let encoding): try encoding.check()
        case .plot(let plot, _, _, _): try plot.check()
        }
    }

    /// What the caller should know before it is made: a font that is not there.
    func warnings() throws(MediaError) -> [MediaWarning] {
        if case .plot(let plot, _, _, _) = self { try plot.warnings() } else { [] }
    }

    /// What must be read of a sound for it.
    func measurement(of sound: AudioFormat, isMP3: Bool) throws(MediaError) -> LevelMeasurement {
        switch self {
        case .data(let encoding):
            var measurement = try encoding.measurement(sampleRate: sound.sampleRate)
            // audiowaveform decodes MP3 by libmad, which leaves the padding in, and all else by libsndfile.
            measurement.countsEndPadding = measurement.countsEndPadding && isMP3
            if measurement.words != nil, isMP3 { measurement.words = .floored }
            return measurement
        case .plot(let plot, _, let rate, let channels):
            var measurement = try plot.measurement(rate: rate)
            measurement.channels = channels ?? measurement.channels
            return measurement
        }
    }
}
