internal import FoundationEssentials
internal import Synchronization
internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks
internal import WayreelVideo

/// Measures what cheaper encodings of a plan's media weigh and keep. What the state remembers is not measured again.
struct QualityMeasurement: Sendable {
    let state: BundleState
    let runner: TaskRunner
    let cancellation: Cancellation
    let jobs: Int
    let memoryBytes: Int?
    /// Called with the number of media that are measured, and that of all.
    let observe: @Sendable (Int, Int) -> Void

    /// Raised where the steps of a ladder change without a new version.
    private static let generation = 2

    struct Outcome: Sendable {
        /// By the keys of tasks. A task that cannot be measured has none; its failure is reported when it
        /// runs.
        var ladders: [String: QualityLadder] = [:]
        var cpuMilliseconds = 0.0
    }

    func measure(_ tasks: [PlannedTask], on pool: WorkPool) async throws -> Outcome {
        var outcome = Outcome()
        var unknown: [PlannedTask] = []
        for task in tasks where task.work.quality(to: "") != nil {
            if let known = try state.ladder(key(task)) {
                outcome.ladders[task.key] = known
            } else {
                unknown.append(task)
            }
        }
        guard !unknown.isEmpty else { return outcome }
        let schedule = Schedule(unknown, jobs: jobs, memoryBytes: memoryBytes)
        let folder = try TemporaryFolder(for: "measurements", step: .budget)
        let count = unknown.count
        let done = Mutex(0)
        // Observed under the lock, so that the numbers come in order.
        let next = { @Sendable in
            done.withLock { done in
                done += 1
                observe(done, count)
            }
        }
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for _ in 0..<jobs {
                group.addTask {
                    var found = Outcome()
                    let job = { @Sendable (task: PlannedTask) async throws in
                        if cancellation.isCancelled { schedule.stop() }
                        return try await pool.run { (_) throws(MediaError) in
                            try measure(task, to: "\(folder.path)/\(task.key).json")
                        }
                    }
                    while let (task, (ladder, cpu)) = try await schedule.next(job) {
                        found.ladders[task.key] = ladder
                        found.cpuMilliseconds += cpu
                        next()
                    }
                    return found
                }
            }
            for try await found in group {
                outcome.ladders.merge(found.ladders) { one, _ in one }
                outcome.cpuMilliseconds += found.cpuMilliseconds
            }
        }
        try cancellation.check(step: .budget)
        return outcome
    }

    /// Content, options and tools are in the task's own key.
    private func key(_ task: PlannedTask) -> String {
        ContentHasher.digest(of: "quality \(Self.generation)\n\(task.key)")
    }

    private func measure(
        _ task: PlannedTask, to path: String
    ) throws(MediaError) -> (ladder: QualityLadder?, cpuMilliseconds: Double) {
        guard let quality = task.work.quality(to: path) else { return (nil, 0) }
        let report = runner.run(quality)
        guard report.error == nil else { return (nil, report.cpuMilliseconds) }
        let bytes = try MediaBytes.read(path: path, limit: 1 << 20)
        let data = withExtendedLifetime(bytes) { Data(bytes.buffer) }
        guard let ladder = try? JSONDecoder().decode(QualityLadder.self, from: data) else {
            throw MediaError(.decoding, step: .budget, subject: path, reason: "holds no measurement")
        }
        try state.record(ladder, key: key(task))
        return (ladder, report.cpuMilliseconds)
    }
}

extension BundleWork {
    /// Returns a task that measures cheaper encodings of the task's output; nil for outputs without a choice: levels,
    /// captions, copies, base maps, and what belongs to the house's face.
    func quality(to output: String) -> QualityTask? {
        switch self {
        case .capture(let task): QualityTask(input: task.input, output: output, options: .image(task.options))
        case .poster(let task): QualityTask(input: task.input, output: output, options: .poster(task.options))
        case .transcode(let task): QualityTask(input: task.input, output: output, options: .transcode(task.options))
        case .levels, .captions, .copy, .font, .icons, .share, .map, .drawing: nil
        }
    }

    /// Returns the task with one setting changed.
    func with(_ setting: QualityLadder.Setting) -> BundleWork {
        switch (self, setting) {
        case (.capture(var task), .quality(let quality)):
            task.options.encoding.limit(to: quality)
            return .capture(task)
        case (.poster(var task), .quality(let quality)):
            task.options.encoding.limit(to: quality)
            return .poster(task)
        case (.transcode(var task), .crf(let crf)):
            task.options.video.rate = .crf(crf)
            task.options.video.alwaysEncodes = true
            return .transcode(task)
        case (.transcode(var task), .audioBitRate(let bitRate)):
            task.options.audio.bitRate = bitRate
            // Audio that could be copied is encoded as well.
            task.options.video.alwaysEncodes = true
            return .transcode(task)
        case (.transcode(var task), .ladder(let rungs)):
            guard case .hls(var hls) = task.options.delivery else { return self }
            hls.ladder = rungs
            task.options.delivery = .hls(hls)
            return .transcode(task)
        default: return self
        }
    }

