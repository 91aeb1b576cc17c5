internal import Glibc

/// A thread that a test starts and waits for.
package final class Worker: @unchecked Sendable {
    private var thread = pthread_t()
    private let body: @Sendable () -> Void

    package init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Worker>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    package func join() { pthread_join(thread, nil) }
}
