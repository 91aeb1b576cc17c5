/// Threads that work on one task. The first failure stops all of them.
///
/// A group is used by one thread, which must call ``wait(_:)`` once.
package final class ThreadGroup<Message: Sendable> {
    private enum Event: Sendable {
        case message(Message)
        case ended(MediaError?)
    }

    private let events = BoundedQueue<Event>(limit: .max)
    private let stopAll: @Sendable () -> Void
    private var threads: [WorkThread] = []
    private var failure: MediaError?

    /// `stopAll` is called when a thread fails and must make the other threads end soon.
    package init(stopAll: @escaping @Sendable () -> Void) { self.stopAll = stopAll }

    /// Starts a thread called `name`, which runs `work` and may send messages.
    package func start(
        _ name: String,
        _ work: @escaping @Sendable (_ send: @Sendable (Message) -> Void) throws(MediaError) -> Void
    ) {
        let events = events
        do throws(MediaError) {
            threads.append(
                try WorkThread(name) {
                    var failure: MediaError?
                    do throws(MediaError) {
                        try work { _ = events.put(.message($0)) }
                    } catch { failure = error }
                    _ = events.put(.ended(failure))
                })
        } catch {
            note(error)
        }
    }

    private func note(_ error: MediaError) {
        // Later failures are consequences of the first one.
        if failure == nil || failure?.kind == .cancelled && error.kind != .cancelled { failure = error }
        stopAll()
    }

    /// Delivers messages to `body` until all threads have ended. Throws the first failure.
    package func wait(_ body: (Message) -> Void) throws(MediaError) {
        var ended = 0
        while ended < threads.count, let event = try events.take() {
            switch event {
            case .message(let message): body(message)
            case .ended(let failure):
                ended += 1
                if let failure { note(failure) }
            }
        }
        for thread in threads { thread.join() }
        threads.removeAll()
        if let failure { throw failure }
    }
}
