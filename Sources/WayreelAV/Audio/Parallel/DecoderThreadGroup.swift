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

    /// The number of threads; fewer than requested if the system refuses some.
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

    /// A queue of chunks that wait for a thread, and of chunks that are decoded.
    private final class Queue: Sendable {
        private struct State {
            var waiting: [AudioChunk] = []
            var done: Set<ObjectIdentifier> = []
        }

        private let stop = Cancellation()
        private let parameters: CodecParameters
        private let state = Monitor(State())

        init(_ parameters: CodecParameters) { self.parameters = parameters }

        func add(_ chunk: AudioChunk) { state.update { $0.waiting.append(chunk) } }

        func wait(for chunk: AudioChunk) {
            let id = ObjectIdentifier(chunk)
            state.withLock(when: { $0.done.contains(id) }) { _ = $0.done.remove(id) }
        }

        func close() {
            stop.cancel()
            state.update { $0.waiting.removeAll() }
        }

        /// Decodes chunks until the queue is closed.
        func work(_ task: TaskContext) {
            defer { task.countThread() }
            while let chunk = next() {
                try? task.span("decode") { chunk.run(parameters, until: stop) }
                state.update { _ = $0.done.insert(ObjectIdentifier(chunk)) }
            }
        }

        private func next() -> AudioChunk? {
            state.withLock(when: { !$0.waiting.isEmpty || stop.isCancelled }) {
                $0.waiting.isEmpty ? nil : $0.waiting.removeFirst()
            }
        }
    }
}
