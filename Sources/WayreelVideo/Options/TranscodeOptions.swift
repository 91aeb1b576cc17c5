public import WayreelCore
public import WayreelImage

/// The options of a transcode.
public struct TranscodeOptions: Hashable, Sendable, Codable {
    /// The fitting of frames into the screen; they are never enlarged.
    public var framing: Framing
    public var video: VideoSettings
    public var audio: AudioSettings
    /// The subtitle settings; nil: the text subtitles of the source.
    public var subtitles: SubtitleSettings?
    public var delivery: Delivery
    /// The options of a poster to make beside the video; nil: none.
    public var poster: PosterOptions?
    /// Whether the video is encoded in chunks that are kept until the output is complete, so that an interrupted
    /// transcode can be resumed; nil: if the video is longer than ten minutes.
    public var isResumable: Bool?
    /// The part of the source that is delivered; nil: all of it. Its start becomes 0 on the output's timeline.
    public var range: TimeRange?
    public var limits: VideoLimits
    public var tolerance: DamageTolerance

    public init(
        framing: Framing = Framing(fit: .contain), video: VideoSettings = VideoSettings(),
        audio: AudioSettings = AudioSettings(), subtitles: SubtitleSettings? = nil, delivery: Delivery = .mp4,
        poster: PosterOptions? = nil, isResumable: Bool? = nil, range: TimeRange? = nil,
        limits: VideoLimits = .standard, tolerance: DamageTolerance = .standard
    ) {
        self.framing = framing
        self.video = video
        self.audio = audio
        self.subtitles = subtitles
        self.delivery = delivery
        self.poster = poster
        self.isResumable = isResumable
        self.range = range
        self.limits = limits
        self.tolerance = tolerance
    }

    /// The format of the output.
    public enum Delivery: Hashable, Sendable, Codable {
        /// One MP4 file with its index in front.
        case mp4
        /// A folder with HLS playlists and fragmented MP4.
        case hls(HLSOptions)

        package var hls: HLSOptions? {
            if case .hls(let options) = self { options } else { nil }
        }
    }
}
