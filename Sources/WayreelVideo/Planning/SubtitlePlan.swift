internal import WayreelCore

/// A subtitle track of the output.
public struct SubtitlePlan: Hashable, Sendable, Codable {
    /// The index of the stream in the source; nil: it comes from ``file``.
    public var stream: Int?
    public var file: String?
    /// The language as ISO 639 or BCP 47.
    public var language: String?
    public var title: String?

    public init(stream: Int? = nil, file: String? = nil, language: String? = nil, title: String? = nil) {
        self.stream = stream
        self.file = file
        self.language = language
        self.title = title
    }

    /// The subtitle tracks that `settings` select of a source.
    static func all(of info: MediaInfo, _ settings: SubtitleSettings) -> [SubtitlePlan] {
        let streams = info.streams.filter {
            $0.kind == .subtitles && !settings.dropsSource && SubtitleStreams.textCodecs.contains($0.codec)
        }
        return streams.map { SubtitlePlan(stream: $0.index, language: $0.language, title: $0.title) }
            + settings.files.map { SubtitlePlan(file: $0.path, language: $0.language) }
    }
}
