internal import Synchronization
internal import WayreelCore

/// Flushes the directories of tasks' outputs on a thread of its own, while the threads of a pool go on with other tasks. Tasks that
/// wait for the same directory share a flush.
final class DirectoryFlusher: Sendable {
    static let shared = DirectoryFlusher()

    private struct Requests {
        var made = 0
        /// Those up to this one are done.
        var flushed = 0
    }

    private let pool = WorkPool(workers: 1)
    private let requests = Mutex<[String: Requests]>([:])

    /// Returns when all that was renamed into `paths` before is on the disk. Throws an `io` error where the disk does not take it.
    func flush(_ paths: Set<String>) async throws {
        for path in paths {
            let request = requests.withLock { requests in
                requests[path, default: Requests()].made += 1
                return requests[path]?.made ?? 0
            }
            // A task of its own: what was made is flushed also when the caller is cancelled.
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
