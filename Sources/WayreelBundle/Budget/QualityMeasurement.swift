internal import FoundationEssentials
internal import Synchronization
internal import WayreelAV
internal import WayreelCore
internal import WayreelTasks

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
    private static let generation = 1

    /// The ladders of tasks by their keys. A task that cannot be measured has none; its failure is told when it runs.
    func ladders(of tasks: [PlannedTask], on pool: WorkPool) async throws -> [String: QualityLadder] {
        var ladders: [String: QualityLadder] = [:]
        var unknown: [PlannedTask] = []
        for task in tasks where task.work.quality(to: "") != nil {
            if let known = try state.ladder(key(task)) { ladders[task.key] = known } else { unknown.append(task) }
        }
        guard !unknown.isEmpty else { return ladders }
        let schedule = Schedule(unknown, jobs: jobs, memoryBytes: memoryBytes)
        let folder = try TemporaryFolder(for: "measurements", step: "budget")
        let count = unknown.count
        let done = Measured()
        return try await withThrowingTaskGroup(of: [(String, QualityLadder)].self) { group in
            for _ in 0..<jobs {
                group.addTask {
                    var found: [(String, QualityLadder)] = []
                    while let task = await schedule.next() {
                        if cancellation.isCancelled { schedule.stop() }
                        let ladder = try await pool.run { (_) throws(MediaError) in
                            try measure(task, to: "\(folder.path)/\(task.key).json")
                        }
                        schedule.ended(task)
                        if let ladder { found.append((task.key, ladder)) }
                        observe(done.next(), count)
                    }
                    return found
                }
            }
            for try await found in group {
                for (key, ladder) in found { ladders[key] = ladder }
            }
            if cancellation.isCancelled { throw MediaError(.cancelled, step: "budget", reason: "cancelled") }
            return ladders
        }
    }

    /// Content, options and tools are in the task's own key.
    private func key(_ task: PlannedTask) throws(MediaError) -> String {
        try SHA256.digest(of: "quality \(Self.generation)\n\(task.key)")
    }

    private func measure(_ task: PlannedTask, to path: String) throws(MediaError) -> QualityLadder? {
        guard let quality = task.work.quality(to: path) else { return nil }
        let report = runner.run(quality)
        guard report.error == nil else { return nil }
        let bytes = try MediaBytes.read(path: path, limit: 1 << 20)
        let data = withExtendedLifetime(bytes) { Data(bytes.buffer) }
        guard let ladder = try? JSONDecoder().decode(QualityLadder.self, from: data), !ladder.steps.isEmpty else {
            return nil
        }
        try state.record(ladder, key: key(task))
        return ladder
    }
}

/// Counts media. Safe on any thread.
private final class Measured: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
