public import WayreelCore
public import WayreelImage
public import WayreelVideo

/// The options for preparing the media of a story.
public struct PrepareOptions: Hashable, Sendable, Codable {
    /// The screens of devices. Images are made at the width of each screen, and are never enlarged.
    public var screens: [Screen]
    /// The languages of the bundle, as the story tags them, and `qps` for the pseudo-language; nil for all that the story
    /// has. The story's own language is always there: texts and media that a translation lacks are shown in it.
    public var languages: [String]?
    /// The format of images. If it is JPEG, images with transparency become PNG.
    public var imageFormat: Encoding.Format
    /// The quality of images, from 1 to 100.
    public var imageQuality: Int
    public var videoCodec: VideoCodec
    /// The encoder's preset; nil for the encoder's default.
    public var videoPreset: String?
    /// The length in seconds from which videos become HLS; shorter ones become MP4.
    public var streamingSeconds: Double
    /// The bit rate of two channels in bits per second.
    public var audioBitRate: Int
    /// How far base maps reach beyond the circles of events and the starts of chapters, in metres, 0 to
    /// ``maxMapMargin``.
    public var mapMargin: Double
    /// The maximum total size of the media of the bundle.
    public var maxBundleBytes: Int?
    /// The maximum size of each file.
    public var maxFileBytes: Int?
    public var limits: Limits
    public var videoLimits: VideoLimits
    public var audioLimits: AudioLimits

    public static let maxMapMargin = 20_000.0

    public init(
        screens: [Screen], languages: [String]? = nil, imageFormat: Encoding.Format = .jpeg, imageQuality: Int = 82,
        videoCodec: VideoCodec = .h264, videoPreset: String? = nil, streamingSeconds: Double = 60,
        audioBitRate: Int = 128_000, mapMargin: Double = 500, maxBundleBytes: Int? = nil, maxFileBytes: Int? = nil,
        limits: Limits = .standard, videoLimits: VideoLimits = .standard, audioLimits: AudioLimits = .standard
    ) {
        self.screens = screens
        self.languages = languages
        self.imageFormat = imageFormat
        self.imageQuality = imageQuality
        self.videoCodec = videoCodec
        self.videoPreset = videoPreset
        self.streamingSeconds = streamingSeconds
        self.audioBitRate = audioBitRate
        self.mapMargin = mapMargin
        self.maxBundleBytes = maxBundleBytes
        self.maxFileBytes = maxFileBytes
        self.limits = limits
        self.videoLimits = videoLimits
        self.audioLimits = audioLimits
    }

    /// Throws a `parameter` error if there is no screen, a setting is out of range, or two screens have the same name.
    func check() throws(MediaError) {
        func refuse(_ reason: String, _ advice: MediaError.Advice) -> MediaError {
            MediaError(.parameter, step: .prepare, reason: reason, advice: advice)
        }
        guard !screens.isEmpty else {
            throw refuse("no screen is given", "use \(.screens), once for each device")
        }
        for (index, screen) in screens.enumerated() where screens[..<index].contains(where: { $0.name == screen.name })
        {
            throw refuse("the screen '\(screen.name)' is given twice", "name each screen once")
        }
        try Encoding(imageFormat, quality: imageQuality).check()
        guard streamingSeconds >= 0 else {
            throw refuse("a length of \(streamingSeconds.shortDescription) s for HLS", "use 0 or more")
        }
        guard (32_000...320_000).contains(audioBitRate) else {
            throw refuse("an audio bit rate of \(audioBitRate)", "use 32000 to 320000")
        }
        guard (0...Self.maxMapMargin).contains(mapMargin) else {
            throw refuse("a margin of \(mapMargin.shortDescription) m around base maps", "use 0 to 20000")
        }
        for (name, bytes) in [("bundle", maxBundleBytes), ("file", maxFileBytes)] {
            if let bytes, bytes < 1 { throw refuse("a \(name) of \(bytes) bytes", "use a positive number") }
        }
    }
}

extension MediaError.Step {
    public static let budget = MediaError.Step(rawValue: "budget")
    public static let bundle = MediaError.Step(rawValue: "bundle")
    public static let prepare = MediaError.Step(rawValue: "prepare")
    public static let state = MediaError.Step(rawValue: "state")
    public static let verify = MediaError.Step(rawValue: "verify")
}

extension OptionName {
    public static let maxBundleBytes = OptionName(rawValue: "maxBundleBytes")
    public static let maxFileBytes = OptionName(rawValue: "maxFileBytes")
    public static let screens = OptionName(rawValue: "screens")
    public static let prepare = OptionName(rawValue: "PreparePlan")

    /// All of this module.
    package static let ofBundle: [OptionName] = [.maxBundleBytes, .maxFileBytes, .screens, .prepare]
}
