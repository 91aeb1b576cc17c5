internal import CFFmpeg

/// A packet of one audio track, with the container's declarations about its samples.
///
/// FFmpeg's packet carries ``number`` in place of its timestamps, so that a decoded frame identifies its packet.
struct AudioPacket: Sendable {
    let packet: Packet
    /// The index among the track's packets, from 0.
    let number: Int
    /// The PTS of its first sample, in units of the track's time base; nil if unknown.
    var time: Int64?
    /// Samples at the beginning that are not presented. If the packet is shorter, they continue in the next packets.
    var skip: Int
    /// Samples at the end that are encoder padding.
    let padding: Int

    /// Whether another stream begins with it, whose clock starts again: a link of chained Ogg.
    var startsLink = false

    /// Takes ownership of `packet` and replaces its timestamps. The packet is not changed afterwards, so that several
    /// threads may read it.
    init(_ packet: Packet, number: Int) {
        self.packet = packet
        self.number = number
        time = packet.presentationTime
        packet.presentationTime = Int64(number)
        packet.decodingTime = Int64(number)
        var size = 0
        let data = av_packet_get_side_data(packet.pointer, AV_PKT_DATA_SKIP_SAMPLES, &size)
        (skip, padding) = data.map { size >= 10 ? Self.trimming($0) : (0, 0) } ?? (0, 0)
    }

    /// The duration in units of the track's time base; 0 if unknown.
    var duration: Int64 { packet.duration }
    /// Whether the packet is decoded only to prime the decoder and not presented.
    var isDiscarded: Bool { packet.isDiscarded }
    var bytes: UnsafeRawBufferPointer { packet.bytes }

    /// Whether the packet is a FLAC frame whose header holds the frame number instead of the number of its first sample
    /// (RFC 9639, section 9.1: blocking strategy 0).
    var isNumberedFLACFrame: Bool { bytes.count > 1 && bytes[0] == 0xFF && bytes[1] == 0xF8 }

    /// Whether coding parameters change at this packet.
    var changesParameters: Bool {
        [AV_PKT_DATA_NEW_EXTRADATA, AV_PKT_DATA_PARAM_CHANGE].contains { packet.hasSideData($0) }
    }

    /// Parses FFmpeg's side data: two little-endian numbers of 32 bits.
    static func trimming(_ data: UnsafePointer<UInt8>) -> (skip: Int, padding: Int) {
        let number = { (offset: Int) in (0..<4).reduce(0) { $0 | UInt32(data[offset + $1]) << (8 * UInt32($1)) } }
        return (Int(max(0, Int32(bitPattern: number(0)))), Int(max(0, Int32(bitPattern: number(4)))))
    }
}
