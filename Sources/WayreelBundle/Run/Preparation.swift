internal import Glibc
internal import Synchronization
public import WayreelCore
internal import WayreelStory
public import WayreelTasks

/// Prepares a story into a bundle: makes a plan, runs its tasks and switches to the new version.
///
///     let options = PrepareOptions(screens: [try Screen(parsing: "iphone-15")])
///     let report = try await Preparation(document: "story.xml", bundle: "bundle/", options: options).run { event in
///         if case .finished(let task, let result) = event { print(task.kind, result.status) }
///     }
///
/// If a run is killed at any moment, the next one continues where it stopped. Readers of the bundle see the old version
/// until the new one is complete.
public struct Preparation: Sendable {
    public var document: String
    public var bundle: String
    public var options: PrepareOptions
    /// The maximum number of concurrent tasks.
    public var jobs: Int
    /// The maximum expected memory of concurrent tasks; nil for no limit.
    public var memoryBytes: Int?
    /// Whether to switch even if some tasks failed; the manifest then lists their files as missing.
    public var allowsMissing: Bool
    /// The isolation of tasks in child processes; nil to run all tasks in this process.
    public var isolation: Isolation?

    public init(
        document: String, bundle: String, options: PrepareOptions, jobs: Int = WorkPool.availableCores,
        memoryBytes: Int? = nil, allowsMissing: Bool = false, isolation: Isolation? = nil
    ) {
        self.document = document
        self.bundle = bundle
        self.options = options
        self.jobs = jobs
        self.memoryBytes = memoryBytes
        self.allowsMissing = allowsMissing
        self.isolation = isolation
    }

    /// Returns the plan that ``run(cancellation:_:)`` would carry out. Creates nothing, not even the bundle's folder.
    /// With a maximum size it measures media.
    public func plan(
        cancellation: Cancellation = Cancellation(), _ observe: @escaping @Sendable (PrepareEvent) -> Void = { _ in }
    ) async throws -> PreparePlan {
        let pool = WorkPool(workers: max(1, jobs))
        let source = try await source(on: pool)
        let folder = BundleFolder.existing(bundle)
        let state = try BundleState.known(in: folder)
        let store = folder.map { MediaStore(folder: $0, state: state) }
        let held = try folder.flatMap { (folder) throws(MediaError) in try folder.currentStory() }
        var natural = try await PreparePlan.plan(
            source, options: options, state: state, store: store, isolation: isolation, on: pool,
            cancellation: cancellation)
        natural.warn(ifReplacing: held)
        guard let budget = try await budget(for: natural, state, store, runner(cancellation), pool, observe) else {
            return natural
        }
        return try await pool.run { (_) throws(MediaError) in try budget.predictedPlan(mustFit: true) }
    }

    /// Prepares the story. `observe` is called on any thread.
    ///
    /// The report lists tasks that failed; the bundle is then not switched unless ``allowsMissing`` is true. Throws a
    /// ``MediaError`` if nothing can be prepared: the document contains an error, another run is preparing the bundle,
    /// or its folder cannot be written or contains files that are not of a bundle. Throws a `cancelled` error after a
    /// cancellation; the next run reuses the tasks that were finished.
    public func run(
        cancellation: Cancellation = Cancellation(), _ observe: @escaping @Sendable (PrepareEvent) -> Void = { _ in }
    ) async throws -> PrepareReport {
        let start = Clock.wall
        let pool = WorkPool(workers: max(1, jobs))
        // The document is checked before anything is created.
        let source = try await source(on: pool)
        let folder = try BundleFolder.making(bundle)
        let lock = try folder.lock()
        defer { withExtendedLifetime(lock) {} }
        let held = try folder.currentStory()
        folder.clearWork()
        let (state, isRenewed) = try BundleState.opening(folder)
        let store = MediaStore(folder: folder, state: state)
        var natural = try await PreparePlan.plan(
            source, options: options, state: state, store: store, isolation: isolation, on: pool,
            cancellation: cancellation)
        natural.warn(ifReplacing: held)
        if isRenewed {
            natural.warnings.append(
                "the bundle's state file is damaged or of an older Wayreel: everything is prepared again")
        }
        let runner = runner(cancellation)
        var budget = try await budget(for: natural, state, store, runner, pool, observe)
        var plan = natural
        if let budget {
            plan = try await pool.run { (_) throws(MediaError) in try budget.predictedPlan(mustFit: false) }
        }
        observe(.planned(plan))
        var results: [String: PrepareSession.Result] = [:]
        func run(_ tasks: [PlannedTask]) async throws {
            var part = plan
            part.tasks = tasks.filter { results[$0.key] == nil }
            let session = PrepareSession(
                plan: part, store: store, cancellation: cancellation, runner: runner, observe: observe)
            let made = try await session.run(
                Schedule(part.pending, jobs: max(1, jobs), memoryBytes: memoryBytes), jobs: max(1, jobs), on: pool)
            try cancellation.check(step: .prepare)
            results.merge(made) { _, new in new }
        }
        while let stage = try budget?.nextStage(results) { try await run(stage) }
        if let budget { plan = try budget.plan() }
        try await run(plan.tasks)
        // Keeps only the results of the final plan, because an earlier stage of the budget may have run a task with
        // other options.
        let keys = Set(plan.tasks.map(\.key))
        results = results.filter { keys.contains($0.key) }
        return try await end(plan, results, budget, folder, store, start, pool)
    }

