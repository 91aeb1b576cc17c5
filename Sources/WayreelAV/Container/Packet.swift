internal import CFFmpeg
package import WayreelCore

/// A piece of an encoded stream: FFmpeg's AVPacket, owned. Changed by one thread at a time.
package final class Packet: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>

    package init() throws(MediaError) {
        guard let packet = av_packet_alloc() else {
            throw MediaError(.limit, step: "read", reason: "no memory for a packet")
        }
        pointer = packet
    }

    /// A copy of encoded bytes.
    package convenience init(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        try self.init()
        guard let count = Int32(exactly: bytes.count), av_new_packet(pointer, count) == 0 else {
            throw MediaError(.limit, step: "read", reason: "no memory for a packet of \(bytes.count) bytes")
        }
        if let source = bytes.baseAddress {
            UnsafeMutableRawPointer(pointer.pointee.data).copyMemory(from: source, byteCount: bytes.count)
        }
    }

    /// The same data, shared.
    package func copy() throws(MediaError) -> Packet {
        let copy = try Packet()
        guard av_packet_ref(copy.pointer, pointer) == 0 else {
            throw MediaError(.limit, step: "read", reason: "no memory for a packet")
        }
        return copy
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    /// The place of its stream in its file, from 0.
    package var stream: Int {
        get { Int(pointer.pointee.stream_index) }
        set { pointer.pointee.stream_index = Int32(clamping: newValue) }
    }
    /// When it is to be shown, in units of its stream's time base; nil where that is not known.
    package var presentationTime: Int64? {
        get { pointer.pointee.pts == ffmpeg_no_pts ? nil : pointer.pointee.pts }
        set { pointer.pointee.pts = newValue ?? ffmpeg_no_pts }
    }
    /// When it is to be decoded.
    package var decodingTime: Int64? {
        get { pointer.pointee.dts == ffmpeg_no_pts ? nil : pointer.pointee.dts }
        set { pointer.pointee.dts = newValue ?? ffmpeg_no_pts }
    }
    /// 0: not known.
    package var duration: Int64 {
        get { pointer.pointee.duration }
        set { pointer.pointee.duration = newValue }
    }
    package var isKeyFrame: Bool {
        get { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
        set {
            if newValue { pointer.pointee.flags |= AV_PKT_FLAG_KEY } else { pointer.pointee.flags &= ~AV_PKT_FLAG_KEY }
        }
    }
    /// Whether it is only decoded for what follows, and not shown.
    package var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// Whether the file breaks off in it, or the container marks it as damaged.
    package var isDamaged: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Valid as long as the packet is.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.data, count: Int(max(0, pointer.pointee.size)))
    }

    /// Changes the unit of its times.
    package func rescale(from: Rational, to: Rational) {
        av_packet_rescale_ts(pointer, AVRational(from), AVRational(to))
    }

    /// Has it shown, and decoded, so many units of its times later.
    package func delay(by units: Int64) {
        presentationTime = presentationTime.map { $0 &+ units }
        decodingTime = decodingTime.map { $0 &+ units }
    }
}

extension AVRational {
    /// A fraction whose terms FFmpeg could not hold is brought near.
    init(_ value: Rational) {
        self.init()
        if let n = Int32(exactly: value.numerator), let d = Int32(exactly: value.denominator) {
            (num, den) = (n, d)
        } else {
            av_reduce(&num, &den, Int64(value.numerator), Int64(value.denominator), Int64(Int32.max))
        }
    }
}

extension Rational {
    /// nil for what is not above zero.
    init?(_ value: AVRational) { self.init(Int(value.num), Int(value.den)) }
}
