public import WayreelCore
public import WayreelImage

/// Everything that decides what becomes of a video.
public struct TranscodeOptions: Hashable, Sendable, Codable {
    /// How pictures are brought to the screen; never enlarged.
    public var framing: Framing
    public var picture: VideoSettings
    public var sound: AudioSettings
    /// nil: those of the source, as far as they are text.
    public var subtitles: SubtitleSettings?
    public var delivery: Delivery
    /// Makes a poster beside the video.
    public var poster: PosterOptions?
    /// Encodes in parts that are kept until all is done, so that an interrupted transcode goes on from there; nil: where the
    /// video is longer than ten minutes.
    public var isResumable: Bool?
    /// The part of the video that is delivered; nil: all of it. Its beginning becomes 0 of the output's timeline.
    public var range: TimeRange?
    public var limits: VideoLimits
    public var tolerance: DamageTolerance

    public init(
        framing: Framing = Framing(fit: .contain), picture: VideoSettings = VideoSettings(),
        sound: AudioSettings = AudioSettings(), subtitles: SubtitleSettings? = nil, delivery: Delivery = .mp4,
        poster: PosterOptions? = nil,
        isResumable: Bool? = nil, range: TimeRange? = nil, limits: VideoLimits = .standard,
        tolerance: DamageTolerance = .standard
    ) {
        self.framing = framing
        self.picture = picture
        self.sound = sound
        self.subtitles = subtitles
        self.delivery = delivery
        self.poster = poster
        self.isResumable = isResumable
        self.range = range
        self.limits = limits
        self.tolerance = tolerance
    }

    /// What a video is delivered as.
    public enum Delivery: Hashable, Sendable, Codable {
        /// One MP4 file with its index in front.
        case mp4
        /// A folder of HLS: playlists and fragmented MP4.
        case hls(HLSOptions)

        var hls: HLSOptions? {
            if case .hls(let options) = self { options } else { nil }
        }
    }
}

/// How pictures are encoded.
public struct VideoSettings: Hashable, Sendable, Codable {
    public var codec: VideoCodec
    public var rate: RateTarget
    /// The encoder's preset: `medium` for x264 and x265, `8` for SVT-AV1; nil: those.
    public var preset: String?
    /// Frames a second, at most: up to 120, of HLS up to 60; nil: as many as there are, up to 60.
    public var maxFrameRate: Rational?
    public var deinterlacing: Deinterlacing
    /// What shows through where pictures are transparent.
    public var background: RGBColor
    /// Applied to each picture, in order, at its final size.
    public var filters: [Filter]
    /// Drawn in order, after the filters.
    public var overlays: [Overlay]
    /// Has a stream that complies encoded all the same.
    public var alwaysEncodes: Bool

    public init(
        codec: VideoCodec = .h264, rate: RateTarget = .standard, preset: String? = nil, maxFrameRate: Rational? = nil,
        deinterlacing: Deinterlacing = .automatic, background: RGBColor = .black, filters: [Filter] = [],
        overlays: [Overlay] = [], alwaysEncodes: Bool = false
    ) {
        self.codec = codec
        self.rate = rate
        self.preset = preset
        self.maxFrameRate = maxFrameRate
        self.deinterlacing = deinterlacing
        self.background = background
        self.filters = filters
        self.overlays = overlays
        self.alwaysEncodes = alwaysEncodes
    }

    public enum Deinterlacing: String, Hashable, Sendable, Codable, CaseIterable {
        /// Where the stream says that it is interlaced, and only the pictures that are.
        case automatic
        case always, never
    }
}

public enum VideoCodec: String, Hashable, Sendable, Codable, CaseIterable {
    /// High profile, by x264.
    case h264
    /// Main profile, by x265.
    case hevc
    /// Main profile, by SVT-AV1.
    case av1
}

