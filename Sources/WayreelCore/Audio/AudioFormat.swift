/// How a sound is sampled: so many samples a second of each of its channels.
public struct AudioFormat: Hashable, Sendable, Codable {
    /// Samples per second and channel.
    public var sampleRate: Int
    public var channels: [AudioChannel]

    public init(sampleRate: Int, channels: [AudioChannel]) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
