internal import CFFmpeg
internal import WayreelCore

/// The times of packets that are all numbered in decoding order though their frames are displayed in another: those of AVI, of raw
/// MPEG video, and of what was copied from these.
///
/// A decoder that holds back one frame hands out the first with the second packet. The times of the packets are right, but belong
/// to the frames in the order of display: each frame has that of the packet before the one that it came with.
struct DecodeOrderTimes {
    /// Codecs whose decoders hold back the same number of frames all the time.
    private static let codecs: Set<String> = ["mpeg1video", "mpeg2video", "mpeg4"]

    private let isOfItsCodec: Bool
    /// Whether some packet has a display time that is not its decoding time.
    private var hasDisplayTimes = false
    /// Of the packets that were sent last.
    private var times: [Int64] = []
    private static let mostTimes = 64

    init(codec: String) { isOfItsCodec = Self.codecs.contains(codec) }

    /// Notes a packet that is to be decoded.
    mutating func send(_ packet: Packet) {
        guard isOfItsCodec, !hasDisplayTimes else { return }
        guard let time = packet.decodingTime, packet.presentationTime ?? time == time else {
            hasDisplayTimes = true
            return
        }
        times.append(time)
        if times.count > Self.mostTimes { times.removeFirst() }
    }

    /// The file is read from another place.
    mutating func flush() { times.removeAll() }

    /// The time of a frame that came with the packet of the decoding time `arrival`, or nil at the end, from a decoder that holds
    /// back `delay` frames; nil where the frame itself tells.
    func time(arrival: Int64?, delay: Int) -> Int64? {
        guard isOfItsCodec, !hasDisplayTimes, delay == 1, let last = times.last else { return nil }
        guard let arrival else { return last }
        guard let place = times.lastIndex(of: arrival), place > 0 else { return nil }
        return times[place - 1]
    }
}
