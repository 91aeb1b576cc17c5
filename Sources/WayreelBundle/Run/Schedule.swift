internal import Synchronization

/// Hands out the tasks of a plan, the longest first, if their memory fits beside that of the running tasks.
final class Schedule: Sendable {
    private struct State {
        /// The waiting tasks, the longest last.
        var waiting: [PlannedTask]
        var running: [PlannedTask] = []
        var waiters: [CheckedContinuation<PlannedTask?, Never>] = []
        var isStopped = false
    }

    private let state: Mutex<State>
    private let jobs: Int
    private let memoryBytes: Int?

    init(_ tasks: [PlannedTask], jobs: Int, memoryBytes: Int?) {
        self.jobs = jobs
        self.memoryBytes = memoryBytes
        // Tasks of equal length are in the order of the story.
        let sorted = tasks.enumerated().sorted {
            ($0.element.predicted.seconds, -$0.offset) < ($1.element.predicted.seconds, -$1.offset)
        }
        state = Mutex(State(waiting: sorted.map(\.element)))
    }

    /// Runs `body` with the next task; returns nil if none is left. After an error no more tasks are handed out.
    func next<Result: Sendable>(
        _ body: (PlannedTask) async throws -> Result
    ) async throws -> (task: PlannedTask, result: Result)? {
        guard let task = await next() else { return nil }
        do {
            let result = try await body(task)
            ended(task)
            return (task, result)
        } catch {
            stop()
            ended(task)
            throw error
        }
    }

    private func next() async -> PlannedTask? {
        await withCheckedContinuation { continuation in
            resume { state in state.waiters.append(continuation) }
        }
    }

    private func ended(_ task: PlannedTask) {
        resume { state in state.running.removeAll { $0.key == task.key } }
    }

    /// Stops handing out tasks.
    func stop() { resume { state in state.isStopped = true } }

    private func resume(_ change: (inout State) -> Void) {
        let answers = state.withLock { state in
            change(&state)
            var answers: [(CheckedContinuation<PlannedTask?, Never>, PlannedTask?)] = []
            while let waiter = state.waiters.first {
                if state.isStopped || state.waiting.isEmpty {
                    answers.append((waiter, nil))
                } else if let task = takeFitting(&state) {
                    answers.append((waiter, task))
                } else {
                    break
                }
                state.waiters.removeFirst()
            }
            return answers
        }
        for (waiter, task) in answers { waiter.resume(returning: task) }
    }

    private func takeFitting(_ state: inout State) -> PlannedTask? {
        guard state.running.count < jobs else { return nil }
        let used = state.running.reduce(0) { $0 + min($1.predicted.memoryBytes, 1 << 50) }
        let index = state.waiting.lastIndex { task in
            // A task that needs more than all the memory runs alone.
            guard let memoryBytes, !state.running.isEmpty else { return true }
            return used + min(task.predicted.memoryBytes, 1 << 50) <= memoryBytes
        }
        guard let index else { return nil }
        let task = state.waiting.remove(at: index)
        state.running.append(task)
        return task
    }
}
