package import WayreelAV
package import WayreelCore

/// A queue of frames from the decoder to the encoder of one rendition, with PTS and durations in the plan's time
/// base.
package typealias FrameQueue = BoundedQueue<Frame>

extension BoundedQueue where Element == Frame {
    /// Creates a queue to one of `count` renditions. If there are several, the queues are longer, so that encoders
    /// can be ahead of each other.
    package convenience init(ofRenditions count: Int) { self.init(limit: count > 1 ? 4 : 1) }
}

/// A chunk of one rendition in transit to the encoder.
struct ChunkQueue: Sendable {
    let start: ChunkStart
    let frames: FrameQueue
}
