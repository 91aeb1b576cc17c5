public import WayreelCore

/// Options of a levels task.
public struct LevelsOptions: Hashable, Sendable, Codable {
    /// The outputs, all made in one pass.
    public var outputs: [LevelsOutput]
    /// Audio track from 1; nil for the file's default.
    public var track: Int?
    /// Format of headerless PCM; nil if the file has a header.
    public var raw: RawAudioFormat?
    /// Sample rate to resample to before measuring, 1000 to 768 000; nil for the audio's own rate. Loudness is always
    /// measured at the audio's own rate.
    public var sampleRate: Int?
    /// Whether ``MeasuredAudio/loudness`` is measured.
    public var measuresLoudness: Bool
    public var limits: AudioLimits
    public var tolerance: DamageTolerance

    public init(
        _ outputs: [LevelsOutput] = [.data(LevelsEncoding())], track: Int? = nil, raw: RawAudioFormat? = nil,
        sampleRate: Int? = nil, measuresLoudness: Bool = false, limits: AudioLimits = .standard,
        tolerance: DamageTolerance = .standard
    ) {
        self.outputs = outputs
        self.track = track
        self.raw = raw
        self.sampleRate = sampleRate
        self.measuresLoudness = measuresLoudness
        self.limits = limits
        self.tolerance = tolerance
    }

    /// Valid range of ``sampleRate``.
    public static let sampleRates = 1000...768_000

    /// Throws a `parameter` error for a setting that is out of range or not supported by its format.
    func check() throws(MediaError) {
        for output in outputs { try output.check() }
        if let sampleRate, !Self.sampleRates.contains(sampleRate) {
            throw MediaError(
                .parameter, step: .plan, reason: "a sample rate of \(sampleRate) Hz",
                advice: "use \(Self.sampleRates.lowerBound) to \(Self.sampleRates.upperBound)")
        }
    }
}

/// An output made of levels: a data format or a plot.
public enum LevelsOutput: Hashable, Sendable, Codable {
    case data(LevelsEncoding)
    /// `rate` is the rate of a strip, 30 per second if nil; `channels` are left and right if nil.
    case plot(LevelsPlot, LevelsPlot.FileType, rate: Rational? = nil, channels: ChannelSelection? = nil)

    public init(from decoder: any Decoder) throws {
        let output = try CaseDecoder(decoder)
        self =
            switch output.name {
            case "data": .data(try output.value())
            case "plot":
                .plot(
                    try output.member("plot"), try output.member("file", before: "_1"),
                    rate: try output.member(ifPresent: "rate"), channels: try output.member(ifPresent: "channels"))
            default: throw output.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .data(let encoding): try encoder.encode(case: "data", encoding)
        case .plot(let plot, let file, let rate, let channels):
            var container = try encoder.container(ofCase: "plot")
            try container.encode(plot, forKey: "plot")
            try container.encode(file, forKey: "file")
            try container.encodeIfPresent(rate, forKey: "rate")
            try container.encodeIfPresent(channels, forKey: "channels")
        }
    }

    /// `json`, `dat`, `png`, …
    public var formatName: String {
        switch self {
        case .data(let encoding): encoding.format.rawValue
        case .plot(_, let type, _, _): type.rawValue
        }
    }

    /// Throws a `parameter` error for a setting that is out of range or not supported by the format.
    func check() throws(MediaError) {
        switch self {
        case .data(let encoding): try encoding.check()
        case .plot(let plot, _, _, _): try plot.check()
        }
    }

    /// Whether the edges of its buckets depend on the length of the audio.
    var needsLength: Bool {
        switch self {
        case .data(let encoding):
            if case .points = encoding.grid ?? encoding.format.defaultGrid { true } else { false }
        case .plot(let plot, _, _, _): plot.style != .strip
        }
    }

    /// Returns warnings known before measuring, such as a missing font.
    func warnings() throws(MediaError) -> [MediaWarning] {
        if case .plot(let plot, _, _, _) = self { try plot.warnings() } else { [] }
    }

    /// Returns the measurement that the output needs.
    func measurement(of audio: AudioFormat, isMP3: Bool) throws(MediaError) -> LevelMeasurement {
        switch self {
        case .data(let encoding):
            var measurement = try encoding.measurement(sampleRate: audio.sampleRate)
            // audiowaveform decodes MP3 with libmad, which keeps the padding, and other formats with libsndfile.
            measurement.countsEndPadding = measurement.countsEndPadding && isMP3
            if measurement.int16Rounding != nil, isMP3 { measurement.int16Rounding = .floored }
            return measurement
        case .plot(let plot, _, let rate, let channels):
            var measurement = try plot.measurement(rate: rate)
            measurement.channels = channels ?? measurement.channels
            return measurement
        }
    }
}