    private func source(on pool: WorkPool) async throws -> StorySource {
        try await pool.run { (_) throws(MediaError) in
            try options.check()
            return try StorySource(document: document)
        }
    }

    /// Switches to the new version if all tasks succeeded or ``allowsMissing`` is true, and returns the report.
    private func end(
        _ plan: PreparePlan, _ results: [String: PrepareSession.Result], _ budget: Budget?,
        _ folder: BundleFolder, _ store: MediaStore, _ start: Double, _ pool: WorkPool
    ) async throws -> PrepareReport {
        try await pool.run { (_) throws(MediaError) in
            var report = PrepareReport(plan, results)
            report.budget = budget?.report(results)
            report.cpuMilliseconds += budget?.cpuMilliseconds ?? 0
            guard report.tasks.count == plan.tasks.count else {
                throw MediaError(
                    .io, step: .prepare, subject: folder.path,
                    reason: "the bundle's state file was changed by another process",
                    advice: "run again")
            }
            let isWhole = plan.failures.isEmpty && report.count(.failed) == 0
            if isWhole || allowsMissing {
                let version = BundleVersion(plan: plan, folder: folder, store: store)
                try version.check(results)
                let repaired = try version.publish(results, &report)
                report.warnings += repaired.map { "\($0) was damaged or missing, and is made again" }
                report.isComplete = true
            }
            report.wallMilliseconds = Clock.milliseconds(Clock.wall - start)
            report.peakMemoryBytes = max(report.peakMemoryBytes, ProcessMemory.peakBytes)
            return report
        }
    }

    private func budget(
        for plan: PreparePlan, _ state: BundleState, _ store: MediaStore?, _ runner: TaskRunner, _ pool: WorkPool,
        _ observe: @escaping @Sendable (PrepareEvent) -> Void
    ) async throws -> Budget? {
        try await Budget.measured(
            plan, bundle: bundle, state: state, store: store,
            QualityMeasurement(
                state: state, runner: runner, cancellation: runner.cancellation, jobs: max(1, jobs),
                memoryBytes: memoryBytes
            ) { observe(.measured($0, of: $1)) }, on: pool)
    }

    private func runner(_ cancellation: Cancellation) -> TaskRunner {
        var limited = isolation
        if let memoryBytes { limited?.memoryBytes = min(isolation?.memoryBytes ?? memoryBytes, memoryBytes) }
        return TaskRunner(
            limited, threads: max(1, WorkPool.availableCores / max(1, jobs)), cancellation: cancellation)
    }
}

extension PrepareReport {
    fileprivate init(_ plan: PreparePlan, _ results: [String: PrepareSession.Result]) {
        self.init(
            wayreel: WayreelVersion.text, story: plan.story.id, screens: plan.options.screens.map(\.name),
            isComplete: false, isSwitched: false, wallMilliseconds: 0,
            cpuMilliseconds: results.values.reduce(0) { $0 + $1.report.cpuMilliseconds },
            peakMemoryBytes: results.values.compactMap(\.report.peakMemoryBytes).max() ?? 0,
            bytesIn: plan.inputs.reduce(0) { $0 + $1.bytes }, bytesOut: 0,
            languages: plan.story.languages.map { Language(language: $0, downloads: []) },
            credited: plan.credits.reduce(0) { $0 + $1.sources.count }, uncredited: plan.uncredited,
            tasks: plan.tasks.compactMap { results[$0.key]?.report },
            failures: plan.failures, warnings: plan.warnings)
        // Two tasks may create the same file.
        var sizes: [String: Int] = [:]
        for file in results.values.flatMap({ $0.finished?.outputs ?? [] }).flatMap(\.media.all) {
            sizes[file.path] = file.bytes
        }
        bytesOut = sizes.values.reduce(0, +)
    }
}