    /// Returns the unchanged setting of the task as text.
    func plannedSetting(isCopy: Bool) -> String {
        switch self {
        case .capture(let task): return "quality \(task.options.encoding.quality)"
        case .poster(let task): return "quality \(task.options.encoding.quality)"
        case .transcode(let task) where task.options.video.isDropped: return task.options.audio.bitRate.asBitRate
        case .transcode(let task):
            if isCopy { return "a copy" }
            if case .hls = task.options.delivery { return "Apple's ladder" }
            if case .maxBytes(let bytes) = task.options.video.rate { return "\(bytes) bytes" }
            return "the default CRF"
        case .levels, .captions, .copy, .font, .icons, .share, .map, .drawing: return "as it is"
        }
    }
}

extension Encoding {
    /// With a maximum size, the search for it begins at the quality.
    fileprivate mutating func limit(to quality: Int) {
        self.quality = quality
        if maxBytes != nil { maxQuality = quality }
    }
}

extension QualityLadder.Setting {
    func text(_ planned: String) -> String {
        switch self {
        case .asPlanned: planned
        case .quality(let quality): "quality \(quality)"
        case .crf(let crf): "CRF \(crf.shortDescription)"
        case .audioBitRate(let bitRate): bitRate.asBitRate
        case .ladder(let rungs): "up to \((rungs.map(\.bitRate).max() ?? 0).asBitRate)"
        }
    }
}

/// Chooses how each of many items is encoded, so that all fit into a size and little is lost.
///
/// Each item has points of size and loss. Only those on the lower convex hull are worth choosing where many items share
/// a size; its edges, taken from the least loss per byte on, are the best choice for each size that they end at.
package enum BudgetChoice {
    package struct Point: Hashable, Sendable {
        package var bytes: Int
        package var loss: Double

        package init(bytes: Int, loss: Double) {
            self.bytes = bytes
            self.loss = loss
        }
    }

    /// The points of an item: the first is that without a loss, each further one is smaller.
    package typealias Item = [Point]

    /// A step down the hull of an item.
    private struct Edge {
        var item: Int
        var from: Int
        var to: Int
        /// Loss per byte.
        var slope: Double
    }

    /// The index of the chosen point of each item, which has at least one; nil where even the smallest do not fit.
    package static func choose(_ items: [Item], within limit: Int) -> [Int]? {
        var chosen = items.map { _ in 0 }
        var total = items.reduce(0) { $0 + $1[0].bytes }
        let edges = items.enumerated().flatMap { Self.edges(of: $1, $0) }.enumerated().sorted { one, other in
            (one.element.slope, one.offset) < (other.element.slope, other.offset)
        }.map(\.element)
        var taken: [Edge] = []
        for edge in edges where total > limit {
            let points = items[edge.item]
            total -= points[edge.from].bytes - points[edge.to].bytes
            chosen[edge.item] = edge.to
            taken.append(edge)
        }
        guard total <= limit else { return nil }
        // The last edge may have saved more than was needed: what fits into the rest is taken back, the dearest first.
        for edge in taken.reversed() where chosen[edge.item] == edge.to {
            let points = items[edge.item]
            let current = points[edge.to]
            let fitting = (edge.from..<edge.to).filter {
                points[$0].loss < current.loss && points[$0].bytes - current.bytes <= limit - total
            }
            guard let best = fitting.min(by: { points[$0].loss < points[$1].loss }) else { continue }
            total += points[best].bytes - current.bytes
            chosen[edge.item] = best
        }
        return chosen
    }

    /// The size of all items at their smallest.
    package static func smallest(_ items: [Item]) -> Int {
        items.reduce(0) { $0 + ($1.map(\.bytes).min() ?? 0) }
    }

    /// The lower convex hull, from the first point to the smallest.
    private static func edges(of points: Item, _ index: Int) -> [Edge] {
        var edges: [Edge] = []
        var from = 0
        while true {
            var best: Edge?
            for to in points.indices.dropFirst(from + 1) where points[to].bytes < points[from].bytes {
                let saved = Double(points[from].bytes - points[to].bytes)
                let slope = (points[to].loss - points[from].loss) / saved
                if slope <= best?.slope ?? .infinity { best = Edge(item: index, from: from, to: to, slope: slope) }
            }
            guard let best else { return edges }
            edges.append(best)
            from = best.to
        }
    }
}
