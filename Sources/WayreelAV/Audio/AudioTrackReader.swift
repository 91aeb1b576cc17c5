internal import CFFmpeg
internal import WayreelCore

/// Takes the packets of one sound out of a container: FFmpeg's AVFormatContext, owned.
final class AudioTrackReader {
    /// FFmpeg's short name of the container.
    let container: String
    /// The place of the stream that is read among the file's audio streams, from 1.
    let track: Int
    let parameters: CodecParameters
    /// Whether the container's first instant is the first of the sound's timeline.
    let timeBegins: TimelineOrigin
    /// Seconds in a unit of packets' timestamps.
    let timeBase: Timestamp
    private let secondsPerUnit: Double
    /// Length of the track in seconds, where the container tells it without guessing.
    let seconds: Double?

    private let io: InputIOContext
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let stream: UnsafeMutablePointer<AVStream>
    private var count = 0
    private var isAtEnd = false
    /// Attempts to read a packet that have failed since one that has not.
    private var failures = 0
    private static let patience = 1024
    /// Packets that were read ahead.
    private var ahead: [AudioPacket] = []
    /// Where the packet before should end, in units of the time base.
    private var expectedTime: Int64?

    /// Seconds beyond which a gap is a jump of the container's clock; nil where its times mean what they say.
    var maxTimestampGap: Double? { ContainerOpening.maxTimestampGap(in: container) }
    /// Whether the durations of packets tell what is no part of the sound at its end.
    let tellsEnd: Bool
    /// Whether the time of the first packet, which gives no samples, is that of the first sample.
    let beginsWithPrimer: Bool
    /// Whether frames that tell their number, and not the number of their first sample, tell no time: an early encoder of FLAC
    /// wrote such numbers also where frames differ in length.
    private let framesTellNoTime: Bool
    /// Bytes of something else in front of the sound.
    let skippedBytes: Int

    /// Reads the beginning of `file`.
    ///
    /// Throws a `decoding` error where it is no media or damaged, an `unsupported` one where there is no sound in it, a
    /// `parameter` one where there is no such track.
    init(_ file: InputFile, track: Int?) throws(MediaError) {
        try FFmpeg.load(.formats, step: "read")
        io = try InputIOContext(file)
        FFmpeg.forgetLog()
        let (opened, skipped) = try Self.find(io, file)
        skippedBytes = skipped
        var isOwned = true
        defer { if isOwned { ContainerOpening.close(opened) } }
        container = String(cString: opened.pointee.iformat.pointee.name)
        let status = avformat_find_stream_info(opened, nil)
        try io.check()
        guard status >= 0 else {
            throw ContainerOpening.unknown(file, FFmpeg.firstLogged ?? FFmpeg.meaning(of: status))
        }
        let streams = (0..<Int(opened.pointee.nb_streams)).map { opened.pointee.streams[$0]! }
        let sounds = streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
        guard !sounds.isEmpty else { throw Self.noSound(file.name, container, streams) }
        let place = try Self.choose(track, of: sounds, in: file.name)
        stream = sounds[place]
        try EncryptedStream.refuse(EncryptedStream.schemes(in: file, opened)[Int(stream.pointee.index)], step: "read")
        self.track = place + 1
        for other in streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        parameters = try CodecParameters(copying: stream.pointee.codecpar)
        timeBase = Timestamp(stream.pointee.time_base)
        secondsPerUnit = timeBase.value
        framesTellNoTime = container == "flac" && parameters.flacBlockSizes.map { $0.least != $0.most } ?? false
        let timed = streams.filter(\.isTimed)
        let names = container.split(separator: ",")
        tellsEnd = names.contains("mov")
        beginsWithPrimer = names.contains("matroska") && parameters.codec == AV_CODEC_ID_VORBIS
        let start = timed.compactMap(\.startTime).min()
        let late = ContainerOpening.lateStart(container, timed)
        timeBegins =
            if let late {
                .at(late)
            } else if tellsEnd || names.contains("matroska") {
                .at(.zero)
            } else if timed.count > 1, let start {
                // Pictures stand where the times of the sound have them.
                .at(start)
            } else if let delay = parameters.untoldDelay {
                .at((start ?? .zero) + delay)
            } else {
                .firstSample
            }
        // FFmpeg gives the end of the last fragment for the length.
        seconds = Self.length(of: opened, stream, isAlone: timed.count == 1).map { $0 - (late?.value ?? 0) }
        context = opened
        isOwned = false
    }

