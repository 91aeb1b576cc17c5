internal import WayreelCore
internal import WayreelImage
internal import WayreelStory
internal import WayreelTasks
internal import WayreelVideo

/// Who made media of a bundle, and under which licence they are shown; those of the same together.
public struct MediaCredit: Hashable, Sendable, Codable {
    /// The paths of the files as the story names them, in their order.
    public var sources: [String]
    public var author: String?
    /// The licence or its address, or a copyright notice.
    public var license: String?
    /// The address of a page about the work.
    public var origin: String?
}

/// The credits of a story's media: of each file what the story says of it, completed by the file's own metadata.
struct MediaCredits {
    private(set) var all: [MediaCredit] = []
    /// The number of files of which neither says anything.
    private(set) var uncredited = 0

    /// `stories`: the story in each language, its own first; `overlays`: the images that are drawn over captures; `maps`:
    /// who made base maps.
    init(
        of stories: [Story], _ overlays: [String], _ sources: [String: Result<SourceFile, MediaError>],
        maps: [String: MediaAttribution]
    ) {
        guard let own = stories.first else { return }
        let stated = own.statedAttributions
        // A translation's file has the attributes of the one that it replaces, which may have been made by others.
        let replaced = stories.dropFirst().reduce(into: [:]) { found, story in
            found.merge(story.statedAttributions) { first, _ in first }
        }
        var groups: [MediaAttribution: [String]] = [:]
        for source in Set(overlays).union(stated.keys).union(replaced.keys) {
            guard case .success(let file)? = sources[source] else { continue }
            // Of an SVG drawing only the story says it.
            let inFile = file.probe?.attribution
            let attribution =
                if let stated = stated[source] { stated.attribution(completedBy: inFile) } else {
                    Stated(inFile).attribution(completedBy: replaced[source]?.attribution(completedBy: nil))
                }
            if let attribution { groups[attribution, default: []].append(source) } else { uncredited += 1 }
        }
        for (source, credit) in maps { groups[credit, default: []].append(source) }
        all = groups.map { attribution, sources in
            MediaCredit(
                sources: sources.sorted(), author: attribution.author, license: attribution.license,
                origin: attribution.origin)
        }.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }
}

extension MediaCredit {
    fileprivate var order: [String] { [author, license, origin].map { $0 ?? "" } }
}

/// What a story says of a file, in whichever of its places.
private struct Stated {
    private var author: String?
    private var license: String?
    private var origin: String?

    init() {}

    init(_ attribution: MediaAttribution?) {
        (author, license, origin) = (attribution?.author, attribution?.license, attribution?.origin)
    }

    mutating func add(_ asset: Asset) {
        author = author ?? asset.author
        license = license ?? asset.license
        origin = origin ?? asset.origin
    }

    func attribution(completedBy other: MediaAttribution?) -> MediaAttribution? {
        MediaAttribution(
            author: author ?? other?.author, license: license ?? other?.license, origin: origin ?? other?.origin)
    }
}

extension Story {
    /// What the story says of its images, audio and videos, by their paths.
    fileprivate var statedAttributions: [String: Stated] {
        let inChapters = chapters.flatMap { chapter in
            [chapter.image].compactMap(\.self)
                + chapter.events.flatMap { event in
                    event.contents.flatMap { $0.files.map(\.asset) } + [event.arrival?.sound].compactMap(\.self)
                }
        }
        let all = filesBeforeChapters.map(\.asset) + floorPlans.map(\.image) + inChapters
        return all.reduce(into: [:]) { stated, asset in
            stated[asset.source, default: Stated()].add(asset)
        }
    }
}

extension FileProbe {
    fileprivate var attribution: MediaAttribution? {
        switch self {
        case .image(let image): image.attribution
        case .media(let media): media.media.attribution
        }
    }
}
