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
            guard state.isFinished else { throw .cancelled(step: "work") }
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
