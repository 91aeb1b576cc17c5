internal import WayreelCore
internal import WayreelDocument
internal import WayreelImage
internal import WayreelVideo

/// The options of `POST /v1/transcodes`, by their names as flags of `wayreel transcode`.
struct TranscodeRequest: Sendable {
    /// The name of a recipe, whose filters, overlays and screen apply.
    var recipe: String?
    /// The name under which browsers save the result.
    var download: String?
    /// Whether any option but `recipe` and `download` is given.
    private(set) var isFree = false
    private var framing = RecipeOutput()
    private var video = VideoSettings()
    private var audio = AudioSettings()
    private var range = TimeRange()
    private var dropsSubtitles = false
    private var hasPoster = false
    private var makesHLS = false
    /// nil if none of its options is given.
    private var streaming: HLSOptions?
    private var rates: [RateTarget] = []

    init() {}

    /// The settings of framing that apply to video.
    private static let framingKeys = ["screen", "fit", "gravity", "turn", "background"]

    /// `--recipes-only` forbids all but the first two.
    static let settings: [Setting<TranscodeRequest>] =
        [
            .text("recipe", "the name of a recipe") { $0.recipe = $1 },
            .text("download", "a file name") { $0.download = $1 },
        ] + (framingSettings + ownSettings).map { $0.of(\TranscodeRequest.self, marking: \TranscodeRequest.isFree) }

    private static let framingSettings = framingKeys.map { key in
        RecipeOutput.settings.first { $0.key == key }!.of(\TranscodeRequest.framing)
    }

    private static let ownSettings: [Setting<TranscodeRequest>] = [
        .choice("codec", VideoCodec.self) { $0.video.codec = $1 },
        .number("crf", 0...63) { $0.rates.append(.crf($1)) },
        .value("quality", "low, medium, high, or SSIM × 100 from 90 to 99.9", read: { QualityTarget($0) }) {
            $0.rates.append(.quality($1))
        },
        .value("max-bytes", "a size such as 8MB", read: { Quantity.bytes.parse($0) }) {
            $0.rates.append(.maxBytes($1))
        },
        .text("preset", "a preset of the encoder") { $0.video.preset = $1 },
        .value("max-fps", "frames per second such as 30 or 30000/1001", read: { Rational($0) }) {
            $0.video.maxFrameRate = $1
        },
        .choice("deinterlace", VideoSettings.Deinterlacing.self) { $0.video.deinterlacing = $1 },
        .flag("copy") { $0.video.alwaysEncodes = !$1 },
        .flag("no-video") { $0.video.isDropped = $1 },
        .number("loudness", -70...0, unit: " LUFS") { $0.audio.loudness = $1 },
        .value("audio-rate", "bits per second such as 128k", read: { Quantity.bits.parse($0) }) {
            $0.audio.bitRate = $1
        },
        .whole("track", 1...100, "the track") { $0.audio.track = $1 },
        .value("audio-languages", "codes such as eng,deu", read: { $0.split(separator: ",").map(String.init) }) {
            $0.audio.languages = $1
        },
        .flag("all-audio") { $0.audio.keepsAll = $1 },
        .flag("no-audio") { $0.audio.isDropped = $1 },
        .value("start", "a time such as 90 or 1:30", read: { TimeRange.seconds($0) }) { $0.range.start = $1 },
        .value("end", "a time such as 90 or 1:30", read: { TimeRange.seconds($0) }) { $0.range.end = $1 },
        .flag("no-subtitles") { $0.dropsSubtitles = $1 },
        .flag("poster") { $0.hasPoster = $1 },
        .flag("hls") { $0.makesHLS = $1 },
        .value(
            "ladder", "renditions such as 960x540@2000,640x360@365, or auto",
            read: { $0 == "auto" ? .some(nil) : LadderRung.ladder($0).map(Optional.some) }
        ) { $0.streams.ladder = $1 },
        .number("segment-seconds", 2...60) { $0.streams.segmentSeconds = $1 },
        .whole("parallel-gops", HLSOptions.parallelGOPCounts, "GOPs") { $0.streams.parallelGOPs = $1 },
        .number("preview-every", 0.5...3600, unit: " seconds") { $0.streams.previewInterval = $1 },
        .flag("no-preview") { if $1 { $0.streams.previewInterval = nil } },
    ]

    private var streams: HLSOptions {
        get { streaming ?? HLSOptions() }
        set { streaming = newValue }
    }

    /// The options merged over those of `recipe`. Throws a `parameter` error for options that are invalid for any
    /// video.
    func options(over recipe: Recipe, limits: VideoLimits) throws(MediaError) -> TranscodeOptions {
        guard rates.count <= 1 else {
            throw MediaError(.parameter, step: .options, reason: "crf, quality and max-bytes exclude each other")
        }
        guard !makesHLS || rates.isEmpty else {
            throw MediaError(
                .parameter, step: .options, reason: "the ladder determines the bit rates of HLS",
                advice: "remove crf, quality and max-bytes")
        }
        guard makesHLS || streaming == nil else {
            throw MediaError(
                .parameter, step: .options,
                reason: "ladder, segment-seconds, parallel-gops, preview-every and no-preview need hls=true")
        }
        var asked = framing
        asked.size = framing.size ?? recipe.output.size
        asked.pixelRatio = framing.size == nil ? recipe.output.pixelRatio : nil
        asked.fit = framing.fit ?? recipe.output.fit
        asked.gravity = framing.gravity ?? recipe.output.gravity
        asked.turn = framing.turn ?? recipe.output.turn
        var video = video
        (video.filters, video.overlays) = (recipe.filters, recipe.overlays)
        if let rate = rates.first { video.rate = rate }
        if let background = framing.background { video.background = background }
        let framing = asked.framing(over: Framing(fit: .contain))
        let poster = PosterOptions(
            framing: framing, filters: video.filters, overlays: video.overlays, background: video.background,
            limits: limits)
        let options = TranscodeOptions(
            framing: framing, video: video, audio: audio,
            subtitles: dropsSubtitles ? SubtitleSettings(dropsSource: true) : nil,
            delivery: makesHLS ? .hls(streams) : .mp4, poster: hasPoster ? poster : nil,
            range: range == TimeRange() ? nil : range, limits: limits)
        _ = try TranscodePipeline(options)
        return options
    }
}
