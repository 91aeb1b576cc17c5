internal import WayreelAV
internal import WayreelCore

/// For a first pass, of which only what the encoder finds out is wanted.
final class DiscardingDestination: TrackDestination {
    private final class Sink: PacketSink {
        func take(_ packet: MediaPacket) {}
        func finish() {}
    }

    func sink(forRendition index: Int, encoder: VideoEncoder) -> any PacketSink { Sink() }
    func sink(forRendition index: Int, copyOf stream: Int, of file: MediaFile) -> any PacketSink { Sink() }
    func soundSink(of stream: Int, encoder: AudioEncoder) -> any PacketSink { Sink() }
    func soundSink(copyOf stream: Int, of file: MediaFile) -> any PacketSink { Sink() }
    func begin() {}
    func stop() {}
}
