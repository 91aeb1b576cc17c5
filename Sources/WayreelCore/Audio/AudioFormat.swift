/// Sample rate and channels of an audio stream.
public struct AudioFormat: Hashable, Sendable, Codable {
    /// Samples per second and channel.
    public var sampleRate: Int
    public var channels: [AudioChannel]

    public init(sampleRate: Int, channels: [AudioChannel]) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
