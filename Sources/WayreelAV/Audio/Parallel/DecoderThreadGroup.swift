internal import CLinux
internal import Glibc
internal import WayreelCore

/// Threads that decode stretches of one track, begun in the order in which they are handed in.
///
/// Belongs to one thread, which must call ``disband()`` in the end.
final class DecoderThreadGroup {
    private let board: Board
    private var threads: [WorkThread] = []

    init(workers: Int, _ parameters: CodecParameters, watch: TaskWatch) {
        let board = Board(parameters)
        self.board = board
        for _ in 0..<workers {
            let own = watch.companion()
            guard let thread = try? WorkThread("decode", { board.work(own) }) else { break }
            threads.append(thread)
        }
    }

    /// May be fewer than asked for, where the system refuses.
    var workers: Int { threads.count }

    func start(_ stretch: AudioChunk) { board.add(stretch) }

    /// Waits until `stretch`, which was started, is decoded. Throws what came in the way.
    func wait(for stretch: AudioChunk) throws(MediaError) {
        board.wait(for: stretch)
        if let failure = stretch.failure { throw failure }
    }

    /// Stops what is under way and ends the threads.
    func disband() {
        board.close()
        for thread in threads { thread.join() }
        threads.removeAll()
    }

    /// What is to be done and what is done.
    private final class Board: @unchecked Sendable {
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

        func add(_ stretch: AudioChunk) {
            pthread_mutex_lock(mutex)
            waiting.append(stretch)
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }

        func wait(for stretch: AudioChunk) {
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

        /// Decodes until the board is closed.
        func work(_ watch: TaskWatch) {
            defer { watch.countHelper() }
            while let stretch = next() {
                try? watch.span("decode") { stretch.run(parameters, until: stop) }
                pthread_mutex_lock(mutex)
                done.insert(ObjectIdentifier(stretch))
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
