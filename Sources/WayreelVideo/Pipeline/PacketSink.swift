package import WayreelAV
package import WayreelCore

/// Where the packets of one encoded stream go, in the order of decoding. Called from the thread that encodes the stream.
package protocol PacketSink: AnyObject, Sendable {
    /// Times are in the time base of the stream. Packets of one stream come in order of their decoding times.
    func take(_ packet: MediaPacket) throws(MediaError)
    /// No more follow.
    func finish() throws(MediaError)
}
