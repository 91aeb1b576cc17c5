internal import CLinux
internal import Glibc

/// A bounded queue between two threads. `put` blocks while it is full, `take` while it is empty.
package final class BoundedQueue<Element>: @unchecked Sendable {
    // Guarded by `mutex`.
    private var elements: [Element] = []
    private var isFinished = false
    private var isAbandoned = false
    private var failure: MediaError?
    private let limit: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(limit: Int) {
        self.limit = limit
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Returns false once the consumer has abandoned the queue.
    package func put(_ element: sending Element) -> Bool {
        locked {
            while elements.count >= limit, !isAbandoned { pthread_cond_wait(changed, mutex) }
            guard !isAbandoned else { return false }
            elements.append(element)
            pthread_cond_broadcast(changed)
            return true
        }
    }

    /// Returns the next element, or nil at the end. Throws the failure passed to ``finish(_:)`` after the elements
    /// before it, and `cancelled` once the queue is abandoned.
    package func take() throws(MediaError) -> Element? {
        let (element, failure): (Element?, MediaError?) = locked {
            while elements.isEmpty, !isFinished, !isAbandoned { pthread_cond_wait(changed, mutex) }
            guard !elements.isEmpty else {
                return (nil, isFinished ? self.failure : MediaError(.cancelled, step: "work", reason: "cancelled"))
            }
            pthread_cond_broadcast(changed)
            return (elements.removeFirst(), nil)
        }
        if let failure { throw failure }
        return element
    }

    /// Ends the queue, with an optional failure for the consumer.
    package func finish(_ failure: MediaError? = nil) {
        locked {
            guard !isFinished else { return }
            isFinished = true
            self.failure = failure
            pthread_cond_broadcast(changed)
        }
    }

    /// Stops consuming and passes the remaining elements to `body`.
    package func abandon(_ body: (Element) -> Void = { _ in }) {
        let left = locked {
            isAbandoned = true
            pthread_cond_broadcast(changed)
            defer { elements.removeAll() }
            return elements
        }
        left.forEach(body)
    }
}
