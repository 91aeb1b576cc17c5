internal import CLinux
internal import Glibc
internal import WayreelCore

/// Threads that decode chunks of one track, started in the order in which they are added.
///
/// Belongs to one thread, which must call ``stop()`` at the end.
final class DecoderThreadGroup {
    private let queue: Queue
    private var threads: [WorkThread] = []

    init(workers: Int, _ parameters: CodecParameters, task: TaskContext) {
        let queue = Queue(parameters)
        self.queue = queue
        for _ in 0..<workers {
            let own = task.child()
            guard let thread = try? WorkThread("decode", { queue.work(own) }) else { break }
            threads.append(thread)
        }
    }

    /// Fewer than requested where the system refuses threads.
    var count: Int { threads.count }

    func start(_ chunk: AudioChunk) { queue.add(chunk) }

    /// Waits until a started chunk is decoded. Throws its error.
    func wait(for chunk: AudioChunk) throws(MediaError) {
        queue.wait(for: chunk)
        if let failure = chunk.failure { throw failure }
    }

    /// Cancels decoding and ends the threads.
    func stop() {
        queue.close()
        for thread in threads { thread.join() }
        threads.removeAll()
    }

    /// Chunks that wait for a thread, and chunks that are decoded.
    private final class Queue: @unchecked Sendable {
        private let stop = Cancellation()
        private let parameters: CodecParameters
        // Guarded by `mutex`.
        private var waiting: [AudioChunk] = []
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

        func add(_ chunk: AudioChunk) {
            pthread_mutex_lock(mutex)
            waiting.append(chunk)
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }

        func wait(for chunk: AudioChunk) {
            pthread_mutex_lock(mutex)
            while done.remove(ObjectIdentifier(chunk)) == nil { pthread_cond_wait(changed, mutex) }
            pthread_mutex_unlock(mutex)
        }

        func close() {
            stop.cancel()
            pthread_mutex_lock(mutex)
            waiting.removeAll()
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }

        /// Decodes chunks until the queue is closed.
        func work(_ task: TaskContext) {
            defer { task.countThread() }
            while let chunk = next() {
                try? task.span("decode") { chunk.run(parameters, until: stop) }
                pthread_mutex_lock(mutex)
                done.insert(ObjectIdentifier(chunk))
                pthread_cond_broadcast(changed)
                pthread_mutex_unlock(mutex)
            }
        }

        private func next() -> AudioChunk? {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            while waiting.isEmpty, !stop.isCancelled { pthread_cond_wait(changed, mutex) }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
