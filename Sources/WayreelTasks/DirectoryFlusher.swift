internal import Synchronization
internal import WayreelCore

/// Flushes the directories of tasks' outputs on a separate thread, while the threads of a pool continue with other
/// tasks. Tasks that wait for the same directory share a flush.
final class DirectoryFlusher: Sendable {
    static let shared = DirectoryFlusher()

    private struct Requests {
        var made = 0
        /// The number of the last request that is complete.
        var flushed = 0
    }

    private let pool = WorkPool(workers: 1)
    private let requests = Mutex<[String: Requests]>([:])

    /// Returns once all earlier renames into `paths` are on the disk. Throws an `io` error if a flush fails.
    func flush(_ paths: Set<String>) async throws {
        for path in paths {
            let request = requests.withLock { requests in
                requests[path, default: Requests()].made += 1
                return requests[path]?.made ?? 0
            }
            // A separate task, so that the flush also completes if the caller is cancelled.
            try await Task { try await pool.run { (_) throws(MediaError) in try self.flush(path, upTo: request) } }
                .value
        }
    }

    private func flush(_ path: String, upTo request: Int) throws(MediaError) {
        let all: Int? = requests.withLock { requests in
            guard let known = requests[path], known.flushed < request else { return nil }
            return known.made
        }
        guard let all else { return }
        try Directory.flush(path)
        requests.withLock { requests in
            requests[path]?.flushed = all
            if requests[path]?.made == all { requests[path] = nil }
        }
    }
}
