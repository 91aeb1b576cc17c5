internal import WayreelCore

/// A stream of events that never delays the work: an unread event is replaced by a later one that supersedes it. The
/// number of waiting events is bounded by the number of those that are never replaced.
final class PostedEvents<Event: Sendable>: Sendable {
    private let channel = BoundedChannel<Event>(limit: nil)
    private let cancellation: Cancellation

    private init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    /// Releasing the stream before its end, or cancelling the task that iterates, cancels the work. At the end, the
    /// caller's cancellation is not set, since other work may share it.
    deinit { if !channel.isFinished { cancellation.cancel() } }

    /// Returns a stream of the events that `produce` emits. `isReplaced` returns whether its second event supersedes
    /// the first.
    static func stream(
        cancelling cancellation: Cancellation, where isReplaced: @escaping @Sendable (Event, Event) -> Bool,
        _ produce: @escaping @Sendable (_ emit: @escaping @Sendable (Event) -> Void) async -> Void
    ) -> AsyncStream<Event> {
        let events = PostedEvents(cancellation)
        Task { [channel = events.channel] in
            await produce { event in channel.post(event) { isReplaced($0, event) } }
            channel.finish()
        }
        return AsyncStream { await events.next() }
    }

    private func next() async -> Event? {
        do throws(MediaError) { return try await channel.next(isolation: nil) } catch {
            cancellation.cancel()
            return nil
        }
    }
}
