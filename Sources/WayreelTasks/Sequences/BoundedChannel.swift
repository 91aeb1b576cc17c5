internal import Synchronization
internal import WayreelCore

/// Elements on their way from Wayreel's threads to a task that iterates over them.
///
/// ``send(_:)`` blocks its thread while the channel is full; the task suspends while it is empty.
final class BoundedChannel<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isStopped = false
        var isFinished = false
        /// Thrown once, after the elements.
        var failure: MediaError?
    }

    private let state = Mutex(State())
    /// One entry for each element that is sent or in the making, and not taken yet; nil: there is no limit.
    private let slots: BoundedQueue<Void>?
    /// Lets one thread at a time wait for a slot, so that the others hold no element that counts.
    private let turn = Mutex(())
    /// Wakes the task: a stream of at most one void value.
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    /// A channel for at most `limit` elements, one or more; nil for elements that are posted.
    init(limit: Int?) {
        slots = limit.map { BoundedQueue(limit: max(1, $0)) }
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // For the first element.
        _ = slots?.put(())
    }

    // MARK: Threads

    /// Adds an element, and waits until there is room for the next: a sender makes no element that has no place. False once
    /// no more are wanted.
    func send(_ element: Element) -> Bool {
        turn.withLock { _ in
            let isWanted = state.withLock { state in
                if !state.isStopped { state.elements.append(element) }
                return !state.isStopped
            }
            guard isWanted else { return false }
            arrival.yield()
            return slots?.put(()) ?? true
        }
    }

    /// Adds an element without waiting, in place of the first that `isStale`. What waits is bounded by the number of elements that
    /// nothing replaces.
    func post(_ element: Element, replacing isStale: (Element) -> Bool) {
        state.withLock { state in
            if state.isStopped { return }
            if let index = state.elements.firstIndex(where: isStale) { state.elements.remove(at: index) }
            state.elements.append(element)
        }
        arrival.yield()
    }

    /// Refuses further elements, and wakes threads that wait. The task still gets those that were sent, and the end.
    func stop() {
        state.withLock { $0.isStopped = true }
        slots?.abandon()
    }

    /// Ends the elements, with an optional failure for the task.
    func finish(_ failure: MediaError? = nil) {
        state.withLock { state in
            guard !state.isFinished else { return }
            (state.isStopped, state.isFinished, state.failure) = (true, true, failure)
        }
        arrival.finish()
    }

    var isFinished: Bool { state.withLock(\.isFinished) }

    // MARK: The task

    private enum Taken {
        case element(Element)
        case end(MediaError?)
    }

    /// nil while there is nothing to take.
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

    /// The next element; nil at the end. Throws the failure after the elements before it, and `cancelled` where the surrounding task
    /// is cancelled, which stops the channel.
    func next(isolation actor: isolated (any Actor)?) async throws(MediaError) -> Element? {
        var rings = arrivals.makeAsyncIterator()
        while true {
            if Task.isCancelled {
                cancel()
                throw MediaError(.cancelled, step: "iterate", reason: "cancelled")
            }
            switch take() {
            case .element(let element): return element
            case .end(let failure):
                if let failure { throw failure }
                return nil
            case nil: _ = await rings.next(isolation: actor)
            }
        }
    }

    /// Drops all elements and refuses further ones.
    func cancel() {
        stop()
        state.withLock { $0.elements = [] }
        finish()
    }
}
