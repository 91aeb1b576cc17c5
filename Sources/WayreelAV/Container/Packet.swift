internal import CFFmpeg
package import WayreelCore

/// A packet of an encoded stream: FFmpeg's AVPacket, owned. Modified by one thread at a time.
///
/// Its sendability is unchecked: queues pass it from thread to thread, and FFmpeg counts the references to its bytes.
package final class Packet: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>

    package init() throws(MediaError) {
        guard let packet = av_packet_alloc() else {
            throw MediaError(.limit, step: .read, reason: "no memory for a packet")
        }
        pointer = packet
    }

    /// Copies encoded bytes, followed by the padding that decoders read.
    package convenience init(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        try self.init()
        guard let count = Int32(exactly: bytes.count), av_new_packet(pointer, count) == 0 else {
            throw MediaError(.limit, step: .read, reason: "no memory for a packet of \(bytes.count) bytes")
        }
        if let source = bytes.baseAddress {
            UnsafeMutableRawPointer(pointer.pointee.data).copyMemory(from: source, byteCount: bytes.count)
        }
    }

    /// Returns another packet that shares the data.
    package func copy() throws(MediaError) -> Packet {
        let copy = try Packet()
        guard av_packet_ref(copy.pointer, pointer) == 0 else {
            throw MediaError(.limit, step: .read, reason: "no memory for a packet")
        }
        return copy
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    /// The index of its stream, from 0.
    package var stream: Int {
        get { Int(pointer.pointee.stream_index) }
        set { pointer.pointee.stream_index = Int32(clamping: newValue) }
    }
    /// PTS in units of the stream's time base; nil if unknown.
    package var presentationTime: Int64? {
        get { pointer.pointee.pts == ffmpeg_no_pts ? nil : pointer.pointee.pts }
        set { pointer.pointee.pts = newValue ?? ffmpeg_no_pts }
    }
    /// DTS in units of the stream's time base; nil if unknown.
    package var decodingTime: Int64? {
        get { pointer.pointee.dts == ffmpeg_no_pts ? nil : pointer.pointee.dts }
        set { pointer.pointee.dts = newValue ?? ffmpeg_no_pts }
    }
    /// Duration in units of the stream's time base, not negative; 0 if unknown.
    package var duration: Int64 {
        get { max(0, pointer.pointee.duration) }
        set { pointer.pointee.duration = newValue }
    }
    package var isKeyFrame: Bool {
        get { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
        set {
            if newValue { pointer.pointee.flags |= AV_PKT_FLAG_KEY } else { pointer.pointee.flags &= ~AV_PKT_FLAG_KEY }
        }
    }
    /// Whether the packet is decoded only as a reference for others and not presented.
    package var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// Whether the file ends inside the packet, or the container marks it as damaged.
    package var isDamaged: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// The data, valid as long as the packet.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.data, count: Int(max(0, pointer.pointee.size)))
    }
    /// The byte offset in the file; nil if the demuxer does not report it.
    var fileOffset: Int? { pointer.pointee.pos < 0 ? nil : Int(pointer.pointee.pos) }

    func scaleTimes(by ratio: Double) {
        let scaled = { (time: Int64) in Int64(exactly: (Double(time) * ratio).rounded()) ?? time }
        presentationTime = presentationTime.map(scaled)
        decodingTime = decodingTime.map(scaled)
        duration = scaled(duration)
    }

    func hasSideData(_ type: AVPacketSideDataType) -> Bool { av_packet_get_side_data(pointer, type, nil) != nil }

    /// Converts the timestamps to another time base.
    package func rescale(from: Rational, to: Rational) {
        av_packet_rescale_ts(pointer, AVRational(from), AVRational(to))
    }

    /// Adds `units` of the time base to the timestamps.
    package func delay(by units: Int64) {
        presentationTime = presentationTime.map { $0 &+ units }
        decodingTime = decodingTime.map { $0 &+ units }
    }
}

extension Demuxer {
    /// Returns whether the container has an index of all packets of a stream.
    package func hasIndex(of index: Int) -> Bool {
        // Fragmented files declare no frames, and FFmpeg's index contains only the packets read so far.
        traits.isISOMedia && stream(index).pointee.nb_frames > 0
            && avformat_index_get_entries_count(stream(index)) > 0
    }

    /// Returns all packets of a stream in decoding order; nil if the container has no index of them.
    func packetIndex(of index: Int) -> [PacketLog.Entry]? {
        guard hasIndex(of: index) else { return nil }
        return (0..<avformat_index_get_entries_count(stream(index))).compactMap { number in
            avformat_index_get_entry(stream(index), number).map { entry in
                PacketLog.Entry(
                    time: entry.pointee.timestamp, decodingTime: entry.pointee.timestamp,
                    byteCount: Int(entry.pointee.size),
                    isKeyFrame: entry.pointee.flags & AVINDEX_KEYFRAME != 0,
                    isDiscarded: entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0)
            }
        }
    }

    /// Returns whether an MP4 or QuickTime file ends with its last box, so that nothing was cut off.
    func endsWithBox() throws(MediaError) -> Bool {
        do throws(MediaError) { return try ISOBoxReader(file).isWhole() } catch { throw error.naming(name) }
    }
}
