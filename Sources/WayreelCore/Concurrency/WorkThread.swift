internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread of Wayreel's own that is waited for.
package final class WorkThread: Sendable {
    private let thread: pthread_t

    private final class Work {
        let name: String
        let niceness: Int32
        let body: @Sendable () -> Void

        init(_ name: String, niceness: Int32, _ body: @escaping @Sendable () -> Void) {
            (self.name, self.niceness, self.body) = (name, niceness, body)
        }

        func run() {
            ThreadName.set(name)
            // On Linux of this thread and those that it starts.
            if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
            body()
        }
    }

    /// Starts `body` on a thread called `name`, of which 15 bytes are shown, that gives way to others as `nice` counts it, from 0
    /// to 19. Throws a `limit` error where the system refuses a thread. ``join()`` must be called once.
    package init(
        _ name: String, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void
    ) throws(MediaError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        // Decoders recurse; the limit of the shell that started the process shall not count.
        pthread_attr_setstacksize(&attributes, 4 << 20)
        defer { pthread_attr_destroy(&attributes) }
        var started = pthread_t()
        let context = Unmanaged.passRetained(Work(name, niceness: niceness, body))
        let status = pthread_create(
            &started, &attributes,
            { context in
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw MediaError(
                .limit, step: "start", reason: "no thread could be started", advice: "run fewer at once")
        }
        thread = started
    }

    package func join() { pthread_join(thread, nil) }

    private final class Made<Result: Sendable>: Sendable {
        let result = Mutex<Swift.Result<Result, MediaError>?>(nil)
    }

    /// Runs `body` on a thread of its own and waits for it: threads that it starts inherit its name and how far it gives way.
    package static func run<Result: Sendable>(
        _ name: String, niceness: Int32, _ body: @escaping @Sendable () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let made = Made<Result>()
        let thread = try WorkThread(name, niceness: niceness) {
            let result = Swift.Result { () throws(MediaError) in try body() }
            made.result.withLock { $0 = result }
        }
        thread.join()
        guard let result = made.result.withLock(\.self) else {
            preconditionFailure("the thread has ended without a result")
        }
        return try result.get()
    }
}
