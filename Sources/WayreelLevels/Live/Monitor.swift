internal import Glibc
internal import WayreelCore

/// A lock, and a condition that threads wait for under it.
///
/// Where threads have real-time priorities, as an audio callback's may, whoever holds the lock runs with that of the thread
/// which waits for it.
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

    /// Under the lock: leaves it until the condition is signalled or `deadline` has come, by the monotonic clock in seconds;
    /// then returns false.
    func wait(until deadline: Double) -> Bool {
        var time = timespec(tv_sec: Int(deadline), tv_nsec: Int((deadline - deadline.rounded(.down)) * 1e9))
        return pthread_cond_timedwait(condition, mutex, &time) == 0
    }

    /// Wakes one of those who wait. Not under the lock, which it would only wake up to wait for.
    func signal() { pthread_cond_signal(condition) }

    func signalAll() { pthread_cond_broadcast(condition) }
}
