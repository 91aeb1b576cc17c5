public import WayreelCore
internal import WayreelImage
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

    /// The story in its own language, with the languages of the bundle.
    public var story: Story
    /// The story in the bundle's other languages.
    public var translated: [Story]
    public var options: PrepareOptions
    public var inputs: [Input]
    /// The tasks in the order of the story.
    public var tasks: [PlannedTask]
    public var failures: [Failure]
    public var treatments: [EventTreatment]
    /// Who made the media, and the number of files of which neither the story nor their metadata say it.
    public var credits: [MediaCredit]
    public var uncredited: Int
    public var warnings: [String]
    /// The base maps of the story and its chapters, as manifests have them, without their tiles; nil for none.
    public var ground: BundleManifest.Ground?
    /// The floor plans, as manifests have them; nil for none.
    public var floors: [BundleManifest.Floor]?
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
        let folder = source.folder
        let (stories, recipes) = try await pool.run { (_) throws(MediaError) in
            let stories = try source.stories(in: options.languages)
            return (stories, try TreatmentRecipes(of: stories, in: folder))
        }
        let requests = stories.requests(recipes, folder: folder)
        let textFiles = Set(
            recipes.all.flatMap(\.filters).flatMap(\.files).compactMap(folder.source)
                + requests.map(\.request).filter { [[.captions], [.font], [.tile]].contains($0.roles) }.map(\.source))
        let media = Set(
            requests.map(\.request).filter(\.isMedia).map(\.source)
                + recipes.imageSources(folder))
        let plans = Set(requests.map(\.request).filter(\.isPlan).map(\.source))
        let others = Set(requests.map(\.request).filter { !$0.isPlan }.map(\.source))
        let reader = SourceReader(
            folder: folder, state: state, hasher: ContentHasher(state: state),
            probe: isolation.map { IsolatedProbe($0) }, options: options, textFiles: textFiles.subtracting(media),
            plans: plans.subtracting(others).subtracting(recipes.imageSources(folder)),
            cancellation: cancellation)
        var seen: Set<String> = []
        let sources = try await reader.read(
            requests.map(\.request.source).filter { seen.insert($0).inserted }, on: pool)
        return try await pool.run { (_) throws(MediaError) -> PreparePlan in
            var planner = Planner(
                stories: stories, options: options, folder: folder, recipes: recipes, sources: sources,
                costs: CostModel(experience: try state.experience()), tools: try ToolVersions.digest())
            try planner.plan(requests)
            planner.warnings = source.story.translationWarnings(stories.map(\.language)) + planner.warnings
            return try planner.result(store)
        }
    }
}
