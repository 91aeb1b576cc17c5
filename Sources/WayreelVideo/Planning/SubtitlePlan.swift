internal import WayreelCore

/// Which subtitles are delivered: MP4 gets them as timed text, HLS as WebVTT.
public struct SubtitleSettings: Hashable, Sendable, Codable {
    /// Files of SubRip or WebVTT, each of which becomes a track behind those of the source.
    public var files: [File]
    /// Leaves out those of the source.
    public var dropsSource: Bool

    public init(files: [File] = [], dropsSource: Bool = false) {
        self.files = files
        self.dropsSource = dropsSource
    }

    /// A file of subtitles, on the timeline of the source.
    public struct File: Hashable, Sendable, Codable {
        public var path: String
        /// ISO 639 or BCP 47: `en`, `deu`, `pt-BR`; nil: unknown.
        public var language: String?

        public init(path: String, language: String? = nil) {
            self.path = path
            self.language = language
        }
    }

    /// Files beyond which nobody chooses any more.
    private static let mostFiles = 50

    func check() throws(MediaError) {
        guard files.count <= Self.mostFiles else {
            throw MediaError(
                .parameter, step: "plan", reason: "there are \(files.count) files of subtitles",
                advice: "give \(Self.mostFiles) at most")
        }
        for file in files {
            guard let language = file.language, LanguageCode(language) == nil else { continue }
            throw MediaError(
                .parameter, step: "plan", subject: file.path, reason: "'\(language)' is no code of a language",
                advice: "write it as in ISO 639: en, de, pt-BR")
        }
    }
}

/// A track of subtitles in the output.
public struct SubtitlePlan: Hashable, Sendable, Codable {
    /// The place of the stream in the source; nil: it is ``file``.
    public var stream: Int?
    public var file: String?
    /// ISO 639 or BCP 47.
    public var language: String?
    public var title: String?

    public init(stream: Int? = nil, file: String? = nil, language: String? = nil, title: String? = nil) {
        self.stream = stream
        self.file = file
        self.language = language
        self.title = title
    }

    /// What `settings` have of a file that holds `info`.
    static func all(of info: MediaInfo, _ settings: SubtitleSettings) -> [SubtitlePlan] {
        let streams = info.streams.filter {
            $0.kind == .subtitles && !settings.dropsSource && SubtitleStreams.textCodecs.contains($0.codec)
        }
        return streams.map { SubtitlePlan(stream: $0.index, language: $0.language, title: $0.title) }
            + settings.files.map { SubtitlePlan(file: $0.path, language: $0.language) }
    }
}
