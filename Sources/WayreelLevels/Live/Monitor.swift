internal import Glibc
internal import WayreelCore

/// A mutex with a condition variable.
///
/// Uses priority inheritance: the holder runs with the priority of a waiting real-time thread, such as an audio
/// callback.
final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        var lock = pthread_mutexattr_t()
        pthread_mutexattr_init(&lock)
        pthread_mutexattr_setprotocol(&lock, Int32(PTHREAD_PRIO_INHERIT))
        pthread_mutex_init(mutex, &lock)
        pthread_mutexattr_destroy(&lock)
        var waiting = pthread_condattr_t()
        pthread_condattr_init(&waiting)
        pthread_condattr_setclock(&waiting, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &waiting)
        pthread_condattr_destroy(&waiting)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func locked<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// With the lock held: waits until the condition is signalled or until `deadline` (monotonic clock, seconds), then
    /// returns false.
    func wait(until deadline: Double) -> Bool {
        var time = timespec(tv_sec: Int(deadline), tv_nsec: Int((deadline - deadline.rounded(.down)) * 1e9))
        return pthread_cond_timedwait(condition, mutex, &time) == 0
    }

    /// Wakes one waiting thread. Call it without the lock, which the thread needs.
    func signal() { pthread_cond_signal(condition) }

    func signalAll() { pthread_cond_broadcast(condition) }
}
