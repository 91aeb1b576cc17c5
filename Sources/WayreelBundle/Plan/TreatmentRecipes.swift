public import WayreelImage
internal import WayreelCore
internal import WayreelStory
internal import WayreelStoryMedia

/// The recipes of camera events. Texts over captures may differ by language; languages with the same ones share a recipe.
struct TreatmentRecipes: Sendable {
    struct Variant: Sendable {
        let treatment: Treatment
        let recipe: Recipe
        /// The languages that it is for; the first one names it.
        var languages: [String]

        var language: String { languages[0] }
    }

    /// By the event's id; the first one is that of the story's own language.
    private var variants: [String: [Variant]] = [:]

    /// No recipes.
    init() {}

    /// Reads the recipes of camera events of a story in these languages. Recipes of journals are not included, because
    /// they belong to no camera event.
    ///
    /// Throws what reading a recipe throws.
    init(of stories: [Story], in folder: StoryFolder) throws(MediaError) {
        for story in stories {
            for event in story.chapters.flatMap(\.events) {
                guard case .camera(let camera) = event.content else { continue }
                var known = variants[event.id] ?? []
                if let same = known.firstIndex(where: { $0.treatment == camera.treatment }) {
                    known[same].languages.append(story.language)
                } else {
                    known.append(
                        Variant(
                            treatment: camera.treatment, recipe: try camera.treatment.recipe(in: folder),
                            languages: [story.language]))
                }
                variants[event.id] = known
            }
        }
    }

    /// All recipes.
    var all: [Recipe] { variants.values.flatMap(\.self).map(\.recipe) }

    /// Returns what an event does with captures in a language; nil unless it is a camera event.
    func treatment(of event: String, in language: String) -> Variant? {
        variants[event]?.first { $0.languages.contains(language) }
    }

    /// The images that are drawn over captures, as the story names them.
    func imageSources(_ folder: StoryFolder) -> [String] {
        all.flatMap(\.overlays.imagePaths).compactMap(folder.source)
    }

    /// The treatments of all camera events, in the order of their ids, with the paths of files as in the story.
    func treatments(_ folder: StoryFolder) -> [EventTreatment] {
        variants.sorted { $0.key < $1.key }.flatMap { event, variants in
            variants.enumerated().map { index, variant in
                var capture = CaptureOptions(variant.recipe)
                capture.filters = capture.filters.map { $0.renamingFiles { folder.source(of: $0) ?? $0 } }
                capture.overlays = capture.overlays.map { $0.renamingFile { folder.source(of: $0) ?? $0 } }
                return EventTreatment(event: event, languages: index == 0 ? nil : variant.languages, options: capture)
            }
        }
    }
}

/// The treatment of a camera event with its recipe resolved, which the bundle stores for players' captures.
public struct EventTreatment: Hashable, Sendable, Codable {
    public var event: String
    /// The languages that it is for; nil for all that have none of their own.
    public var languages: [String]?
    /// The options, with the paths of files as the story names them, and without a screen.
    public var options: CaptureOptions
}

extension Recipe {
    /// The paths of the files that its filters and overlays use.
    var files: [String] { overlays.imagePaths + filters.flatMap(\.files) }
}
