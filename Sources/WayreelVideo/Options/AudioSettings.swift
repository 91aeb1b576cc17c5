/// The settings for encoding audio: AAC-LC with one or two channels.
public struct AudioSettings: Hashable, Sendable, Codable {
    /// Bits per second for two channels; one channel gets half.
    public var bitRate: Int
    /// The integrated loudness in LUFS to which the whole track is brought by one gain; nil: it is not changed.
    public var loudness: Double?
    /// Which audio track of the file is used, from 1; nil: the default track.
    public var track: Int?
    /// The first audio track in each of these languages is kept, in this order: `eng`, `de`, `pt-BR` as in ISO 639 or
    /// BCP 47. Empty: one track is kept, whatever its language.
    public var languages: [String]
    /// Whether all audio tracks are kept, or with ``languages`` all tracks in these.
    public var keepsAll: Bool
    /// Whether audio is omitted.
    public var isDropped: Bool

    public init(
        bitRate: Int = 128_000, loudness: Double? = nil, track: Int? = nil, languages: [String] = [],
        keepsAll: Bool = false, isDropped: Bool = false
    ) {
        self.bitRate = bitRate
        self.loudness = loudness
        self.track = track
        self.languages = languages
        self.keepsAll = keepsAll
        self.isDropped = isDropped
    }
}
