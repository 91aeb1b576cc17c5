internal import WayreelCore

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
        guard files.count <= Self.maxFiles else {
            throw MediaError(
                .parameter, step: "plan", reason: "there are \(files.count) subtitle files",
                advice: "give at most \(Self.maxFiles)")
        }
        for file in files {
            guard let language = file.language, LanguageCode(language) == nil else { continue }
            throw MediaError(
                .parameter, step: "plan", subject: file.path, reason: "'\(language)' is not a language code",
                advice: "write it as in ISO 639: en, de, pt-BR")
        }
    }
}
