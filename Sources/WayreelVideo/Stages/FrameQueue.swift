package import WayreelAV
package import WayreelCore

/// Frames on their way from the decoder to the encoder of one rendition, with PTS and durations in the plan's time base.
package typealias FrameQueue = BoundedQueue<Frame>

extension BoundedQueue where Element == Frame {
    /// A queue to one of `count` renditions. Queues to several are longer, so that an encoder may be ahead of the others.
    package convenience init(ofRenditions count: Int) { self.init(limit: count > 1 ? 4 : 1) }
}

/// A chunk of one rendition on its way to the encoder.
struct ChunkQueue: Sendable {
    let start: ChunkStart
    let frames: FrameQueue
}
