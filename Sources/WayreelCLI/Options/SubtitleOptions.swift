internal import ArgumentParser
internal import WayreelMedia

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
