internal import CLinux
internal import Glibc

/// A thread owned by Wayreel that must be joined.
package final class WorkThread: Sendable {
    private let thread: pthread_t

    /// Starts `body` on a thread called `name` (15 bytes are kept).
    ///
    /// Throws a `limit` error if the system refuses the thread. ``join()`` must be called once.
    package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        thread = try Self.start(name, body)
    }

    package func join() { pthread_join(thread, nil) }

    /// Starts `body` on a thread called `name` that is not joined. Throws a `limit` error if the system refuses it.
    package static func startDetached(_ name: String, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        pthread_detach(try start(name, body))
    }

    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func start(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) throws(MediaError) -> pthread_t {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        // Decoders and Pango recurse, and the default stack size depends on the shell's limit.
        pthread_attr_setstacksize(&attributes, 4 << 20)
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(
            Work {
                ThreadName.set(name)
                body()
            })
        let status = pthread_create(
            &thread, &attributes,
            { context in
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw MediaError(
                .limit, step: .start, reason: "cannot start a thread", advice: "run fewer tasks at once")
        }
        return thread
    }
}

/// The system's name of a thread, shown by profilers and `top -H`. New threads inherit it.
package enum ThreadName {
    /// Names the calling thread; the system keeps 15 bytes.
    package static func set(_ name: String) { wr_set_thread_name(name) }

    /// Name of the calling thread.
    package static var current: String {
        var text = [CChar](repeating: 0, count: 16)
        wr_get_thread_name(&text)
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Runs `body`; threads that it starts inherit `name`.
    package static func inherited<Result>(
        _ name: String, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let own = current
        set(name)
        defer { set(own) }
        return try body()
    }
}

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