    deinit { ContainerOpening.close(context) }

    /// Opens `file` as what it is, or as MPEG audio that begins later in it.
    private static func find(
        _ io: InputIOContext, _ file: InputFile
    ) throws(MediaError) -> (context: UnsafeMutablePointer<AVFormatContext>, skippedBytes: Int) {
        var opened: UnsafeMutablePointer<AVFormatContext>?
        var failure: MediaError?
        do throws(MediaError) {
            let context = try ContainerOpening.open(io, file)
            let container = String(cString: context.pointee.iformat.pointee.name)
            if unmarked.contains(container) {
                ContainerOpening.close(context)
                failure = ContainerOpening.unknown(file, "its beginning is like \(container)")
            } else {
                opened = context
                if container != "mp3" { return (context, 0) }
            }
        } catch {
            failure = error
        }
        let offset: Int?
        do throws(MediaError) {
            let mayBeginLater = if opened == nil { failure?.kind == .decoding } else { try !MPEGAudioSync.begins(file) }
            offset = mayBeginLater ? try MPEGAudioSync.find(in: file) : nil
        } catch {
            if let opened { ContainerOpening.close(opened) }
            throw error
        }
        guard let offset, offset > 0 else {
            if let opened { return (opened, 0) }
            throw failure ?? ContainerOpening.unknown(file, "nothing in it is like MPEG audio")
        }
        if let opened { ContainerOpening.close(opened) }
        file.drop(first: offset)
        avio_flush(io.context)
        guard avio_seek(io.context, 0, 0) >= 0 else { throw ContainerOpening.unknown(file, "it cannot be read again") }
        return (try ContainerOpening.open(io, file, as: "mp3"), offset)
    }

    /// Containers without any mark, which FFmpeg takes anything for.
    private static let unmarked: Set<String> = ["amrnb", "amrwb"]

    private static func noSound(
        _ name: String, _ container: String, _ streams: [UnsafeMutablePointer<AVStream>]
    ) -> MediaError {
        let kinds = streams.map { stream in
            let parameters = stream.pointee.codecpar.pointee
            let kind = av_get_media_type_string(parameters.codec_type).map { String(cString: $0) } ?? "unknown"
            return "\(kind) \(String(cString: avcodec_get_name(parameters.codec_id)))"
        }
        return MediaError(
            .unsupported, step: "read", subject: name,
            reason: kinds.isEmpty
                ? "has no streams (\(container))"
                : "has no sound; its streams are: \(kinds.prefix(8).joined(separator: ", "))")
    }

    private static func choose(
        _ track: Int?, of sounds: [UnsafeMutablePointer<AVStream>], in name: String
    ) throws(MediaError) -> Int {
        guard let track else {
            return sounds.firstIndex { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 } ?? 0
        }
        guard sounds.indices.contains(track &- 1) else {
            throw MediaError(
                .parameter, step: "read", subject: name,
                reason: "has no sound track \(track); it has \(sounds.count)",
                advice: sounds.count == 1 ? "leave --track out" : "use --track 1 to \(sounds.count)")
        }
        return track - 1
    }

    private static func length(
        of context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>, isAlone: Bool
    ) -> Double? {
        guard context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM else { return nil }
        let (own, whole) = (stream.pointee.duration, context.pointee.duration)
        if own > 0 { return Double(own) * Timestamp(stream.pointee.time_base).value }
        // What the whole file says may be the length of another stream.
        return isAlone && whole > 0 ? Double(whole) / Double(AV_TIME_BASE) : nil
    }

