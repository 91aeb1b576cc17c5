public import WayreelCore
public import WayreelImage

/// The options of a transcode.
public struct TranscodeOptions: Hashable, Sendable, Codable {
    /// How frames are fitted into the screen; they are never enlarged.
    public var framing: Framing
    public var video: VideoSettings
    public var audio: AudioSettings
    /// nil: the text subtitles of the source.
    public var subtitles: SubtitleSettings?
    public var delivery: Delivery
    /// Makes a poster beside the video.
    public var poster: PosterOptions?
    /// Encodes in chunks that are kept until the output is complete, so that an interrupted transcode resumes; nil: where the
    /// video is longer than ten minutes.
    public var isResumable: Bool?
    /// The part of the source that is delivered; nil: all of it. Its start becomes 0 of the output's timeline.
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
        /// A folder of HLS: playlists and fragmented MP4.
        case hls(HLSOptions)

        package var hls: HLSOptions? {
            if case .hls(let options) = self { options } else { nil }
        }
    }
}
