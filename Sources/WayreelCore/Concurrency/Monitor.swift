internal import Glibc

/// A state that threads share, guarded by a mutex, with a condition variable to wait for its changes.
package final class Monitor<State>: @unchecked Sendable {
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// If `inheritsPriority` is true, the holder of the lock runs with the priority of a waiting real-time thread, such
    /// as an audio callback.
    package init(_ state: sending State, inheritsPriority: Bool = false) {
        self.state = state
        var lock = pthread_mutexattr_t()
        pthread_mutexattr_init(&lock)
        if inheritsPriority { pthread_mutexattr_setprotocol(&lock, Int32(PTHREAD_PRIO_INHERIT)) }
        pthread_mutex_init(mutex, &lock)
        pthread_mutexattr_destroy(&lock)
        var waiting = pthread_condattr_t()
        pthread_condattr_init(&waiting)
        pthread_condattr_setclock(&waiting, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &waiting)
        pthread_condattr_destroy(&waiting)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the lock held.
    package func withLock<Result, Failure>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Waits until `condition` is true, or until `deadline` in seconds of ``Clock/wall``, and runs `body` with the lock
    /// held.
    package func withLock<Result, Failure>(
        when condition: (State) -> Bool, until deadline: Double? = nil,
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !condition(state), wait(until: deadline) {}
        return try body(&state)
    }

    /// Changes the state and wakes all waiting threads.
    package func update<Result, Failure>(
        when condition: (State) -> Bool = { _ in true }, _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { wakeAll() }
        return try withLock(when: condition, body)
    }

    /// Wakes one waiting thread. Call it without the lock, which that thread needs.
    package func wakeOne() { pthread_cond_signal(changed) }

    private func wakeAll() { pthread_cond_broadcast(changed) }

    /// Waits for a change; returns false at the deadline.
    private func wait(until deadline: Double?) -> Bool {
        guard let deadline else { return pthread_cond_wait(changed, mutex) == 0 }
        var time = timespec(tv_sec: Int(deadline), tv_nsec: Int((deadline - deadline.rounded(.down)) * 1e9))
        return pthread_cond_timedwait(changed, mutex, &time) == 0
    }
}

/// A bounded queue between two threads. `put` blocks while it is full, `take` while it is empty.
package final class BoundedQueue<Element>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isFinished = false
        var isAbandoned = false
        var failure: MediaError?
    }

    private let limit: Int
    private let state = Monitor(State())

    package init(limit: Int) { self.limit = limit }

    /// Returns false once the consumer has abandoned the queue.
    package func put(_ element: sending Element) -> Bool {
        state.update(when: { $0.elements.count < limit || $0.isAbandoned }) { state in
            guard !state.isAbandoned else { return false }
            state.elements.append(element)
            return true
        }
    }

    /// Returns the next element, or nil at the end. Throws the failure passed to ``finish(_:)`` after the preceding
    /// elements, and `cancelled` once the queue is abandoned.
    package func take() throws(MediaError) -> Element? {
        try state.update(when: { !$0.elements.isEmpty || $0.isFinished || $0.isAbandoned }) {
            (state) throws(MediaError) in
            guard state.elements.isEmpty else { return state.elements.removeFirst() }
            guard state.isFinished else { throw .cancelled(step: .work) }
            if let failure = state.failure { throw failure }
            return nil
        }
    }

    /// Ends the queue, with an optional failure for the consumer.
    package func finish(_ failure: MediaError? = nil) {
        state.update { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            state.failure = failure
        }
    }

    /// Stops consuming and passes the remaining elements to `body`.
    package func abandon(_ body: (Element) -> Void = { _ in }) {
        let left = state.update { state in
            state.isAbandoned = true
            defer { state.elements.removeAll() }
            return state.elements
        }
        left.forEach(body)
    }
}
