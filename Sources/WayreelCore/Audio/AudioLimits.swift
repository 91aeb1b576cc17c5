/// Limits for one audio file.
public struct AudioLimits: Hashable, Sendable, Codable {
    /// Max duration of the audio in seconds; the default is 7 days. Also bounds the silence that fills gaps in the
    /// timestamps.
    public var audioSeconds: Double
    /// Max wall time in seconds; the default is one hour.
    public var seconds: Double
    public var channels: Int
    /// Max number of measured values, of all channels: two or more for each channel of a bucket. nil for any number, which
    /// takes a temporary file of four bytes for each beyond the first megabyte.
    public var values: Int?

    public init(audioSeconds: Double = 7 * 86_400, seconds: Double = 3600, channels: Int = 64, values: Int? = nil) {
        self.audioSeconds = audioSeconds
        self.seconds = seconds
        self.channels = channels
        self.values = values
    }

    public static let standard = AudioLimits()
}
