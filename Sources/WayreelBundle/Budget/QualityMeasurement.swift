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
        let folder = try TemporaryFolder(for: "measurements", step: "budget")
        let count = unknown.count
        let done = Measured()
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
                        done.next { observe($0, count) }
                    }
                    return found
                }
            }
            for try await found in group {
                outcome.ladders.merge(found.ladders) { one, _ in one }
                outcome.cpuMilliseconds += found.cpuMilliseconds
            }
        }
        try cancellation.check(step: "budget")
        return outcome
    }

    /// Content, options and tools are in the task's own key.
    private func key(_ task: PlannedTask) throws(MediaError) -> String {
        try SHA256.digest(of: "quality \(Self.generation)\n\(task.key)")
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
            throw MediaError(.decoding, step: "budget", subject: path, reason: "holds no measurement")
        }
        try state.record(ladder, key: key(task))
        return (ladder, report.cpuMilliseconds)
    }
}

/// Counts media. Safe on any thread.
private final class Measured: Sendable {
    private let count = Mutex(0)

    /// Passes the number of measured media, in order.
    func next(_ observe: (Int) -> Void) {
        count.withLock { count in
            count += 1
            observe(count)
        }
    }
}
