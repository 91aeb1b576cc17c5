internal import WayreelCore

/// Events for a stream that never delays the work: an event that is not taken yet is replaced by a later one where that says
/// more. What waits is bounded by the number of events that nothing replaces.
final class PostedEvents<Event: Sendable>: Sendable {
    private let channel = BoundedChannel<Event>(limit: nil)
    private let cancellation: Cancellation

    private init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    /// Releasing the stream, or cancelling the task that iterates, cancels the work.
    deinit { cancellation.cancel() }

    /// A stream of what `produce` emits. `isReplaced` says whether its first event is outdated by the second.
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