    /// The next packet of the track; nil at the end.
    func next() throws(MediaError) -> AudioPacket? {
        guard let packet = ahead.isEmpty ? try read() : ahead.removeFirst() else { return nil }
        try judgeFirstTime(of: packet)
        try judgeTime(of: packet)
        return packet
    }

    /// Puts back packets that came from ``next()`` last, in their order.
    func putBack(_ packets: [AudioPacket]) {
        ahead = packets + ahead
        expectedTime = nil
    }

    private func read() throws(MediaError) -> AudioPacket? {
        while !isAtEnd {
            let packet = try AudioPacket()
            let status = av_read_frame(context, packet.pointer)
            try io.check()
            if status == ffmpeg_no_memory {
                throw MediaError(.limit, step: "read", reason: "no memory for a packet")
            }
            if status < 0 {
                // Behind a damaged place there may be more; MP4 tells of one whose place is wrong as of the end.
                failures += 1
                isAtEnd = status == ffmpeg_end && !tellsEnd || failures > Self.patience
                continue
            }
            failures = 0
            // An empty packet would tell a decoder that the end has come.
            guard packet.pointer.pointee.stream_index == stream.pointee.index, packet.pointer.pointee.size > 0 else {
                continue
            }
            packet.number = count
            if framesTellNoTime, packet.isFLACFrameWithItsNumber { packet.time = nil }
            count += 1
            return packet
        }
        return nil
    }

    /// Puts the time that the next packets lead to in the place of that of the first one, where that is later than theirs: nothing
    /// would be heard until then, and all that follows as much too late.
    private func judgeFirstTime(of packet: AudioPacket) throws(MediaError) {
        guard count == 1, ahead.isEmpty, maxTimestampGap == nil, let time = packet.time else { return }
        while ahead.count < 2, let following = try read() { ahead.append(following) }
        let times = ahead.compactMap(\.time)
        guard times.count == 2 else { return }
        let (step, isOver) = times[1].subtractingReportingOverflow(times[0])
        let (repaired, isOut) = times[0].subtractingReportingOverflow(packet.duration > 0 ? packet.duration : step)
        guard !isOver, !isOut, step > 0, ahead[0].duration == 0 || isNear(times[1], times[0] &+ ahead[0].duration),
            time > repaired, !isNear(time, repaired), !isBeforeBeginning(repaired)
        else { return }
        packet.time = repaired
    }

    /// Whether a time is before the beginning of the sound's timeline.
    private func isBeforeBeginning(_ time: Int64) -> Bool {
        guard case .at(let beginning) = timeBegins else { return false }
        return Double(time) * secondsPerUnit < beginning.value - AudioTimeline.tolerance
    }

    /// Puts the expected time in the place of that of a packet that neither goes on from the packet before nor is gone on
    /// from by the next one.
    private func judgeTime(of packet: AudioPacket) throws(MediaError) {
        guard let time = packet.time else {
            expectedTime = expectedTime.map { $0 &+ packet.duration }
            return
        }
        defer { expectedTime = packet.duration > 0 ? (packet.time ?? time).addingSafely(packet.duration) : nil }
        guard let expectedTime, !isNear(time, expectedTime) else { return }
        if ahead.isEmpty, let following = try read() { ahead.append(following) }
        guard let following = ahead.first, let nextTime = following.time else {
            if packet.duration > 0 { packet.time = expectedTime }
            return
        }
        if isNear(nextTime, expectedTime.addingSafely(packet.duration)) { packet.time = expectedTime }
    }

    private func isNear(_ a: Int64, _ b: Int64) -> Bool {
        abs(Double(a) - Double(b)) * secondsPerUnit <= AudioTimeline.tolerance
    }
}

extension Int64 {
    fileprivate func addingSafely(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? self : sum
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// Whether it is sound or moving pictures, as opposed to a cover.
    var isTimed: Bool {
        let type = pointee.codecpar.pointee.codec_type
        return (type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_VIDEO)
            && pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }

    /// In seconds.
    var startTime: Timestamp? {
        pointee.start_time == ffmpeg_no_pts
            ? nil : Timestamp(pointee.start_time, times: Timestamp(pointee.time_base))
    }
}
