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
                .parameter, step: "plan", reason: "a sample rate of \(sampleRate) Hz",
                advice: "use \(Self.sampleRates.lowerBound) to \(Self.sampleRates.upperBound)")
        }
    }
}
