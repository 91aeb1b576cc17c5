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

        public init(from decoder: any Decoder) throws {
            let delivery = try CaseDecoder(decoder)
            self =
                switch delivery.name {
                case "mp4": .mp4
                case "hls": .hls(try delivery.value())
                default: throw delivery.unknownName
                }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .mp4: _ = try encoder.container(ofCase: "mp4")
            case .hls(let options): try encoder.encode(case: "hls", options)
            }
        }
    }
}

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

/// The options of an HLS package.
public struct HLSOptions: Hashable, Sendable, Codable {
    /// Sizes and bit rates; nil: Apple's ladder up to the size of the source.
    public var ladder: [LadderRung]?
    /// The length of segments in seconds, a multiple of ``keyFrameInterval``.
    public var segmentSeconds: Double
    /// Seconds between keyframes.
    public var keyFrameInterval: Double
    /// The number of GOPs of the largest rendition that are encoded at the same time, 1 to 4, which affects the output;
    /// smaller renditions have fewer. Each after the first needs the memory of an encoder and of half a GOP's frames.
    /// nil: two up to 1280×720, three up to 960×540 with a preset up to `veryfast`, otherwise and for AV1 one;
    /// fewer for videos of a few GOPs.
    public var parallelGOPs: Int?
    /// Whether the segments are encrypted with AES-128.
    public var isEncrypted: Bool
    /// The URI of the key in the playlists; nil: that of the key file beside them.
    public var keyURI: String?
    /// Seconds between the thumbnails of the preview; nil: no preview.
    public var previewInterval: Double?

    package static let parallelGOPCounts = 1...4

    public init(
        ladder: [LadderRung]? = nil, segmentSeconds: Double = 6, keyFrameInterval: Double = 2,
        parallelGOPs: Int? = nil, isEncrypted: Bool = false, keyURI: String? = nil, previewInterval: Double? = 5
    ) {
        self.ladder = ladder
        self.segmentSeconds = segmentSeconds
        self.keyFrameInterval = keyFrameInterval
        self.parallelGOPs = parallelGOPs
        self.isEncrypted = isEncrypted
        self.keyURI = keyURI
        self.previewInterval = previewInterval
    }
}

/// One rendition of a bit rate ladder.
public struct LadderRung: Hashable, Sendable, Codable {
    /// The box that frames are fitted into; it is rotated for portrait video.
    public var box: PixelSize
    /// Average bits per second of the video.
    public var bitRate: Int

    public init(box: PixelSize, bitRate: Int) {
        self.box = box
        self.bitRate = bitRate
    }

    /// Renditions as text, in pixels and kb/s: `960x540@2000,640x360@365`. nil if it is none.
    package static func ladder(_ text: String) -> [LadderRung]? {
        var rungs: [LadderRung] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "@", omittingEmptySubsequences: false)
            guard halves.count == 2, let box = PixelSize(halves[0]), let kilobits = Double(halves[1]),
                (1...1_000_000).contains(kilobits)
            else { return nil }
            rungs.append(LadderRung(box: box, bitRate: Int((kilobits * 1000).rounded())))
        }
        return rungs
    }
}

/// The subtitles to deliver: as timed text in MP4, as WebVTT in HLS.
public struct SubtitleSettings: Hashable, Sendable, Codable {
    /// SubRip or WebVTT files; each becomes a track after those of the source.
    public var files: [File]
    /// Whether the subtitles of the source are omitted.
    public var dropsSource: Bool

    public init(files: [File] = [], dropsSource: Bool = false) {
        self.files = files
        self.dropsSource = dropsSource
    }

    /// A subtitle file, on the timeline of the source.
    public struct File: Hashable, Sendable, Codable {
        public var path: String
        /// The language as ISO 639 or BCP 47: `en`, `deu`, `pt-BR`; nil: unknown.
        public var language: String?

        public init(path: String, language: String? = nil) {
            self.path = path
            self.language = language
        }
    }

    private static let maxFiles = 50

    func check() throws(MediaError) {
        try require(
            files.count <= Self.maxFiles, "there are \(files.count) subtitle files", "give at most \(Self.maxFiles)")
        for file in files {
            guard let language = file.language, LanguageCode(language) == nil else { continue }
            throw MediaError(
                .parameter, step: .plan, subject: file.path, reason: "'\(language)' is not a language code",
                advice: "write it as in ISO 639: en, de, pt-BR")
        }
    }
}

/// The options for choosing and making a poster.
public struct PosterOptions: Hashable, Sendable, Codable {
    /// Seconds on the video's timeline; nil: the most representative frame, neither black nor blurred.
    public var time: Double?
    /// Without a ``time``: the part of the video that the poster is taken from; nil: all of it.
    public var range: TimeRange?
    public var framing: Framing
    public var encoding: Encoding
    public var filters: [Filter]
    public var overlays: [Overlay]
    /// The colour behind a transparent frame.
    public var background: RGBColor
    public var limits: VideoLimits

    public init(
        time: Double? = nil, range: TimeRange? = nil, framing: Framing = Framing(fit: .contain),
        encoding: Encoding = Encoding(), filters: [Filter] = [], overlays: [Overlay] = [],
        background: RGBColor = .black, limits: VideoLimits = .standard
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

extension MediaError.Step {
    public static let audio = MediaError.Step(rawValue: "audio")
    public static let checkAudio = MediaError.Step(rawValue: "check audio")
    public static let filterAndOverlay = MediaError.Step(rawValue: "filter and overlay")
    public static let find = MediaError.Step(rawValue: "find")
    public static let poster = MediaError.Step(rawValue: "poster")
    public static let preview = MediaError.Step(rawValue: "preview")
    public static let subtitles = MediaError.Step(rawValue: "subtitles")
    public static let transcode = MediaError.Step(rawValue: "transcode")
    public static let validate = MediaError.Step(rawValue: "validate")
}

extension OptionName {
    public static let languages = OptionName(rawValue: "languages")
    public static let keepsAll = OptionName(rawValue: "keepsAll")
    public static let rangeStart = OptionName(rawValue: "range.start")
    public static let rangeEnd = OptionName(rawValue: "range.end")
    public static let crf = OptionName(rawValue: "rate .crf")
    public static let quality = OptionName(rawValue: "rate .quality")
    public static let maxBytes = OptionName(rawValue: "maxBytes")
    public static let maxFrameRate = OptionName(rawValue: "maxFrameRate")
    public static let ladder = OptionName(rawValue: "HLSOptions.ladder")
    public static let parallelGOPs = OptionName(rawValue: "HLSOptions.parallelGOPs")

    package static let ofVideo: [OptionName] = [
        .languages, .keepsAll, .rangeStart, .rangeEnd, .crf, .quality, .maxBytes, .maxFrameRate, .ladder, .parallelGOPs,
    ]
}
