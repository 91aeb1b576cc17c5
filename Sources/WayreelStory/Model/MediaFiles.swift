/// What a story names a file as.
package enum MediaFileKind: Hashable, Sendable {
    case image, audio, video, captions, font, map
}

extension Story {
    /// The captions of a video or of audio, wherever it is shown or played.
    package func captions(of source: String) -> [ScrapbookContent.Captions] {
        captioned.filter { $0.source == source }.flatMap(\.captions)
    }

    /// The audio and the videos with captions, in the order of the document.
    package var captioned: [CaptionedFile] {
        sections.flatMap(\.items).compactMap(\.audio?.captioned)
            + chapters.flatMap(\.events).flatMap(\.contents).flatMap(\.captioned)
    }

    /// The files that the story names before its chapters, with their kinds, in the order of the document.
    package var filesBeforeChapters: [(asset: Asset, kind: MediaFileKind)] {
        let images = [cover, face?.logo] + news.map(\.image)
        return images.compactMap(\.self).map { ($0, .image) }
            + sections.flatMap { section in
                [section.image].compactMap(\.self).map { ($0, .image) } + section.items.flatMap(\.files)
            } + [arrival?.sound].compactMap(\.self).map { ($0, .audio) }
    }
}

/// The languages in which a video or audio has captions.
package struct CaptionLanguages: Hashable, Sendable {
    package var source: String
    /// In the order of the document, each once.
    package var languages: [String] = []

    /// Whether there are captions in a language, in a more general one, as `de` for `de-AT`, or in one of its kinds, as
    /// `de-AT` for `de`.
    package func hasCaptions(in language: String) -> Bool {
        let wanted = LanguageTag.fallbacks(of: language)
        return languages.contains { tag in
            wanted.contains { LanguageTag.areSame($0, tag) }
                || LanguageTag.fallbacks(of: tag).contains { LanguageTag.areSame($0, language) }
        }
    }
}

extension Story {
    /// The languages of captions of each audio and video that has captions in any, wherever it is shown or played.
    package var captionLanguages: [CaptionLanguages] {
        var all: [CaptionLanguages] = []
        var indices: [String: Int] = [:]
        for file in captioned {
            let index = indices[file.source] ?? all.count
            if index == all.count { all.append(CaptionLanguages(source: file.source)) }
            indices[file.source] = index
            for tag in file.captions.map({ $0.language ?? language }) where !all[index].languages.contains(tag) {
                all[index].languages.append(tag)
            }
        }
        return all
    }
}

extension Story {
    /// The sounds that tell players of their arrival, in all languages of the story.
    package var arrivalSounds: Set<String> {
        let stories = [self] + translations.map { localized($0.language) }
        let arrivals = stories.flatMap { [$0.arrival] + $0.chapters.flatMap(\.events).map(\.arrival) }
        return Set(arrivals.compactMap { $0?.sound?.source })
    }
}

/// A video or audio with its captions.
package struct CaptionedFile: Hashable, Sendable {
    package var source: String
    package var captions: [ScrapbookContent.Captions]

    fileprivate init?(_ source: String, _ captions: [ScrapbookContent.Captions]?) {
        guard let captions else { return nil }
        self.source = source
        self.captions = captions
    }
}

extension Item {
    /// The files that the item shows and plays, with their kinds, in order.
    package var files: [(asset: Asset, kind: MediaFileKind)] {
        images.map { ($0, .image) } + [audio?.audio].compactMap(\.self).map { ($0, .audio) }
    }
}

extension Event {
    /// The event's content and the content of its journal entry.
    package var contents: [EventContent] { [content] + [journal?.content].compactMap(\.self) }
}

extension RadioContent.Track {
    /// The track if it has captions.
    fileprivate var captioned: CaptionedFile? { CaptionedFile(audio.source, captions) }
}

extension EventContent {
    /// The audio and the videos of the content that have captions, in order.
    package var captioned: [CaptionedFile] {
        switch self {
        case .radio(let radio): radio.tracks.compactMap(\.captioned)
        case .scrapbook(let scrapbook): scrapbook.videos.compactMap { CaptionedFile($0.source, $0.captions) }
        case .camera, .goggles, .quiz, .exhibit: []
        }
    }

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
