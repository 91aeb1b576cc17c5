package import WayreelAV
package import WayreelCore

/// Writes encoded and copied streams to an output. All sinks are requested before ``begin()``.
package protocol TrackDestination: AnyObject, Sendable {
    /// Returns the sink of an encoded rendition of the plan.
    func sink(forRendition index: Int, encoder: VideoEncoder) throws(MediaError) -> any PacketSink
    /// Returns the sink of a rendition that is copied from a file.
    func sink(forRendition index: Int, copyOf stream: Int, of file: Demuxer) throws(MediaError) -> any PacketSink
    /// Returns the sink of an encoded audio track, which comes from the source's stream `stream`. The first track is
    /// the default.
    func audioSink(of stream: Int, encoder: AudioEncoder) throws(MediaError) -> any PacketSink
    /// Returns the sink of an audio track that is copied from a file.
    func audioSink(copyOf stream: Int, of file: Demuxer) throws(MediaError) -> any PacketSink
    func begin() throws(MediaError)
    /// Makes every sink fail from now on, so that no thread waits.
    func stop()
}

/// Receives the packets of one stream in decoding order, on the thread that encodes the stream.
package protocol PacketSink: AnyObject, Sendable {
    /// Takes a packet; its timestamps are in the time base of the stream.
    func take(_ packet: Packet) throws(MediaError)
    /// Ends the stream.
    func finish() throws(MediaError)
}
