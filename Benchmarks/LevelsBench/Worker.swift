internal import Glibc

/// A thread that runs one function to its end.
struct Worker {
    private let thread: pthread_t

    /// Throws what the system refuses the thread with.
    init(_ body: @escaping @Sendable () -> Void) throws {
        var thread = pthread_t()
        let job = Unmanaged.passRetained(Job(body))
        let status = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Job>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            }, job.toOpaque())
        guard status == 0 else {
            job.release()
            throw Refused(status: status)
        }
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }

    struct Refused: Error { let status: Int32 }

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
