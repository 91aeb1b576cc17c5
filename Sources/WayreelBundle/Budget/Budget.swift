internal import WayreelCore
internal import WayreelDocument
internal import WayreelTasks
internal import WayreelVideo

/// Fits a plan into a size.
///
/// Sizes of images are measured exactly, those of audio and video are estimated from excerpts, those of levels and the
/// rest are known when the files exist. So tasks without a choice run first, then audio and video at the steps that
/// were chosen for all, and images take up the difference between estimated and actual sizes. If they cannot, audio and
/// video are chosen again, with the estimates corrected by the actual sizes.
struct Budget {
    typealias Results = [String: PrepareSession.Result]

    /// A task whose encoding can be chosen.
    private struct Item {
        /// Its index in the plan.
        var index: Int
        var ladder: QualityLadder
        /// The cost of a quality loss of 1.
        var weight: Double
        /// The actual size divided by the expected size.
        var correction = 1.0
        var chosen = 0
    }

    /// The plan with the requested settings.
    private let natural: PreparePlan
    private let limit: Int
    private let subject: String
    /// The CPU time of measuring in milliseconds.
    let cpuMilliseconds: Double
    private let state: BundleState
    private let store: MediaStore?
    private var items: [Item] = []
    /// Indices of the tasks whose encoding cannot be chosen.
    private var fixed: [Int] = []
    private var isChosen = false
    private var rounds = 0

    /// The maximum number of times that audio and video are chosen again.
    private static let maxRounds = 4
    /// Seconds of video that an image counts as, because it is viewed for as long.
    private static let imageSeconds = 5.0

    /// Returns nil without a limit. Throws a `limit` error if even the smallest steps do not fit.
    static func measured(
        _ plan: PreparePlan, bundle: String, state: BundleState, store: MediaStore?, _ measurement: QualityMeasurement,
        on pool: WorkPool
    ) async throws -> Budget? {
        let options = plan.options
        guard options.maxBundleBytes != nil || options.maxFileBytes != nil else { return nil }
        // A limit for each file alone needs no measured images: their encoder keeps to it.
        let tasks = options.maxBundleBytes != nil ? plan.tasks : plan.tasks.filter { $0.kind == .video }
        let measured = try await measurement.measure(tasks, on: pool)
        return try await pool.run { (_) throws(MediaError) in
            try Budget(plan, measured, subject: bundle, state: state, store: store)
        }
    }

    private init(
        _ plan: PreparePlan, _ measured: QualityMeasurement.Outcome, subject: String, state: BundleState,
        store: MediaStore?
    ) throws(MediaError) {
        natural = plan
        cpuMilliseconds = measured.cpuMilliseconds
        limit = plan.options.maxBundleBytes ?? .max
        self.subject = subject
        self.state = state
        self.store = store
        for (index, task) in plan.tasks.enumerated() {
            guard let known = measured.ladders[task.key], !known.steps.isEmpty else {
                fixed.append(index)
                continue
            }
            // HLS is many files, none of which is as large as all.
            let ladder = task.kind == .stream ? known : Self.within(plan.options.maxFileBytes, known)
            items.append(Item(index: index, ladder: ladder, weight: weight(task, ladder)))
        }
        var known = 0
        for index in fixed { known += try state.task(plan.tasks[index].key)?.bytes ?? 0 }
        let smallest = BudgetChoice.smallest(items.map(choiceItem))
        guard known + smallest <= limit else {
            throw impossible(fixed.reduce(smallest) { $0 + plan.tasks[$1].predicted.bytes })
        }
    }

    private func impossible(_ smallest: Int) -> MediaError {
        MediaError(
            .limit, code: .tooManyBytes, step: .budget, subject: subject,
            reason: "its media are expected to take at least \(smallest) bytes together; the limit is \(limit)",
            advice: "raise it with \(.maxBundleBytes), or prepare for fewer or smaller screens")
    }

    // MARK: Items

    /// The steps that keep to the maximum size of a file: sizes of video are only expected.
    private static func within(_ maxFileBytes: Int?, _ ladder: QualityLadder) -> QualityLadder {
        guard let maxFileBytes, !ladder.isExact else { return ladder }
        let room = Int(Double(maxFileBytes) * TranscodeQualities.limitShare)
        var limited = ladder
        // The encoder keeps to the maximum size.
        limited.steps[0].bytes = min(limited.steps[0].bytes, maxFileBytes)
        limited.steps = limited.steps.prefix(1) + ladder.steps.dropFirst().filter { $0.bytes <= room }
        return limited
    }

