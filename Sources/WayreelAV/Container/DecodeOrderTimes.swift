internal import WayreelCore

/// Corrects the times of frames whose packets are all numbered in decoding order although frames are displayed in
/// another order: AVI, raw MPEG video, and copies of these in other containers.
///
/// A decoder with a delay of one frame returns the first frame with the second packet. The packets' timestamps are
/// right, but apply to the frames in display order: each frame has the time of the packet before the one that it was
/// returned with. The same holds for frames that are displayed in decoding order.
struct DecodeOrderTimes {
    /// Codecs whose decoders have a constant delay.
    private static let codecs: Set<String> = ["mpeg1video", "mpeg2video", "mpeg4"]

    private let hasConstantDelay: Bool
    /// Whether a packet was shown before the one preceding it, so that frames have times of their own.
    private var hasDisplayTimes = false
    /// The last packets: DTS, which may have been guessed by the demuxer, and timestamp in increasing order.
    private var packets: [(decodingTime: Int64, time: Int64)] = []
    private static let maxPackets = 64

    init(codec: String) { hasConstantDelay = Self.codecs.contains(codec) }

    /// Observes a packet that is sent to the decoder.
    mutating func send(_ packet: Packet) {
        guard hasConstantDelay, !hasDisplayTimes else { return }
        guard let decodingTime = packet.decodingTime, case let time = packet.presentationTime ?? decodingTime,
            packets.last.map({ time > $0.time }) ?? true
        else {
            hasDisplayTimes = true
            return
        }
        packets.append((decodingTime, time))
        if packets.count > Self.maxPackets { packets.removeFirst() }
    }

    /// Forgets all packets. Call it after a seek.
    mutating func flush() { packets.removeAll() }

    /// Returns the time of a frame from a decoder with a delay of `delay` frames. `arrival` is the DTS of the packet
    /// that the frame was returned with, or nil at the end. Returns nil if the frame's own time is right.
    func time(arrival: Int64?, delay: Int) -> Int64? {
        guard hasConstantDelay, !hasDisplayTimes, delay == 1, let last = packets.last else { return nil }
        guard let arrival else { return last.time }
        guard let index = packets.lastIndex(where: { $0.decodingTime == arrival }), index > 0 else { return nil }
        return packets[index - 1].time
    }
}
