internal import WayreelCore

/// Keeps the threads that write the tracks of one file within a few seconds of each other, so that the muxer does not
/// buffer more. It also serializes their access to the muxer.
final class WriterPacing: Sendable {
    private struct State {
        /// The position of each thread in seconds.
        var positions: [Double] = []
        var isStopped = false

        /// Whether a thread may write at `time`.
        func admits(_ thread: Int, at time: Double) -> Bool {
            let slowest = positions.min() ?? 0
            return isStopped || time <= slowest + WriterPacing.maxLead || positions[thread] == slowest
        }
    }

    private let state = Monitor(State())

    /// The maximum lead of a thread over another in seconds. FFmpeg interleaves packets by time while at most ten
    /// seconds wait (`max_interleave_delta`), so that their order in the file does not depend on the threads.
    private static let maxLead = 4.0

    /// Adds a thread, and returns its number. Must be called before any thread writes.
    func addThread() -> Int {
        state.withLock { state in
            state.positions.append(-.infinity)
            return state.positions.count - 1
        }
    }

    /// Waits until `time` is near the position of the slowest thread, and runs `write` alone. Throws `cancelled` after
    /// ``stop()``.
    func write(
        at time: Double, of thread: Int, _ write: () throws(MediaError) -> Void
    ) throws(MediaError) {
        try state.update(when: { $0.admits(thread, at: time) }) { (state) throws(MediaError) in
            guard !state.isStopped else { throw .cancelled(step: "write") }
            state.positions[thread] = max(state.positions[thread], time)
            try write()
        }
    }

    /// Reports that a thread has written all its packets.
    func finish(_ thread: Int) { state.update { $0.positions[thread] = .infinity } }

    /// Makes all threads fail from now on.
    func stop() { state.update { $0.isStopped = true } }
}
