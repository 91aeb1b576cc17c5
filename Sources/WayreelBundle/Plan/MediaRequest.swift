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
    /// The sample of a camera event with its treatment in a language.
    case preview(String, event: String, language: String)
    /// A file of a camera event's treatment.
    case treatment(String, event: String)
    /// The font of the house's face.
    case font(String)
    /// A base map: the story's, or that of a chapter.
    case map(String, chapter: String?)
    /// The picture of a floor plan, by the plan's id.
    case plan(String, id: String)

    var source: String {
        switch self {
        case .image(let source), .audio(let source, _), .video(let source), .captions(let source, _),
            .preview(let source, _, _), .treatment(let source, _), .font(let source),
            .map(let source, _), .plan(let source, _):
            source
        }
    }

    /// Whether the file itself is shown or played; a file of a treatment is only used by the treatment, and captions,
    /// fonts and maps are no media.
    var isMedia: Bool {
        switch self {
        case .treatment, .captions, .font, .map: false
        case .image, .audio, .video, .preview, .plan: true
        }
    }

    /// Whether it is for a floor plan, whose picture may be an SVG drawing.
    var isPlan: Bool { if case .plan = self { true } else { false } }

    /// The roles of the files that are made from it.
    var roles: [MediaRole] {
        switch self {
        case .image, .plan: [.image]
        case .audio(_, let visualizer): visualizer == nil ? [.audio] : [.audio, .levels, .plot]
        case .video: [.video, .poster]
        case .captions: [.captions]
        case .preview: [.preview]
        case .treatment: [.treatment]
        case .font: [.font]
        case .map: [.tile]
        }
    }
}

extension [Story] {
    /// Returns requests for everything that a story shows or plays in these languages, each once, in the order of the
    /// story; with the languages that need it, nil for all of them.
    func requests(
        _ recipes: TreatmentRecipes, folder: StoryFolder?
    ) -> [(request: MediaRequest, languages: [String]?)] {
        var languages: [MediaRequest: [String]] = [:]
        var all: [MediaRequest] = []
        for story in self {
            for request in story.requests(recipes, folder: folder) {
                if languages[request] == nil { all.append(request) }
                languages[request, default: []].append(story.language)
            }
        }
        return all.map { ($0, languages[$0].flatMap { $0.count < count ? $0 : nil }) }
    }
}

extension Story {
    /// Returns requests for everything that the story shows or plays, each once, in the order of the story.
    func requests(_ recipes: TreatmentRecipes, folder: StoryFolder?) -> [MediaRequest] {
        var all: [MediaRequest] = []
        for (asset, kind) in filesBeforeChapters {
            all.append(kind == .image ? .image(asset.source) : .audio(asset.source, nil))
        }
        if let font = face?.font { all.append(.font(font)) }
        all += baseMapUses.map { .map($0.map.source, chapter: $0.chapter) }
        all += floorPlans.map { .plan($0.image.source, id: $0.id) }
        all += sections.flatMap(\.items).compactMap(\.audio).flatMap { $0.captions.requests(language) }
        for chapter in chapters {
            if let image = chapter.image { all.append(.image(image.source)) }
            for event in chapter.events {
                let treatment = recipes.treatment(of: event.id, in: language)
                all += event.contents.flatMap { $0.requests(event: event.id, language, treatment: treatment?.language) }
                if let sound = event.arrival?.sound { all.append(.audio(sound.source, nil)) }
                for file in treatment?.recipe.files ?? [] {
                    if let source = folder?.source(of: file) { all.append(.treatment(source, event: event.id)) }
                }
            }
        }
        var known: Set<MediaRequest> = []
        return all.filter { known.insert($0).inserted }
    }
}

extension EventContent {
    /// `treatment` is the language whose treatment is that of `language`, too.
    fileprivate func requests(event: String, _ language: String, treatment: String?) -> [MediaRequest] {
        switch self {
        case .camera:
            files.flatMap {
                [
                    .image($0.asset.source),
                    .preview($0.asset.source, event: event, language: treatment ?? language),
                ]
            }
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
