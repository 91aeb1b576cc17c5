internal import WayreelCore

/// Corrects the times of frames whose packets are all numbered in decoding order although frames are displayed in
/// another order: AVI, raw MPEG video, and copies of these.
///
/// A decoder with a delay of one frame returns the first frame with the second packet. The packets' timestamps are
/// right, but apply to the frames in display order: each frame has the time of the packet before the one that it was
/// returned with.
struct DecodeOrderTimes {
    /// Codecs whose decoders have a constant delay.
    private static let codecs: Set<String> = ["mpeg1video", "mpeg2video", "mpeg4"]

    private let hasConstantDelay: Bool
    /// Whether a packet had a PTS other than its DTS, so that frames have times of their own.
    private var hasDisplayTimes = false
    /// The DTS of the last packets.
    private var times: [Int64] = []
    private static let maxTimes = 64

    init(codec: String) { hasConstantDelay = Self.codecs.contains(codec) }

    /// Observes a packet that is sent to the decoder.
    mutating func send(_ packet: Packet) {
        guard hasConstantDelay, !hasDisplayTimes else { return }
        guard let time = packet.decodingTime, packet.presentationTime ?? time == time else {
            hasDisplayTimes = true
            return
        }
        times.append(time)
        if times.count > Self.maxTimes { times.removeFirst() }
    }

    /// Forgets all packets. Call it after a seek.
    mutating func flush() { times.removeAll() }

    /// Returns the time of a frame from a decoder with a delay of `delay` frames. `arrival` is the DTS of the packet
    /// that the frame was returned with, or nil at the end. Returns nil if the frame's own time is right.
    func time(arrival: Int64?, delay: Int) -> Int64? {
        guard hasConstantDelay, !hasDisplayTimes, delay == 1, let last = times.last else { return nil }
        guard let arrival else { return last }
        guard let index = times.lastIndex(of: arrival), index > 0 else { return nil }
        return times[index - 1]
    }
}
