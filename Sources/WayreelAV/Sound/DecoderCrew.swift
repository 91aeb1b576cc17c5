internal import CFFmpeg  // The module that Swift finds the thread types in.
internal import Glibc
internal import WayreelCore

/// Threads that decode stretches of one track, begun in the order in which they are handed in.
///
/// Belongs to one thread, which must call ``disband()`` in the end.
final class DecoderCrew {
    private let board: Board
    private var threads: [pthread_t] = []

    init(workers: Int, _ parameters: CodecParameters) {
        board = Board(parameters)
        for _ in 0..<workers {
            guard let thread = board.startThread() else { break }
            threads.append(thread)
        }
    }

    /// May be fewer than asked for, where the system refuses.
    var workers: Int { threads.count }

    func start(_ stretch: Stretch) { board.add(stretch) }

    /// Waits until `stretch`, which was started, is decoded. Throws what came in the way.
    func wait(for stretch: Stretch) throws(MediaError) {
        board.wait(for: stretch)
        if let failure = stretch.failure { throw failure }
    }

    /// Stops what is under way and ends the threads.
    func disband() {
        board.close()
        for thread in threads { pthread_join(thread, nil) }
        threads.removeAll()
    }

    /// What is to be done and what is done.
    private final class Board: @unchecked Sendable {
        private let stop = Cancellation()
        private let parameters: CodecParameters
        // Guarded by `mutex`.
        private var waiting: [Stretch] = []
        private var done: Set<ObjectIdentifier> = []
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

        init(_ parameters: CodecParameters) {
            self.parameters = parameters
            pthread_mutex_init(mutex, nil)
            pthread_cond_init(changed, nil)
        }

        deinit {
            pthread_cond_destroy(changed)
            pthread_mutex_destroy(mutex)
            changed.deallocate()
            mutex.deallocate()
        }

        func add(_ stretch: Stretch) {
            pthread_mutex_lock(mutex)
            waiting.append(stretch)
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }

        func wait(for stretch: Stretch) {
            pthread_mutex_lock(mutex)
            while done.remove(ObjectIdentifier(stretch)) == nil { pthread_cond_wait(changed, mutex) }
            pthread_mutex_unlock(mutex)
        }

        func close() {
            stop.cancel()
            pthread_mutex_lock(mutex)
            waiting.removeAll()
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }

        func startThread() -> pthread_t? {
            var thread: pthread_t = 0
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            // The limit of the shell that started the process shall not count.
            pthread_attr_setstacksize(&attributes, 4 << 20)
            defer { pthread_attr_destroy(&attributes) }
            let context = Unmanaged.passRetained(self)
            let status = pthread_create(
                &thread, &attributes,
                { context in
                    Unmanaged<Board>.fromOpaque(context!).takeRetainedValue().work()
                    return nil
                }, context.toOpaque())
            if status != 0 { context.release() }
            return status == 0 ? thread : nil
        }

        private func work() {
            while let stretch = next() {
                stretch.run(parameters, until: stop)
                pthread_mutex_lock(mutex)
                done.insert(ObjectIdentifier(stretch))
                pthread_cond_broadcast(changed)
                pthread_mutex_unlock(mutex)
            }
        }

        private func next() -> Stretch? {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            while waiting.isEmpty, !stop.isCancelled { pthread_cond_wait(changed, mutex) }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
