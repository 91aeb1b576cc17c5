internal import CLinux
internal import Glibc
internal import WayreelCore

/// Keeps the threads that write the tracks of one file within a few seconds of each other, so that the muxer queues no more. Also
/// serialises their access to the muxer.
final class WriterPacing: @unchecked Sendable {
    // Guarded by `mutex`.
    /// The position of each thread in seconds.
    private var positions: [Double] = []
    private var isStopped = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Seconds that a thread may be ahead of another.
    private static let maxLead = 4.0

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Adds a thread, and returns its number. To be called before any thread writes.
    func addThread() -> Int {
        positions.append(-.infinity)
        return positions.count - 1
    }

    /// Waits until `time` is near the position of the slowest thread, and runs `write` alone. Throws `cancelled` after ``stop()``.
    func write(
        at time: Double, of thread: Int, _ write: () throws(MediaError) -> Void
    ) throws(MediaError) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isStopped, time > (positions.min() ?? 0) + Self.maxLead, positions.min() != positions[thread] {
            pthread_cond_wait(changed, mutex)
        }
        guard !isStopped else { throw MediaError(.cancelled, step: "write", reason: "cancelled") }
        positions[thread] = max(positions[thread], time)
        pthread_cond_broadcast(changed)
        try write()
    }

    /// Reports that a thread has written all its packets.
    func finish(_ thread: Int) { update { positions[thread] = .infinity } }

    /// Makes all threads fail from now on.
    func stop() { update { isStopped = true } }

    private func update(_ body: () -> Void) {
        pthread_mutex_lock(mutex)
        body()
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }
}
