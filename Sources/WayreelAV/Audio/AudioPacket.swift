internal import CFFmpeg
internal import WayreelCore

/// A piece of encoded sound: FFmpeg's AVPacket, owned, and what the container says about it.
///
/// Several threads may read it at once, once it has left the demuxer.
final class AudioPacket: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(MediaError) {
        guard let packet = av_packet_alloc() else {
            throw MediaError(.limit, step: "read", reason: "no memory for a packet")
        }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    /// Its place among the track's packets, from 0. Stands in the place of the timestamp when it is decoded, so that a frame
    /// tells which packet it is of.
    var number = 0 {
        didSet {
            time = pointer.pointee.pts == ffmpeg_no_pts ? nil : pointer.pointee.pts
            pointer.pointee.pts = Int64(number)
            pointer.pointee.dts = Int64(number)
            let trimming = trimming
            skip = trimming.skip
            padding = trimming.padding
        }
    }

    /// When its first sample is to be heard, in units of the track's time base.
    var time: Int64?
    /// Samples at its beginning, and of what follows if it is shorter, that are not to be heard.
    private(set) var skip = 0
    /// Samples at its end that an encoder has added.
    private(set) var padding = 0

    /// In units of the track's time base; 0: not known.
    var duration: Int64 { max(0, pointer.pointee.duration) }
    /// Whether only what follows needs it.
    var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: pointer.pointee.data, count: Int(max(0, pointer.pointee.size)))
    }

    /// Whether it is a frame of FLAC whose header tells the number of the frame (RFC 9639, section 9.1: blocking strategy 0).
    var isFLACFrameWithItsNumber: Bool { bytes.count > 1 && bytes[0] == 0xFF && bytes[1] == 0xF8 }

    /// Whether from here on the sound is coded in another way than the container's header says.
    var changesParameters: Bool {
        [AV_PKT_DATA_NEW_EXTRADATA, AV_PKT_DATA_PARAM_CHANGE].contains {
            av_packet_get_side_data(pointer, $0, nil) != nil
        }
    }

    private var trimming: (skip: Int, padding: Int) {
        var size = 0
        guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 10 else {
            return (0, 0)
        }
        return Self.trimming(data)
    }

    /// Two numbers of 32 bits, little-endian.
    static func trimming(_ data: UnsafePointer<UInt8>) -> (skip: Int, padding: Int) {
        let number = { (offset: Int) in (0..<4).reduce(0) { $0 | UInt32(data[offset + $1]) << (8 * UInt32($1)) } }
        return (Int(max(0, Int32(bitPattern: number(0)))), Int(max(0, Int32(bitPattern: number(4)))))
    }
}
