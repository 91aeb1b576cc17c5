internal import Synchronization

/// A channel for elements from Wayreel's threads to a task that iterates over them.
///
/// ``send(_:)`` blocks its thread while the channel is full; the task suspends while it is empty.
package final class BoundedChannel<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isStopped = false
        var isFinished = false
        /// The failure, thrown once after the elements.
        var failure: MediaError?
    }

    private let state = Mutex(State())
    /// One entry for each element that is in production or waiting to be read; nil if there is no limit.
    private let slots: BoundedQueue<Void>?
    /// Lets one thread at a time wait for a slot, so that the other threads hold no counted element. It is held while
    /// that thread waits for a slow consumer.
    private let producerLock = Mutex(())
    /// Wakes the task: a stream of at most one void value.
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    /// Creates a channel for at most `limit` elements, one or more; nil for posted elements.
    package init(limit: Int?) {
        slots = limit.map { BoundedQueue(limit: max(1, $0)) }
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // The slot of the first element.
        _ = slots?.put(())
    }

    // MARK: Threads

    /// Adds an element, then waits for a slot for the next one, so that a sender never produces an element without a
    /// slot. Returns false once no more elements are wanted.
    package func send(_ element: Element) -> Bool {
        producerLock.withLock { _ in
            let isWanted = state.withLock { state in
                if !state.isStopped { state.elements.append(element) }
                return !state.isStopped
            }
            guard isWanted else { return false }
            arrival.yield()
            return slots?.put(()) ?? true
        }
    }

    /// Adds an element without waiting, replacing the first element that `isStale`. The number of waiting elements is
    /// bounded by the number of those that are never replaced.
    package func post(_ element: Element, replacing isStale: (Element) -> Bool) {
        state.withLock { state in
            if state.isStopped { return }
            if let index = state.elements.firstIndex(where: isStale) { state.elements.remove(at: index) }
            state.elements.append(element)
        }
        arrival.yield()
    }

    /// Refuses further elements and wakes waiting threads. The task still receives the elements sent before, and the
    /// end.
    package func stop() {
        state.withLock { $0.isStopped = true }
        slots?.abandon()
    }

    /// Ends the elements, with an optional failure for the task.
    package func finish(_ failure: MediaError? = nil) {
        state.withLock { state in
            guard !state.isFinished else { return }
            (state.isStopped, state.isFinished, state.failure) = (true, true, failure)
        }
        arrival.finish()
    }

    package var isFinished: Bool { state.withLock(\.isFinished) }

    // MARK: The task

    private enum Taken {
        case element(Element)
        case end(MediaError?)
    }

    /// Takes the next element or the end; nil if there is nothing to take yet.
    private func take() -> Taken? {
        let taken: Taken? = state.withLock { state in
            if !state.elements.isEmpty { return .element(state.elements.removeFirst()) }
            guard state.isFinished else { return nil }
            defer { state.failure = nil }
            return .end(state.failure)
        }
        // Never blocks: an element was added after its slot was taken.
        if case .element = taken { _ = try? slots?.take() }
        return taken
    }

    /// Returns the next element; nil at the end. Throws the failure after the preceding elements, and `cancelled` if
    /// the surrounding task is cancelled, which stops the channel.
    package func next(isolation actor: isolated (any Actor)?) async throws(MediaError) -> Element? {
        var signals = arrivals.makeAsyncIterator()
        while true {
            if Task.isCancelled {
                cancel()
                throw .cancelled(step: .iterate)
            }
            switch take() {
            case .element(let element): return element
            case .end(let failure):
                if let failure { throw failure }
                return nil
            case nil: _ = await signals.next(isolation: actor)
            }
        }
    }

    /// Drops all elements and refuses further ones.
    package func cancel() {
        stop()
        state.withLock { $0.elements = [] }
        finish()
    }
}
