internal import WayreelCore
internal import WayreelImage

/// What a story names a file as.
package enum MediaFileKind: Hashable, Sendable {
    case image, audio, video, captions

    private var name: String {
        switch self {
        case .image: "an image"
        case .audio: "audio"
        case .video: "a video"
        case .captions: "captions"
        }
    }

    /// Returns why the file at `path` cannot be of this kind, by its first bytes, and advice.
    func fault(ofFile path: String) -> (reason: String, advice: MediaError.Advice?)? {
        switch (self, MediaSignature(ofFile: path)) {
        case (_, .empty): ("the file is empty", "copy it to the story's folder again")
        case (.image, .image), (.video, .video), (.captions, .video), (_, .unknown): nil
        // A video's audio is taken. Ogg holds either.
        case (.audio, .audio), (.audio, .video): nil
        case (.video, .audio(let found)): found.contains("video") ? nil : named(found, "name audio in a radio event")
        case (.captions, .text): hasTimes(path) ? nil : ("has no times of captions", Self.captionsAdvice)
        case (.image, .video(let found)): named(found, "name it as a video in a scrapbook, or take a still from it")
        case (.image, .audio(let found)): named(found, "name audio in a radio event")
        case (_, .image): named("an image", self == .captions ? Self.captionsAdvice : "name images as images")
        case (.captions, .audio(let found)): named(found, Self.captionsAdvice)
        case (_, .text(let found)), (_, .other(let found)):
            named(found, self == .captions ? Self.captionsAdvice : "export \(name) from it")
        }
    }

    private static let captionsAdvice: MediaError.Advice =
        "give a SubRip or WebVTT file, with lines such as 00:00:01,000 --> 00:00:04,000, or a video with subtitles"

    private func named(_ found: String, _ advice: MediaError.Advice) -> (reason: String, advice: MediaError.Advice?) {
        ("looks like \(found), not like \(name)", advice)
    }

    /// Whether a text has the times of captions near its beginning.
    private func hasTimes(_ path: String) -> Bool {
        FileHead.withFirstBytes(of: path) { String(decoding: $0, as: UTF8.self).contains("-->") } ?? true
    }
}
