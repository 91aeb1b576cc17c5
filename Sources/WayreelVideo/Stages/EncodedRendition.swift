package import WayreelCore

/// What an encoder made of a rendition, or of a chunk of it.
package struct EncodedRendition: Sendable, Codable, Equatable {
    package var frames = 0
    package var bytes = 0
    /// The end of the last frame, in seconds of output.
    package var end = 0.0
    /// The measured quality, where one is asked for.
    var quality: QualityMeter.Tally?

    /// This rendition followed by `next`.
    func joined(with next: EncodedRendition) -> EncodedRendition {
        let quality = [quality, next.quality].compactMap(\.self)
        return EncodedRendition(
            frames: frames + next.frames, bytes: bytes + next.bytes, end: next.end,
            quality: quality.isEmpty ? nil : quality.reduce(QualityMeter.Tally(), +))
    }
}

/// Video that was encoded before: a session only writes its packets.
package protocol EncodedVideo: Sendable {
    /// The whole of the first rendition.
    var first: EncodedRendition { get }
    /// Seconds for which the last frame is shown longer than by the source.
    var heldSeconds: Double { get }
    /// Writes all packets of a rendition to `sink`, and finishes it.
    func write(rendition: Int, to sink: any PacketSink, task: TaskContext) throws(MediaError)
    /// Passes the thumbnails of the smallest rendition in order.
    func readThumbnails(task: TaskContext, _ body: (Thumbnail) throws(MediaError) -> Void) throws(MediaError)
}
