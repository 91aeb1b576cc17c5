internal import HTTPTypes
internal import Synchronization

/// Limits the number and the bytes of accepted requests, so that they are answered soon and further ones are refused
/// at once.
final class AdmissionQueue: Sendable {
    private struct State {
        var count = 0
        var bytes = 0
        /// The moving average of the seconds that a request takes.
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

    /// Runs `body` if there is room for it. Otherwise throws a ``Problem`` with the seconds after which there may be.
    func admit<Result>(bytes: Int, _ body: () async throws -> Result) async throws -> Result {
        try enter(bytes)
        let clock = ContinuousClock()
        let start = clock.now
        defer { leave(bytes, seconds: (clock.now - start) / .seconds(1)) }
        return try await body()
    }

    /// Throws a ``Problem`` if there is no room for a request of this size now.
    func check(bytes: Int) throws {
        try enter(bytes)
        leave(bytes, seconds: nil)
    }

    /// The number and bytes of the requests that are waiting or running, and the number of those refused so far.
    var load: (count: Int, bytes: Int, refused: Int) { state.withLock { ($0.count, $0.bytes, $0.refused) } }

    private func enter(_ bytes: Int) throws {
        let wait: Int? = state.withLock { state in
            // A request that is larger than the limit is accepted if it is the only one.
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
            .serviceUnavailable, code: "overloaded", "The server is overloaded",
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
