public import WayreelCore

/// The plan for an audio stream.
public struct AudioPlan: Hashable, Sendable, Codable {
    /// The index of the stream in the file.
    public var stream: Int
    /// The number among the audio tracks of the file, from 1.
    public var track: Int
    /// The numbers of tracks that hold one more channel each of the same recording; nil if there are none.
    public var joinedTracks: [Int]?
    public var action: StreamAction
    public var reasons: [String]
    /// The sample rate of the output.
    public var sampleRate: Int
    public var channelCount: Int
    public var bitRate: Int
    /// The integrated loudness of the output, in LUFS; nil: it is not changed.
    public var loudness: Double?
    /// The part of the track that is delivered, on the file's timeline; nil: all of it.
    public var range: TimeRange?

    public init(
        stream: Int, track: Int, joinedTracks: [Int]? = nil, action: StreamAction, reasons: [String],
        sampleRate: Int, channelCount: Int, bitRate: Int, loudness: Double? = nil, range: TimeRange? = nil
    ) {
        self.stream = stream
        self.track = track
        self.joinedTracks = joinedTracks
        self.action = action
        self.reasons = reasons
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
        self.loudness = loudness
        self.range = range
    }
}
