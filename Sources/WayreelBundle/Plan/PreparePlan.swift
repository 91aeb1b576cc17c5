public import WayreelCore
public import WayreelImage
public import WayreelStory
internal import WayreelStoryMedia
internal import WayreelTasks

/// The plan of preparing a story: its tasks as values, with their expected costs.
public struct PreparePlan: Hashable, Sendable, Codable {
    /// A file of the story that cannot be prepared.
    public struct Failure: Hashable, Sendable, Codable {
        public var source: String
        public var error: MediaError
    }

    /// A file of the story that is prepared.
    public struct Input: Hashable, Sendable, Codable {
        /// The path as the story names it.
        public var source: String
        public var path: String
        public var bytes: Int
        public var sha256: String
        /// The stamp that shows whether the file has changed since it was hashed.
        var stamp: String
    }

    public var story: Story
    public var options: PrepareOptions
    public var inputs: [Input]
    /// The tasks in the order of the story.
    public var tasks: [PlannedTask]
    public var failures: [Failure]
    public var treatments: [EventTreatment]
    public var warnings: [String]
    /// The quality that is given up to stay within the maximum size, as far as it is known before the media are made;
    /// nil without a limit.
    public var budget: BudgetReport?

    /// The tasks that have to run.
    public var pending: [PlannedTask] { tasks.filter { !$0.isReused } }

    /// The expected size of all media.
    public var predictedBytes: Int { tasks.reduce(0) { $0 + $1.predicted.bytes } }

    /// The expected processor time of the tasks that have to run.
    public var predictedSeconds: Double { pending.reduce(0) { $0 + $1.predicted.seconds } }

    static func plan(
        _ source: StorySource, options: PrepareOptions, state: BundleState, store: MediaStore?,
        isolation: Isolation?, on pool: WorkPool, cancellation: Cancellation
    ) async throws -> PreparePlan {
        let (story, folder) = (source.story, source.folder)
        let recipes = try await pool.run { (_) throws(MediaError) in try treatmentRecipes(of: story, folder) }
        let requests = story.requests(recipes, folder: folder)
        let textFiles = Set(
            recipes.values.flatMap(\.filters).flatMap(\.files).compactMap(folder.source)
                + requests.filter { $0.roles == [.captions] }.map(\.source))
        let media = Set(
            requests.filter(\.isMedia).map(\.source)
                + recipes.values.flatMap(\.overlays.imagePaths).compactMap(folder.source))
        let reader = SourceReader(
            folder: folder, state: state, hasher: ContentHasher(state: state),
            probe: isolation.map { IsolatedProbe($0) }, options: options, textFiles: textFiles.subtracting(media),
            cancellation: cancellation)
        var seen: Set<String> = []
        let sources = try await reader.read(
            requests.map(\.source).filter { seen.insert($0).inserted }, on: pool)
        return try await pool.run { (_) throws(MediaError) -> PreparePlan in
            var planner = Planner(
                story: story, options: options, folder: folder, recipes: recipes, sources: sources,
                costs: CostModel(experience: try state.experience()), tools: try ToolVersions.digest(),
                captioned: Set(story.captioned.map(\.source)))
            try planner.plan(requests)
            return try planner.result(store)
        }
    }

    /// Returns the recipes of camera events by the event's id. Recipes of journals are not included, because they
    /// belong to no camera event.
    private static func treatmentRecipes(of story: Story, _ folder: StoryFolder) throws(MediaError) -> [String: Recipe]
    {
        var recipes: [String: Recipe] = [:]
        for event in story.chapters.flatMap(\.events) {
            if case .camera(let camera) = event.content {
                recipes[event.id] = try camera.treatment.recipe(in: folder)
            }
        }
        return recipes
    }
}

/// The treatment of a camera event with its recipe resolved, which the bundle stores for players' captures.
public struct EventTreatment: Hashable, Sendable, Codable {
    public var event: String
    /// The options, with the paths of files as the story names them, and without a screen.
    public var options: CaptureOptions
}
