internal import WayreelAV
public import WayreelCore

/// What captions are made from.
public struct CaptionsOptions: Hashable, Sendable, Codable {
    /// The language of the subtitles to take from a video, as ISO 639 or BCP 47; nil for those without a language.
    public var language: String?
    public var limits: VideoLimits

    public init(language: String? = nil, limits: VideoLimits = .standard) {
        self.language = language
        self.limits = limits
    }
}

/// Writes captions as WebVTT, from a SubRip or WebVTT file or from the text subtitles of a video.
public struct CaptionsTask: MediaTask {
    public var input: String
    public var output: String
    public var options: CaptionsOptions

    public init(input: String, output: String, options: CaptionsOptions = CaptionsOptions()) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }
    public var maxSeconds: Double { options.limits.seconds }

    public func makePipeline() throws(MediaError) -> CaptionsPipeline { CaptionsPipeline(options) }
}

/// Runs captions tasks.
public struct CaptionsPipeline: MediaPipeline {
    let options: CaptionsOptions

    init(_ options: CaptionsOptions) { self.options = options }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: CaptionsTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let cues = try context.step(.read) { () throws(MediaError) in
                try CaptionCues.read(task.input, language: options.language, limits: options.limits, task: context)
            }
            try context.step(.write) { () throws(MediaError) in
                let text = Array(WebVTT.text(cues).utf8)
                try OutputFile.write(text, to: task.output, ifExists: ifExists)
                report.output.bytes = text.count
            }
        }
    }
}

/// Reads the cues of captions: of a SubRip or WebVTT file, or of the text subtitles of a video.
package enum CaptionCues {
    /// Returns the cues at `path`; a video's are those in `language`, else those without a language.
    ///
    /// Throws the errors of ``SubtitleFile``, and a `parameter` error if a video has no such subtitles.
    package static func read(
        _ path: String, language: String?, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) -> [SubtitleCue] {
        if isTextFile(path) {
            let file = try SubtitleFile(path)
            for warning in file.warnings { task.warn(.subtitles, warning) }
            return file.cues
        }
        let source = MediaInput.path(path)
        let stream = try Self.stream(of: path, language, limits, task)
        let found = try SubtitleStreams.read([stream], of: source, limits: limits, task: task).cues[stream] ?? []
        // Cues may begin before the video does, at 0.
        let cues = SubtitleTrack(cues: found).cut(to: nil, seconds: nil).cues
        guard !cues.isEmpty else {
            throw MediaError(.decoding, step: .subtitles, subject: path, reason: "its text subtitles have no cues")
        }
        return cues
    }

    /// Checks that there are captions at `path`, of a video without reading its cues. Throws as
    /// ``read(_:language:limits:task:)`` does.
    package static func check(
        _ path: String, language: String?, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        if isTextFile(path) {
            _ = try SubtitleFile(path)
        } else {
            _ = try Self.stream(of: path, language, limits, task)
        }
    }

    private static func isTextFile(_ path: String) -> Bool {
        [".srt", ".vtt"].contains(where: path.lowercased().hasSuffix)
    }

    /// Returns the number of the stream of a video's text subtitles in a language, else of those without one.
    private static func stream(
        of path: String, _ language: String?, _ limits: VideoLimits, _ task: TaskContext
    ) throws(MediaError) -> Int {
        let tracks = SubtitlePlan.all(
            of: try Demuxer(MediaInput.path(path), limits: limits, task: task).info, SubtitleSettings())
        let wanted = language.flatMap { LanguageCode($0) }?.primary
        let track =
            tracks.first { wanted != nil && $0.code?.primary == wanted } ?? tracks.first { $0.code == nil }
        guard let stream = track?.stream else {
            let known = Set(tracks.compactMap(\.code?.tag)).sorted().joined(separator: ", ")
            throw MediaError(
                .parameter, step: .subtitles, subject: path,
                reason: tracks.isEmpty
                    ? "is neither .srt nor .vtt, and has no text subtitles"
                    : "has no text subtitles in '\(language ?? "")'; there are \(known)")
        }
        return stream
    }

    /// Returns a warning if cues of a SubRip or WebVTT file begin after the end of their video, which has a length in
    /// seconds; nil if none does, or if the file cannot be read.
    package static func warning(
        ofFile path: String, beyond seconds: Double, of noun: String = "video"
    ) -> String? {
        guard isTextFile(path), let cues = try? SubtitleFile(path).cues,
            let last = cues.last
        else { return nil }
        // Lengths are rounded to frames.
        let late = cues.count { Double($0.start) / 1000 > seconds + 0.5 }
        guard late > 0 else { return nil }
        return
            "\(late) of \(cues.count) captions begin after the end of the \(noun): the last at \(last.start / 1000) s, "
            + "the \(noun) is \(Int(seconds.rounded(.up))) s long"
    }
}

extension SubtitlePlan {
    fileprivate var code: LanguageCode? { language.flatMap { LanguageCode($0) } }
}

extension LanguageCode {
    /// The language without its region or script.
    fileprivate var primary: Substring { tag.prefix { $0 != "-" } }
}

extension MediaInfo {
    package var hasTextSubtitles: Bool { !SubtitlePlan.all(of: self, SubtitleSettings()).isEmpty }
}
