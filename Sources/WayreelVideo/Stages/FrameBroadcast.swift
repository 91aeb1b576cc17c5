internal import WayreelAV
internal import WayreelCore

/// Puts every frame into the queues of all renditions. Must be used by one thread at a time.
struct FrameBroadcast {
    private var queues: [FrameQueue]
    /// The queues of the chunks' queues, one per rendition; empty if the video is encoded as a whole.
    private let chunks: [BoundedQueue<ChunkQueue>]

    /// Sends the whole video to `queues`.
    init(to queues: [FrameQueue]) { (self.queues, chunks) = (queues, []) }

    /// Sends the frames of each chunk through a separate queue.
    init(inChunksTo chunks: [BoundedQueue<ChunkQueue>]) { (queues, self.chunks) = ([], chunks) }

    /// Ends the queues of the current chunk and opens those of the next.
    mutating func startChunk(_ start: ChunkStart) throws(MediaError) {
        for queue in queues { queue.finish() }
        queues = chunks.map { _ in FrameQueue(ofRenditions: chunks.count) }
        for (chunk, queue) in zip(chunks, queues) {
            guard chunk.put(ChunkQueue(start: start, frames: queue)) else { throw .cancelled(step: "decode") }
        }
    }

    /// Sends a copy of the frame to each rendition; the copies share its pixels.
    func put(_ frame: Frame, _ span: FrameRepeats.Span, task: TaskContext) throws(MediaError) {
        frame.time = span.pts
        frame.duration = span.end - span.pts
        for queue in queues {
            let copy = try frame.copy()
            guard try task.span("wait for an encoder", { queue.put(copy) }) else { throw .cancelled(step: "decode") }
        }
    }

    /// Ends all queues, with the error that stopped the decoder.
    func finish(_ failure: MediaError? = nil) {
        for queue in queues { queue.finish(failure) }
        for chunk in chunks { chunk.finish(failure) }
    }
}
