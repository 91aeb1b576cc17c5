public import WayreelCore

/// Everything that decides what becomes of a sound.
public struct LevelsOptions: Hashable, Sendable, Codable {
    /// What is made of the sound, all of it in one pass.
    public var outputs: [LevelsOutput]
    /// Which of the file's sound tracks, from 1; nil: the one that the file prefers.
    public var track: Int?
    /// How the samples stand in a file that has no header; nil: the file tells.
    public var raw: RawAudioFormat?
    /// Samples per second and channel that the audio is resampled to before its levels are read, 1000 to 768 000; nil: its
    /// own rate. Loudness is measured at the audio's own.
    public var sampleRate: Int?
    /// Whether ``MeasuredSound/loudness`` is measured.
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

    /// What ``sampleRate`` may be.
    public static let sampleRates = 1000...768_000

    /// Throws a `parameter` error where a setting is out of its range, or does not go with its format.
    func check() throws(MediaError) {
        for output in outputs { try output.check() }
        if let sampleRate, !Self.sampleRates.contains(sampleRate) {
            throw MediaError(
                .parameter, step: "plan", reason: "a sample rate of \(sampleRate) Hz",
                advice: "use \(Self.sampleRates.lowerBound) to \(Self.sampleRates.upperBound)")
        }
    }
}
