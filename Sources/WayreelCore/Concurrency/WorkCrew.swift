/// Threads that work together on one thing: what stops one stops all.
///
/// Belongs to one thread, which must call ``wait(_:)`` in the end.
package final class WorkCrew<Message: Sendable> {
    private enum Event: Sendable {
        case message(Message)
        case ended(MediaError?)
    }

    private let events = BoundedQueue<Event>(limit: .max)
    private let stopAll: @Sendable () -> Void
    private var threads: [WorkThread] = []
    private var failure: MediaError?

    /// `stopAll` is called when a thread fails, and must have the others end soon.
    package init(stopAll: @escaping @Sendable () -> Void) { self.stopAll = stopAll }

    /// Starts a thread called `name` that does `work`, which may tell messages.
    package func start(
        _ name: String,
        _ work: @escaping @Sendable (_ tell: @Sendable (Message) -> Void) throws(MediaError) -> Void
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
        // What comes after the first failure is only its consequence.
        if failure == nil || failure?.kind == .cancelled && error.kind != .cancelled { failure = error }
        stopAll()
    }

    /// Hands out messages until all threads have ended. Throws the first failure.
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
