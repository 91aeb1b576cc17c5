/// What a story names a file as.
package enum MediaFileKind: Hashable, Sendable {
    case image, audio, video, captions
}

extension Story {
    /// The captions of a video, wherever it is shown.
    package func captions(of video: String) -> [ScrapbookContent.Captions] {
        captionedVideos.filter { $0.source == video }.flatMap { $0.captions ?? [] }
    }

    /// The videos with captions, in the order of the story.
    package var captionedVideos: [ScrapbookContent.Video] {
        chapters.flatMap(\.events).flatMap(\.contents).flatMap { content -> [ScrapbookContent.Video] in
            guard case .scrapbook(let scrapbook) = content else { return [] }
            return scrapbook.videos.filter { $0.captions != nil }
        }
    }
}

extension Event {
    /// The event's content and the content of its journal entry.
    package var contents: [EventContent] { [content] + [journal?.content].compactMap(\.self) }
}

extension EventContent {
    /// All files that the content shows or plays with their kinds, in order.
    package var files: [(asset: Asset, kind: MediaFileKind)] {
        switch self {
        case .camera(let camera): [camera.sample].compactMap(\.self).map { ($0, .image) }
        case .radio(let radio): radio.tracks.map { ($0.audio, .audio) }
        case .scrapbook(let scrapbook):
            scrapbook.items.compactMap { item in
                switch item {
                case .text: nil
                case .image(let asset): (asset, .image)
                case .video(let video): (video.asset, .video)
                }
            }
        case .goggles(let goggles): goggles.pins.map { ($0.image, .image) }
        case .quiz(let quiz): quiz.questions.compactMap(\.image).map { ($0, .image) }
        case .exhibit: []
        }
    }
}
