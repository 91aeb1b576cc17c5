internal import WayreelAV

/// Makes the DTS of a stream increase that several encoders have produced in turn. At a variable frame rate, those of an
/// encoder may begin before the last one of the previous encoder.
struct DecodingTimeFilter {
    private var last: Int64?

    /// Changes the DTS of the next packet in decoding order.
    mutating func apply(to packet: Packet) {
        let time = max(packet.decodingTime ?? 0, last.map { $0 + 1 } ?? .min)
        (packet.decodingTime, last) = (time, time)
    }
}
