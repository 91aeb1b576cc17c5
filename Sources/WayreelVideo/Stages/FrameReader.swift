internal import WayreelAV
internal import WayreelCore

/// Reads the decoded frames of a video stream in display order. Every frame has a PTS in the stream's time base.
///
/// Must be used by one thread at a time.
final class FrameReader {
    let file: Demuxer
    let stream: MediaStream
    let decoder: VideoDecoder
    private let task: TaskContext
    /// Whether packets are skipped up to the next keyframe.
    private var awaitsKeyFrame = false
    private var lastTime: Int64?
    /// The interval between the PTS of the last two frames; for the first frame, its duration.
    private var lastInterval: Int64 = 0
    private(set) var decodedCount = 0

    /// Opens the decoder of a stream with `threads` threads. For `usesWayreelJPEG`, see ``VideoDecoder``.
    ///
    /// Throws an `io` error if the file has no such stream, and what ``VideoDecoder`` throws.
    init(
        _ file: Demuxer, stream index: Int, threads: Int, limits: VideoLimits, usesWayreelJPEG: Bool = false,
        task: TaskContext
    ) throws(MediaError) {
        guard let stream = file.info.stream(index) else {
            throw MediaError(.io, step: .read, subject: file.name, reason: "has changed meanwhile")
        }
        (self.file, self.stream, self.task) = (file, stream, task)
        file.select([index])
        // The decoder's threads inherit the name of the thread that starts them.
        decoder = try ThreadName.inherited("decode") { () throws(MediaError) in
            try VideoDecoder(
                file, stream: index, threads: threads, limits: limits, usesWayreelJPEG: usesWayreelJPEG)
        }
    }

    /// The PTS of a frame on the file's timeline, in seconds.
    func seconds(_ time: Int64) -> Double { Double(time) * file.timeBase(of: stream.index).value - file.origin }

    /// Returns the duration of a frame in seconds, 0 or less if it is unknown.
    func duration(of frame: Frame) -> Double { Double(frame.duration) * file.timeBase(of: stream.index).value }

    /// Returns the duration of a frame in seconds, from the frame or the frame rate; 0 if neither is known.
    func length(of frame: Frame) -> Double {
        let own = duration(of: frame)
        return own > 0 ? own : stream.videoProperties?.frameRate.map { 1 / $0.value } ?? 0
    }

    /// Returns the next frame, or nil at the end.
    func next() throws(MediaError) -> Frame? { try decode(packet) }

    private func packet() throws(MediaError) -> Packet? {
        while true {
            let packet = try task.span("read", file.next)
            try task.check()
            if awaitsKeyFrame, packet?.isKeyFrame == false { continue }
            awaitsKeyFrame = false
            return packet
        }
    }

    private func decode(_ packets: () throws(MediaError) -> Packet?) throws(MediaError) -> Frame? {
        let decoded = try task.span("decode") { () throws(MediaError) in try decoder.next(from: packets) }
        guard let frame = decoded else { return nil }
        decodedCount += 1
        // AVI leaves the last frames in display order without timestamps.
        let time = frame.time ?? lastTime.map { $0 &+ max(1, lastInterval) } ?? 0
        lastInterval = lastTime.map { time &- $0 } ?? frame.duration
        (frame.time, lastTime) = (time, time)
        return frame
    }

    /// Seeks to the last keyframe at or before `seconds` on the file's timeline. Returns false if the file cannot be
    /// read from there.
    ///
    /// `awaitsKeyFrame`: skips the packets before that keyframe, because some containers seek to an earlier packet.
    func seek(before seconds: Double, awaitsKeyFrame: Bool) -> Bool {
        guard file.seek(stream: stream.index, before: seconds) else { return false }
        restart()
        self.awaitsKeyFrame = awaitsKeyFrame
        return true
    }

    /// Discards the state of the decoder.
    private func restart() {
        decoder.flush()
        (awaitsKeyFrame, lastTime) = (false, nil)
    }

    /// Returns the first frame of the next keyframe alone, without the following packets, and the PTS of its packet,
    /// or nil if there is no keyframe within a thousand packets.
    func nextKeyFrame(unless isKnown: (KeyFrameTime) -> Bool) throws(MediaError) -> (frame: Frame, time: KeyFrameTime)?
    {
        for _ in 0..<Self.packetsToKeyFrame {
            try task.check()
            guard let packet = try file.next() else { return nil }
            guard packet.isKeyFrame else { continue }
            let time = KeyFrameTime(packetTime: packet.presentationTime ?? packet.decodingTime)
            guard !isKnown(time) else { return nil }
            // Without the end, decoders delay the frame, because others may have to be shown before it.
            var only: Packet? = packet
            let frame = try decode {
                defer { only = nil }
                return only
            }
            restart()
            return frame.map { ($0, time) }
        }
        return nil
    }

    private static let packetsToKeyFrame = 1000

    /// Identifies a keyframe by the PTS of its packet, in the stream's time base.
    struct KeyFrameTime: Equatable {
        var packetTime: Int64?
    }
}
