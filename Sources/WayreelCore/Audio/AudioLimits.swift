/// Limits for one audio file.
public struct AudioLimits: Hashable, Sendable, Codable {
    /// Max duration of the audio in seconds; the default is 7 days. Also bounds the silence that fills gaps in the
    /// timestamps.
    public var audioSeconds: Double
    /// Max wall time in seconds; the default is one hour.
    public var seconds: Double
    public var channels: Int

    public init(audioSeconds: Double = 7 * 86_400, seconds: Double = 3600, channels: Int = 64) {
        self.audioSeconds = audioSeconds
        self.seconds = seconds
        self.channels = channels
    }

    public static let standard = AudioLimits()
}
