/// What one sound may cost.
public struct AudioLimits: Hashable, Sendable, Codable {
    /// Length of the sound, in seconds of it. Seven days. Also bounds the silence that a gap in the timestamps stands for.
    public var soundSeconds: Double
    /// Wall time for one sound, in seconds. An hour.
    public var seconds: Double
    public var channels: Int

    public init(soundSeconds: Double = 7 * 86_400, seconds: Double = 3600, channels: Int = 64) {
        self.soundSeconds = soundSeconds
        self.seconds = seconds
        self.channels = channels
    }

    public static let standard = AudioLimits()
}
