internal import WayreelAV
internal import WayreelCore

/// Discards all packets: for a first pass, whose only result is the encoder's statistics.
final class DiscardingDestination: TrackDestination {
    private final class Sink: PacketSink {
        func take(_ packet: Packet) {}
        func finish() {}
    }

    func sink(forRendition index: Int, encoder: VideoEncoder) -> any PacketSink { Sink() }
    func sink(forRendition index: Int, copyOf stream: Int, of file: Demuxer) -> any PacketSink { Sink() }
    func audioSink(of stream: Int, encoder: AudioEncoder) -> any PacketSink { Sink() }
    func audioSink(copyOf stream: Int, of file: Demuxer) -> any PacketSink { Sink() }
    func begin() {}
    func stop() {}
}
