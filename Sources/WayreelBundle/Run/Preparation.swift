internal import Glibc
internal import Synchronization
public import WayreelCore
internal import WayreelStory
public import WayreelTasks

/// Prepares a story into a bundle: plan, tasks, switch to the new version.
///
///     let options = PrepareOptions(screens: [try Screen(parsing: "iphone-15")])
///     let report = try await Preparation(document: "story.xml", bundle: "bundle/", options: options).run { event in
///         if case .finished(let task, let result) = event { print(task.kind, result.status) }
///     }
///
/// Killed at any moment, the next run goes on where this one was. Readers of the bundle see the old version until the new one is complete.
public struct Preparation: Sendable {
    public var document: String
    public var bundle: String
    public var options: PrepareOptions
    /// How many tasks run side by side.
    public var jobs: Int
    /// The memory that tasks that run side by side may be expected to need; nil for no limit.
    public var memoryBytes: Int?
    /// Switches although something failed, and lists that in the manifest as missing.
    public var allowsMissing: Bool
    /// nil: every task runs in this process.
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

    /// What ``run(cancellation:_:)`` would do. Nothing is made, not even the bundle's folder; with a maximum size media are measured.
    public func plan(
        cancellation: Cancellation = Cancellation(), _ observe: @escaping @Sendable (PrepareEvent) -> Void = { _ in }
    ) async throws -> PreparePlan {
        let pool = WorkPool(workers: max(1, jobs))
        let source = try await source(on: pool)
        let folder = BundleFolder.existing(bundle)
        let state = try BundleState.known(in: folder)
        let store = folder.map { MediaStore(folder: $0, state: state) }
        let natural = try await PreparePlan.plan(
            source, options: options, state: state, store: store, isolation: isolation, on: pool,
            cancellation: cancellation)
        guard let budget = try await budget(for: natural, state, store, runner(cancellation), pool, observe) else {
            return natural
        }
        return try await pool.run { (_) throws(MediaError) in try budget.predictedPlan() }
    }

    /// Prepares the story. `observe` is called on any thread.
    ///
    /// Failures of single tasks are in the report, and the bundle is then not switched unless ``allowsMissing``. Throws a ``MediaError``
    /// where nothing can be prepared: the document holds an error, another run prepares the bundle, its folder cannot be written or holds
    /// other people's files; `cancelled` after a cancellation, which leaves what was finished for the next run.
    public func run(
        cancellation: Cancellation = Cancellation(), _ observe: @escaping @Sendable (PrepareEvent) -> Void = { _ in }
    ) async throws -> PrepareReport {
        let start = Clock.wall
        let pool = WorkPool(workers: max(1, jobs))
        // Before anything is made.
        let source = try await source(on: pool)
        let folder = try BundleFolder.making(bundle)
        let lock = try folder.lock()
        defer { withExtendedLifetime(lock) {} }
        try BundleManifest.refuseNewer(path: folder.absolute(BundleFolder.manifestName))
        folder.clearWork()
        let (state, isRenewed) = try BundleState.opening(folder)
        let store = MediaStore(folder: folder, state: state)
        var natural = try await PreparePlan.plan(
            source, options: options, state: state, store: store, isolation: isolation, on: pool,
            cancellation: cancellation)
        if isRenewed {
            natural.warnings.append(
                "what the bundle remembered is damaged or of an older Wayreel: all is prepared again")
        }
        let runner = runner(cancellation)
        var budget = try await budget(for: natural, state, store, runner, pool, observe)
        var plan = natural
        if let budget { plan = try await pool.run { (_) throws(MediaError) in try budget.predictedPlan() } }
        observe(.planned(plan))
        var results: [String: PrepareSession.Result] = [:]
        func run(_ tasks: [PlannedTask]) async throws {
            var part = plan
            part.tasks = tasks.filter { results[$0.key] == nil }
            let session = PrepareSession(
                plan: part, store: store, cancellation: cancellation, runner: runner, observe: observe)
            let made = try await session.run(
                Schedule(part.pending, jobs: max(1, jobs), memoryBytes: memoryBytes), jobs: max(1, jobs), on: pool)
            if cancellation.isCancelled { throw MediaError(.cancelled, step: "prepare", reason: "cancelled") }
            results.merge(made) { _, new in new }
        }
        while let stage = try budget?.nextStage(results) { try await run(stage) }
        if let budget { plan = try budget.plan() }
        try await run(plan.tasks)
        // Of tasks that were made twice, those of the plan.
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

    /// Switches to the new version, where everything was made.
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
                    .io, step: "prepare", subject: folder.path, reason: "what it remembers changed meanwhile",
                    advice: "run again")
            }
            let isWhole = plan.failures.isEmpty && report.count(.failed) == 0
            if isWhole || allowsMissing {
                let version = BundleVersion(plan: plan, folder: folder, store: store)
                try version.check(results)
                report.isSwitched = try version.publish(results, report)
                report.isComplete = true
            }
            report.wallMilliseconds = Clock.milliseconds(Clock.wall - start)
            report.peakMemoryBytes = max(report.peakMemoryBytes, peakMemoryBytes())
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
        TaskRunner(
            isolation.map { limited($0) }, threads: max(1, WorkPool.availableCores / max(1, jobs)),
            cancellation: cancellation)
    }

    private func limited(_ isolation: Isolation) -> Isolation {
        var isolation = isolation
        if let memoryBytes { isolation.memoryBytes = min(isolation.memoryBytes ?? memoryBytes, memoryBytes) }
        return isolation
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
            tasks: plan.tasks.compactMap { results[$0.key]?.report }, failures: plan.failures, warnings: plan.warnings)
        // Two tasks may make the same file.
        var sizes: [String: Int] = [:]
        for output in results.values.flatMap({ $0.finished?.outputs ?? [] }) {
            sizes[output.media.path] = output.bytes
        }
        bytesOut = sizes.values.reduce(0, +)
    }
}

extension BundleFolder {
    /// Removes what a run that was killed was working on.
    fileprivate func clearWork() {
        for name in OutputFolder.entries(of: workPath) { OutputFolder.remove("\(workPath)/\(name)") }
    }
}

extension BundleState {
    /// The state of a bundle. A damaged one, or one of an older version, is moved aside and renewed: what it remembered is prepared again,
    /// and what the bundle's versions list is known to be its own.
    fileprivate static func opening(
        _ folder: BundleFolder
    ) throws(MediaError) -> (state: BundleState, isRenewed: Bool) {
        let path = folder.statePath
        let state: BundleState
        do { return (try BundleState(path: path), false) } catch {
            guard error.reason.contains("malformed") || error.reason.contains("not a database") else { throw error }
            for ending in ["", "-wal", "-shm"] { rename(path + ending, "\(path)\(ending).damaged") }
            state = try BundleState(path: path)
        }
        guard try state.made().isEmpty else { return (state, true) }
        let versions = folder.absolute(BundleFolder.versionsName)
        try state.recordMade(
            OutputFolder.entries(of: versions).flatMap { name in
                let manifest = try? BundleManifest.read(path: "\(versions)/\(name)/\(BundleFolder.manifestName)")
                return manifest?.files.flatMap(\.paths) ?? []
            })
        return (state, true)
    }
}