    /// Returns the sum of the shares of the screens that the task fills, multiplied for video by its length relative to
    /// the viewing time of an image.
    private func weight(_ task: PlannedTask, _ ladder: QualityLadder) -> Double {
        let named = Set(task.uses.compactMap(\.screen))
        let screens = natural.options.screens.filter { named.isEmpty || named.contains($0.name) }
        let share = screens.reduce(0.0) { $0 + (ladder.size?.share(of: $1.size) ?? 1) }
        return share * max(1, (ladder.seconds ?? 0) / Self.imageSeconds)
    }

    private func choiceItem(_ item: Item) -> BudgetChoice.Item {
        item.ladder.steps.map { step in
            BudgetChoice.Point(
                bytes: Int((Double(step.bytes) * item.correction).rounded(.up)),
                loss: (1 - step.similarity) * item.weight)
        }
    }

    // MARK: Choosing

    /// Returns the tasks that must run before the rest can be chosen; nil if there are none: then ``plan()`` is final.
    mutating func nextStage(_ results: Results) throws(MediaError) -> [PlannedTask]? {
        while true {
            let inexact = items.indices.filter { !items[$0].ladder.isExact }
            var unknown: [PlannedTask] = []
            var fixedBytes = 0
            for index in fixed {
                let task = natural.tasks[index]
                if let size = try size(of: task, results) { fixedBytes += size } else { unknown.append(task) }
            }
            var made: [Int: Int] = [:]
            for item in inexact where isChosen {
                let task = try task(items[item])
                if let size = try size(of: task, results) { made[item] = size } else { unknown.append(task) }
            }
            if !unknown.isEmpty { return unknown }
            if !isChosen {
                try choose(limit - fixedBytes, besides: fixedBytes)
                isChosen = true
                continue
            }
            let rest = limit - fixedBytes - made.values.reduce(0, +)
            let exact = items.indices.filter { items[$0].ladder.isExact }
            if let chosen = BudgetChoice.choose(exact.map { choiceItem(items[$0]) }, within: rest) {
                for (item, step) in zip(exact, chosen) { items[item].chosen = step }
                return nil
            }
            rounds += 1
            guard rounds <= Self.maxRounds else {
                throw impossible(
                    limit - rest + BudgetChoice.smallest(exact.map { choiceItem(items[$0]) }))
            }
            for (item, bytes) in made where bytes > 0 {
                let expected = items[item].ladder.steps[items[item].chosen].bytes
                items[item].correction = Double(bytes) / Double(max(1, expected))
            }
            try choose(limit - fixedBytes, besides: fixedBytes)
        }
    }

    /// The plan that is expected before anything is made, or that is known because an earlier run has made it.
    ///
    /// With `mustFit`, throws a `limit` error if even the smallest steps are not expected to fit. They still may: the
    /// remaining files may turn out smaller.
    func predictedPlan(mustFit: Bool) throws(MediaError) -> PreparePlan {
        var budget = self
        if try budget.nextStage([:]) == nil { return try budget.plan() }
        let bytes = fixed.reduce(0) { $0 + natural.tasks[$1].predicted.bytes }
        let smallest = BudgetChoice.smallest(items.map(choiceItem))
        var plan = natural
        var room = mustFit ? limit - bytes : max(limit - bytes, smallest)
        for _ in 0..<Self.maxRounds {
            try budget.choose(room, besides: bytes)
            plan = try budget.plan()
            // Files that are kept have a known size, which may differ from the expected one.
            guard let excess = plan.budget.map({ $0.bytesAfter - limit }), excess > 0, room > smallest else { break }
            room = max(room - excess, smallest)
        }
        return plan
    }

    /// `besides`: the size of the files whose encoding cannot be chosen.
    private mutating func choose(_ limit: Int, besides: Int) throws(MediaError) {
        let points = items.map(choiceItem)
        guard let chosen = BudgetChoice.choose(points, within: limit) else {
            throw impossible(besides + BudgetChoice.smallest(points))
        }
        for (index, step) in chosen.enumerated() { items[index].chosen = step }
    }

    /// Returns the size of a task's output, of this run or an earlier one, whether or not it still exists; 0 if it
    /// failed.
    private func size(of task: PlannedTask, _ results: Results) throws(MediaError) -> Int? {
        if let result = results[task.key] { return result.finished?.bytes ?? 0 }
        return try state.task(task.key)?.bytes
    }