extension PreparePlan {
    /// Warns that the bundle holds another story.
    fileprivate mutating func warn(ifReplacing held: String?) {
        guard let held, held != story.id else { return }
        warnings.append("the bundle holds the story '\(held)', which '\(story.id)' replaces")
    }
}

extension BundleFolder {
    /// Returns the id of the story that the bundle holds; nil if its manifest is missing or damaged.
    ///
    /// Throws an `unsupported` error if a newer Wayreel wrote it.
    fileprivate func currentStory() throws(MediaError) -> String? {
        try BundleManifest.story(path: absolute(Self.manifestName))
    }

    /// Removes the work files of killed runs.
    fileprivate func clearWork() {
        for name in Directory.entries(of: workPath) { Directory.remove("\(workPath)/\(name)") }
    }
}

extension BundleState {
    /// Opens the state of a bundle. A state that is damaged or of an older version is moved aside and created anew. All
    /// media are then prepared again, and the files that the bundle's versions list are recorded as its own.
    fileprivate static func opening(
        _ folder: BundleFolder
    ) throws(MediaError) -> (state: BundleState, isRenewed: Bool) {
        let path = folder.statePath
        let state: BundleState
        do { return (try BundleState(path: path), false) } catch {
            guard error.code == .damaged else { throw error }
            for ending in ["", "-wal", "-shm"] { rename(path + ending, "\(path)\(ending).damaged") }
            state = try BundleState(path: path)
        }
        guard try state.made().isEmpty else { return (state, true) }
        let versions = folder.absolute(BundleFolder.versionsName)
        try state.recordMade(
            Directory.entries(of: versions).flatMap { name in
                let manifest = try? BundleManifest.read(path: "\(versions)/\(name)/\(BundleFolder.manifestName)")
                return manifest?.files.flatMap(\.paths) ?? []
            })
        return (state, true)
    }
}

/// The results of a preparation, by task and in total.
public struct PrepareReport: Sendable, Codable {
    public struct TaskResult: Sendable, Codable {
        public enum Status: String, Sendable, Codable {
            case made, reused, failed
        }

        public var kind: PlannedTask.Kind
        public var uses: [PlannedTask.Use]
        public var status: Status
        public var wallMilliseconds: Double
        public var cpuMilliseconds: Double
        /// The peak memory of the process that ran it; nil if that process ran other tasks too.
        public var peakMemoryBytes: Int?
        public var bytesIn: Int
        public var bytesOut: Int
        public var warnings: [MediaWarning]
        public var error: MediaError?
    }

    /// A language of the bundle.
    public struct Language: Sendable, Codable {
        /// What a player of the language downloads to a device with a screen.
        public struct Download: Sendable, Codable {
            public var screen: String
            public var bytes: Int
        }

        public var language: String
        /// By screen; empty if the bundle is not complete.
        public var downloads: [Download]
    }

    /// The version of Wayreel.
    public var wayreel: String
    public var story: String
    public var screens: [String]
    /// Whether the bundle now matches the plan: it was switched, or was up to date.
    public var isComplete: Bool
    /// Whether the bundle was switched to a new version, possibly its first one.
    public var isSwitched: Bool
    public var wallMilliseconds: Double
    /// The processor time of all tasks that ran, and of measuring for a maximum size.
    public var cpuMilliseconds: Double
    /// The peak memory of the largest process.
    public var peakMemoryBytes: Int
    /// The size of all files of the story that are used.
    public var bytesIn: Int
    /// The size of all media of the bundle.
    public var bytesOut: Int
    /// The languages of the bundle, that of the story first. They share most media.
    public var languages: [Language]
    /// The number of media with credits in the manifest, and of those of which neither the story nor their metadata
    /// name an author or a licence.
    public var credited: Int
    public var uncredited: Int
    /// The tasks in the order of the plan.
    public var tasks: [TaskResult]
    public var failures: [PreparePlan.Failure]
    public var warnings: [String]
    /// The quality that was given up to stay within the maximum size.
    public var budget: BudgetReport?

    public func count(_ status: TaskResult.Status) -> Int { tasks.count { $0.status == status } }
}

/// An event during the preparation of a story.
public enum PrepareEvent: Sendable {
    /// The number of media measured for a maximum size, and the total number to measure.
    case measured(Int, of: Int)
    case planned(PreparePlan)
    case started(PlannedTask)
    case progress(PlannedTask, TaskProgress)
    case finished(PlannedTask, PrepareReport.TaskResult)
}
