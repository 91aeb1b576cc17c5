internal import ArgumentParser
internal import WayreelMedia

/// HLS output: a folder of playlists and segments in several renditions.
struct StreamingOptions: ParsableArguments {
    @Flag(help: "Write an HLS folder: fragmented MP4 in several renditions, I-frame playlists, a preview.")
    var hls = false

    @Option(help: "Renditions: auto, or as in 960x540@2000,640x360@365, in pixels and kb/s. (default: auto)")
    var ladder: Ladder?

    @Option(help: "Segment duration in seconds, a multiple of 2. (default: 6)")
    var segmentSeconds: Double?

    @Option(
        name: .customLong("parallel-gops"),
        help: ArgumentHelp(
            "GOPs of the largest rendition to encode at the same time, 1 to 4: more need less time on many cores or "
                + "beside other programs, and more memory. (default: 2 up to 1280x720, 3 up to "
                + "960x540 with presets up to veryfast, else 1)",
            valueName: "count"))
    var parallelGOPs: Int?

    @Flag(help: "Encrypt the segments with AES-128 and a new key.")
    var encrypt = false

    @Option(
        name: [.customLong("key-uri"), .customLong("key-address")],
        help: "URI of the key in the playlists. (default: the key file beside the playlists)")
    var keyURI: String?

    @Option(help: "Seconds between the preview's thumbnails. (default: 5)")
    var previewEvery: Double?

    @Flag(help: "Write no preview.")
    var noPreview = false

    func validate() throws {
        if keyURI != nil, !encrypt { throw ValidationError("--key-uri has no effect without --encrypt") }
        if previewEvery != nil, noPreview {
            throw ValidationError("--preview-every and --no-preview are mutually exclusive")
        }
    }

    /// The first given option, for an error if the output is a single file.
    var firstGiven: String? {
        let given = [
            ("--ladder", ladder != nil), ("--segment-seconds", segmentSeconds != nil),
            ("--parallel-gops", parallelGOPs != nil), ("--encrypt", encrypt),
            ("--preview-every", previewEvery != nil), ("--no-preview", noPreview),
        ]
        return given.first(where: \.1)?.0
    }

    var settings: HLSOptions {
        var settings = HLSOptions(
            ladder: ladder?.rungs, parallelGOPs: parallelGOPs, isEncrypted: encrypt, keyURI: keyURI)
        if let segmentSeconds { settings.segmentSeconds = segmentSeconds }
        if let previewEvery { settings.previewInterval = previewEvery }
        if noPreview { settings.previewInterval = nil }
        return settings
    }
}

/// `auto`, or sizes and kilobits per second: `960x540@2000,640x360@365`.
struct Ladder: ExpressibleByArgument {
    /// The renditions; nil if they are chosen by the source.
    let rungs: [LadderRung]?

    init?(argument: String) {
        guard argument != "auto" else {
            rungs = nil
            return
        }
        guard let rungs = LadderRung.ladder(argument) else { return nil }
        self.rungs = rungs
    }
}

/// Subtitles of a video.
struct SubtitleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Add subtitles from an .srt or .vtt file, with a language: video.srt or video.srt:en. Repeatable.",
            valueName: "file[:language]"), completion: .file())
    var subtitles: [SubtitleArgument] = []

    @Flag(help: "Drop the video's own subtitles.")
    var noSubtitles = false

    var settings: SubtitleSettings? {
        guard noSubtitles || !subtitles.isEmpty else { return nil }
        return SubtitleSettings(files: subtitles.map(\.file), dropsSource: noSubtitles)
    }
}

/// `video.srt`, `video.srt:en`, `video.srt:pt-BR`.
struct SubtitleArgument: ExpressibleByArgument {
    let file: SubtitleSettings.File

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        // A file name may contain a colon; the text after the last one is a language only if it has the form of one.
        if let colon = argument.lastIndex(of: ":") {
            let language = argument[argument.index(after: colon)...]
            let isCode =
                (2...35).contains(language.utf8.count)
                && language.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            if isCode, colon != argument.startIndex {
                file = SubtitleSettings.File(path: String(argument[..<colon]), language: String(language))
                return
            }
        }
        file = SubtitleSettings.File(path: argument)
    }
}
