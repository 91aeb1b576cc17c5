package import WayreelAV
package import WayreelCore

/// What encoded and copied streams are put into. All sinks are asked for before ``begin()``.
package protocol TrackDestination: AnyObject, Sendable {
    /// Where the packets of a rendition of the plan go.
    func sink(forRendition index: Int, encoder: VideoEncoder) throws(MediaError) -> any PacketSink
    /// Where the packets of a rendition go that is taken over from a file.
    func sink(forRendition index: Int, copyOf stream: Int, of file: MediaFile) throws(MediaError) -> any PacketSink
    /// Where the packets of an audio track go that is made of the source's stream `stream`. The first one is the default.
    func soundSink(of stream: Int, encoder: AudioEncoder) throws(MediaError) -> any PacketSink
    func soundSink(copyOf stream: Int, of file: MediaFile) throws(MediaError) -> any PacketSink
    func begin() throws(MediaError)
    /// Has every sink fail from now on, so that nobody waits.
    func stop()
}

extension HLSPackage: TrackDestination {
    package func begin() {}
    /// Its sinks never wait.
    package func stop() {}
}
