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
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }

        func run() {
            ThreadName.set(name)
            body()
        }
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
        let context = Unmanaged.passRetained(Work(name, body))
        let status = pthread_create(
            &thread, &attributes,
            { context in
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw MediaError(
                .limit, step: "start", reason: "cannot start a thread", advice: "run fewer tasks at once")
        }
        return thread
    }
}