/// What decides how many bits pictures get.
public enum RateTarget: Hashable, Sendable, Codable {
    /// The rate factor that is usual for the codec: 23 of x264, 28 of x265, 35 of SVT-AV1.
    case standard
    /// The encoder's constant rate factor.
    case factor(Double)
    /// The highest rate factor that reaches a quality, found on samples of the video.
    case quality(QualityTarget)
    /// The whole file in at most so many bytes, in two passes.
    case maxBytes(Int)
}

/// How good pictures shall be, compared with what goes into the encoder.
public enum QualityTarget: Hashable, Sendable, Codable {
    case low, medium, high
    /// SSIM × 100, of the luma: 90 to 99.9.
    case ssim(Double)
}

/// How sound is encoded: AAC-LC, one channel or two.
public struct AudioSettings: Hashable, Sendable, Codable {
    /// Bits per second of two channels; one gets half.
    public var bitRate: Int
    /// LUFS that the whole is brought to, by one factor; nil: as it is.
    public var loudness: Double?
    /// Which of the file's sound tracks, from 1; nil: the one that it prefers.
    public var track: Int?
    /// Audio tracks in these languages are kept, in this order, the first one in each: `eng`, `de`, `pt-BR` as in ISO 639 or
    /// BCP 47. Empty: one track is kept, whatever its language.
    public var languages: [String]
    /// Keeps all audio tracks, or with ``languages`` all in them.
    public var keepsAll: Bool
    /// Leaves the sound out.
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

/// What a folder of HLS holds.
public struct HLSOptions: Hashable, Sendable, Codable {
    /// Sizes and bit rates; nil: Apple's ladder as far as the source reaches.
    public var ladder: [LadderRung]?
    /// Seconds, a multiple of ``keyFrameInterval``.
    public var segmentSeconds: Double
    /// Seconds between key frames.
    public var keyFrameInterval: Double
    /// Encrypts the segments by AES-128.
    public var isEncrypted: Bool
    /// What players are to ask for the key; nil: the file beside the playlists.
    public var keyAddress: String?
    /// Seconds between the pictures of the preview sheet; nil: no preview.
    public var previewInterval: Double?

    public init(
        ladder: [LadderRung]? = nil, segmentSeconds: Double = 6, keyFrameInterval: Double = 2,
        isEncrypted: Bool = false, keyAddress: String? = nil, previewInterval: Double? = 5
    ) {
        self.ladder = ladder
        self.segmentSeconds = segmentSeconds
        self.keyFrameInterval = keyFrameInterval
        self.isEncrypted = isEncrypted
        self.keyAddress = keyAddress
        self.previewInterval = previewInterval
    }
}

/// One of the qualities that a player chooses from.
public struct LadderRung: Hashable, Sendable, Codable {
    /// The box that pictures are fitted into; turned for upright ones.
    public var box: PixelSize
    /// Bits per second of the pictures, on average.
    public var bitRate: Int

    public init(box: PixelSize, bitRate: Int) {
        self.box = box
        self.bitRate = bitRate
    }
}

/// How the picture that stands for a video is chosen and made.
public struct PosterOptions: Hashable, Sendable, Codable {
    /// Seconds on the video's timeline; nil: the most representative picture, neither black nor blurred.
    public var time: Double?
    /// Without a ``time``: the part of the video that the poster is taken from; nil: all of it.
    public var range: TimeRange?
    public var framing: Framing
    public var encoding: Encoding
    public var filters: [Filter]
    public var overlays: [Overlay]
    /// What shows through where the picture is transparent.
    public var background: RGBColor
    public var limits: VideoLimits

    public init(
        time: Double? = nil, range: TimeRange? = nil, framing: Framing = Framing(fit: .contain),
        encoding: Encoding = Encoding(),
        filters: [Filter] = [], overlays: [Overlay] = [], background: RGBColor = .black,
        limits: VideoLimits = .standard
    ) {
        self.time = time
        self.range = range
        self.framing = framing
        self.encoding = encoding
        self.filters = filters
        self.overlays = overlays
        self.background = background
        self.limits = limits
    }
}
