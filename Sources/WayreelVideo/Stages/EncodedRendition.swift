package import WayreelCore

/// The result of encoding a rendition or a chunk of it.
package struct EncodedRendition: Sendable, Codable, Equatable {
    package var frames = 0
    package var bytes = 0
    /// The end of the last frame, in seconds of output.
    package var end = 0.0
    /// The measured quality, if one was requested.
    var quality: QualityMeter.Tally?

    /// Returns this rendition followed by `next`.
    func joined(with next: EncodedRendition) -> EncodedRendition {
        let quality = [quality, next.quality].compactMap(\.self)
        return EncodedRendition(
            frames: frames + next.frames, bytes: bytes + next.bytes, end: next.end,
            quality: quality.isEmpty ? nil : quality.reduce(QualityMeter.Tally(), +))
    }
}

/// Video that was encoded before: a session only writes its packets.
package protocol EncodedVideo: Sendable {
    /// The complete first rendition.
    var first: EncodedRendition { get }
    /// Seconds by which the last frame is extended beyond its end in the source.
    var heldSeconds: Double { get }
    /// Writes all packets of a rendition to `sink`, and finishes it.
    func write(rendition: Int, to sink: any PacketSink, task: TaskContext) throws(MediaError)
    /// Writes the thumbnails of the smallest rendition to `sink`.
    func writeThumbnails(to sink: any ThumbnailSink, task: TaskContext) throws(MediaError)
}
