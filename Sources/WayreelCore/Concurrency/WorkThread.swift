internal import CLinux
internal import Glibc

/// A thread of Wayreel's own that is waited for.
package final class WorkThread: Sendable {
    private let thread: pthread_t

    private final class Work {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }

        func run() {
            ThreadName.set(name)
            body()
        }
    }

    /// Starts `body` on a thread called `name`, of which 15 bytes are shown.
    ///
    /// Throws a `limit` error where the system refuses a thread. ``join()`` must be called once.
    package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        // Decoders recurse; the limit of the shell that started the process shall not count.
        pthread_attr_setstacksize(&attributes, 4 << 20)
        defer { pthread_attr_destroy(&attributes) }
        var started = pthread_t()
        let context = Unmanaged.passRetained(Work(name, body))
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
}
