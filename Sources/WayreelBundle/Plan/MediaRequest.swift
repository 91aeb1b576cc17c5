internal import WayreelCore
internal import WayreelImage
internal import WayreelStory

/// A request of a story for media: one file, and the kind of media to make from it.
enum MediaRequest: Hashable {
    case image(String)
    case audio(String, RadioContent.Visualizer?)
    case video(String)
    /// Captions in a language.
    case captions(String, language: String)
    /// The sample of a camera event with its treatment.
    case preview(String, event: String)
    /// A file of a camera event's treatment.
    case treatment(String, event: String)

    var source: String {
        switch self {
        case .image(let source), .audio(let source, _), .video(let source), .captions(let source, _),
            .preview(let source, _), .treatment(let source, _):
            source
        }
    }

    /// Whether the file itself is shown or played; a file of a treatment is only used by the treatment, and captions
    /// are read as text.
    var isMedia: Bool {
        switch self {
        case .treatment, .captions: false
        case .image, .audio, .video, .preview: true
        }
    }

    /// The roles of the files that are made from it.
    var roles: [MediaRole] {
        switch self {
        case .image: [.image]
        case .audio(_, let visualizer): visualizer == nil ? [.audio] : [.audio, .levels, .plot]
        case .video: [.video, .poster]
        case .captions: [.captions]
        case .preview: [.preview]
        case .treatment: [.treatment]
        }
    }
}

extension Story {
    /// Returns requests for everything that the story shows or plays, each once, in the order of the story. `recipes`
    /// are those of camera events, by the event's id.
    func requests(_ recipes: [String: Recipe], folder: StoryFolder?) -> [MediaRequest] {
        var all: [MediaRequest] = []
        for (asset, kind) in filesBeforeChapters {
            all.append(kind == .image ? .image(asset.source) : .audio(asset.source, nil))
        }
        all += sections.flatMap(\.items).compactMap(\.audio).flatMap { $0.captions.requests(language) }
        for chapter in chapters {
            if let image = chapter.image { all.append(.image(image.source)) }
            for event in chapter.events {
                all += event.contents.flatMap { $0.requests(event: event.id, language) }
                if let sound = event.arrival?.sound { all.append(.audio(sound.source, nil)) }
                for file in recipes[event.id]?.files ?? [] {
                    if let source = folder?.source(of: file) { all.append(.treatment(source, event: event.id)) }
                }
            }
        }
        var known: Set<MediaRequest> = []
        return all.filter { known.insert($0).inserted }
    }
}

extension EventContent {
    fileprivate func requests(event: String, _ language: String) -> [MediaRequest] {
        switch self {
        case .camera: files.flatMap { [.image($0.asset.source), .preview($0.asset.source, event: event)] }
        case .radio(let radio):
            radio.tracks.flatMap { [.audio($0.audio.source, radio.visualizer)] + $0.captions.requests(language) }
        case .scrapbook(let scrapbook):
            scrapbook.items.flatMap { item -> [MediaRequest] in
                switch item {
                case .text: []
                case .image(let asset): [.image(asset.source)]
                case .video(let video): [.video(video.source)] + video.captions.requests(language)
                }
            }
        case .goggles, .quiz, .exhibit: files.map { .image($0.asset.source) }
        }
    }
}

extension [ScrapbookContent.Captions]? {
    /// `language` is that of captions without one.
    fileprivate func requests(_ language: String) -> [MediaRequest] {
        (self ?? []).map { .captions($0.source, language: $0.language ?? language) }
    }
}

extension Recipe {
    /// The paths of the files that its filters and overlays use.
    var files: [String] { overlays.imagePaths + filters.flatMap(\.files) }
}
