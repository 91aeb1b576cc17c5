public import WayreelCore

/// Everything that decides what becomes of a sound.
public struct LevelsOptions: Hashable, Sendable, Codable {
    /// What is made of the sound, all of it in one pass.
    public var outputs: [LevelsOutput]
    /// Which of the file's sound tracks, from 1; nil: the one that the file prefers.
    public var track: Int?
    /// How the samples stand in a file that has no header; nil: the file tells.
    public var raw: RawAudioFormat?
    /// Whether ``MeasuredSound/loudness`` is measured.
    public var measuresLoudness: Bool
    public var limits: AudioLimits
    public var tolerance: DamageTolerance

    public init(
        _ outputs: [LevelsOutput] = [.data(LevelsEncoding())], track: Int? = nil, raw: RawAudioFormat? = nil,
        measuresLoudness: Bool = false, limits: AudioLimits = .standard, tolerance: DamageTolerance = .standard
    ) {
        self.outputs = outputs
        self.track = track
        self.raw = raw
        self.measuresLoudness = measuresLoudness
        self.limits = limits
        self.tolerance = tolerance
    }
}