    // MARK: Results

    /// The plan with the chosen encodings.
    func plan() throws(MediaError) -> PreparePlan {
        var plan = natural
        for item in items { plan.tasks[item.index] = try task(item) }
        plan.budget = report([:])
        return plan
    }

    private func task(_ item: Item) throws(MediaError) -> PlannedTask {
        var task = natural.tasks[item.index]
        let step = item.ladder.steps[item.chosen]
        guard step.setting != .asPlanned || !task.isReused else { return task }
        task.predicted.bytes = step.bytes
        guard step.setting != .asPlanned else { return try reusing(task) }
        task.work = task.work.with(step.setting)
        task.key = try ContentHasher.digest(of: "\(task.key)\n\(CanonicalJSON.text(step.setting))")
        (task.isReused, task.finished) = (false, nil)
        return try reusing(task)
    }

    private func reusing(_ task: PlannedTask) throws(MediaError) -> PlannedTask {
        guard !task.isReused, let store, case .finished(let known) = try store.standing(of: task) else { return task }
        return task.reusing(known)
    }

    /// Returns the changed encodings; nil without a limit for all media. Sizes are those of `results` where these have
    /// them.
    func report(_ results: Results) -> BudgetReport? {
        guard natural.options.maxBundleBytes != nil else { return nil }
        var report = BudgetReport(limitBytes: limit, bytesBefore: 0, bytesAfter: 0, items: [])
        for index in fixed {
            let task = natural.tasks[index]
            let bytes = results[task.key]?.finished?.bytes ?? task.predicted.bytes
            report.bytesBefore += bytes
            report.bytesAfter += bytes
        }
        var (before, after, count) = (0.0, 0.0, 0)
        for item in items {
            guard let made = try? task(item) else { continue }
            let (first, step) = (item.ladder.steps[0], item.ladder.steps[item.chosen])
            let bytes = results[made.key]?.finished?.bytes ?? made.predicted.bytes
            report.bytesBefore += item.chosen == 0 ? bytes : first.bytes
            report.bytesAfter += bytes
            (before, after, count) = (before + first.similarity, after + step.similarity, count + 1)
            guard item.chosen > 0 else { continue }
            let planned = natural.tasks[item.index].work.plannedSetting(isCopy: first.similarity == 1)
            report.items.append(
                BudgetReport.Item(
                    kind: made.kind, source: made.uses.first?.source ?? "",
                    screen: made.uses.compactMap(\.screen).first, from: first.setting.text(planned),
                    to: step.setting.text(planned), bytesBefore: first.bytes, bytesAfter: bytes,
                    similarityBefore: first.similarity, similarityAfter: step.similarity))
        }
        if count > 0 {
            report.similarityBefore = before / Double(count)
            report.similarityAfter = after / Double(count)
        }
        return report
    }
}

extension PixelSize {
    /// The share of a screen that it fills; a side of 0 is as long as needed.
    fileprivate func share(of screen: PixelSize) -> Double {
        let (across, down) = (Double(width) / Double(screen.width), Double(height) / Double(screen.height))
        if screen.width == 0 { return min(1, down * down) }
        if screen.height == 0 { return min(1, across * across) }
        // Seen in either direction.
        return min(1, Double(pixels) / Double(screen.pixels))
    }
}

/// The encodings that were changed so that the media of a bundle fit into a size.
public struct BudgetReport: Hashable, Sendable, Codable {
    /// A file whose encoding was changed.
    public struct Item: Hashable, Sendable, Codable {
        public var kind: PlannedTask.Kind
        /// The path in the story's folder.
        public var source: String
        /// The screen's name; nil where the file serves all of them.
        public var screen: String?
        /// `quality 82`, `CRF 23`, `128 kb/s`, `as it is`.
        public var from: String
        public var to: String
        public var bytesBefore: Int
        public var bytesAfter: Int
        /// SSIM of the luma against the image before encoding; for audio the noise-to-mask ratio on the same scale.
        public var similarityBefore: Double?
        public var similarityAfter: Double?
    }

    public var limitBytes: Int
    /// The size of all media in bytes at the requested qualities.
    public var bytesBefore: Int
    public var bytesAfter: Int
    /// The mean of all media whose encoding could be changed.
    public var similarityBefore: Double?
    public var similarityAfter: Double?
    /// The changed files in the order of the plan.
    public var items: [Item]
}
