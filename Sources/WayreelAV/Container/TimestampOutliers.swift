internal import WayreelCore

/// Repairs the timestamps of a video packet that fit neither the preceding nor the next packet of its stream, which fit
/// each other.
struct TimestampOutliers {
    /// The greatest distance of packets that fit each other, in seconds.
    private static let maxDistance = 1.0
    /// Max number of packets that are read ahead for the next one of a stream.
    private static let maxAhead = 256

    /// Packets that were read ahead.
    private var ahead: [Packet] = []
    /// The DTS of the last packet of each stream.
    private var last: [Int: Int64] = [:]

    /// Returns the next packet from `read`; nil at the end. `unit` returns the seconds in a unit of timestamps, or nil
    /// for a stream that is not repaired.
    mutating func next(
        from read: () throws(MediaError) -> Packet?, unit: (Int) -> Double?
    ) throws(MediaError) -> Packet? {
        guard let packet = try ahead.isEmpty ? read() : ahead.removeFirst() else { return nil }
        guard let unit = unit(packet.stream), let time = packet.decodingTime else { return packet }
        defer { last[packet.stream] = packet.decodingTime }
        let isFar = { (a: Int64, b: Int64) in abs(Double(a) - Double(b)) * unit > Self.maxDistance }
        guard let previous = last[packet.stream], isFar(time, previous) else { return packet }
        guard let following = try peek(packet.stream, from: read)?.decodingTime, following > previous,
            !isFar(following, previous), isFar(time, following)
        else { return packet }
        let expected = previous + (following - previous) / 2
        packet.decodingTime = expected
        packet.presentationTime = packet.presentationTime.map { $0 &- time &+ expected }
        return packet
    }

    /// Returns the next packet of a stream, which ``next(from:unit:)`` still returns.
    private mutating func peek(
        _ stream: Int, from read: () throws(MediaError) -> Packet?
    ) throws(MediaError) -> Packet? {
        if let known = ahead.first(where: { $0.stream == stream }) { return known }
        while ahead.count < Self.maxAhead, let packet = try read() {
            ahead.append(packet)
            if packet.stream == stream { return packet }
        }
        return nil
    }
}
