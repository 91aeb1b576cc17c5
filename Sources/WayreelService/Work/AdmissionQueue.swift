internal import HTTPTypes
internal import Synchronization

/// Bounds the work that is accepted, by number and by bytes, so that accepted work ends soon and the rest is refused
/// immediately.
final class AdmissionQueue: Sendable {
    private struct State {
        var count = 0
        var bytes = 0
        /// Seconds of a piece of work, smoothed.
        var mean = 0.1
        var refused = 0
    }

    let maxCount: Int
    let maxBytes: Int
    private let workers: Int
    private let state = Mutex(State())

    init(maxCount: Int, maxBytes: Int, workers: Int) {
        (self.maxCount, self.maxBytes, self.workers) = (maxCount, maxBytes, max(1, workers))
    }

    /// Runs `body` if there is room for it; otherwise throws a ``Problem`` with the seconds after which there may be.
    func admit<Result>(bytes: Int, _ body: () async throws -> Result) async throws -> Result {
        try enter(bytes)
        let clock = ContinuousClock()
        let start = clock.now
        defer { leave(bytes, seconds: (clock.now - start) / .seconds(1)) }
        return try await body()
    }

    /// Throws a ``Problem`` where there is no room for something of this size now.
    func check(bytes: Int) throws {
        try enter(bytes)
        leave(bytes, seconds: nil)
    }

    /// What is accepted and not done, the bytes that it takes, and how much was refused until now.
    var load: (count: Int, bytes: Int, refused: Int) { state.withLock { ($0.count, $0.bytes, $0.refused) } }

    private func enter(_ bytes: Int) throws {
        let wait: Int? = state.withLock { state in
            // One that is larger than the bound alone is accepted where it is alone.
            guard state.count < maxCount, state.count == 0 || state.bytes + bytes <= maxBytes else {
                state.refused += 1
                return Int((Double(state.count) * state.mean / Double(workers)).rounded(.up))
            }
            state.count += 1
            state.bytes += bytes
            return nil
        }
        guard let wait else { return }
        throw Problem(
            .serviceUnavailable, code: "overloaded", "The server has enough to do",
            retryAfter: min(max(wait, 1), 60))
    }

    private func leave(_ bytes: Int, seconds: Double?) {
        state.withLock { state in
            state.count -= 1
            state.bytes -= bytes
            if let seconds { state.mean += (seconds - state.mean) / 16 }
        }
    }
}
