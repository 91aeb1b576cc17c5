internal import CFFmpeg
internal import WayreelCore

/// Reads the packets of one audio track from a demuxer, and repairs their timestamps.
final class AudioTrackReader {
    /// FFmpeg's short name of the container.
    var container: String { demuxer.info.container }
    /// The number of the track among the file's audio tracks, from 1.
    let track: Int
    /// The numbers of the tracks that hold the channels of the same recording; only its own for most files.
    let recording: [Int]
    /// The loudspeaker of its only channel, if the container declares one.
    let soleChannel: AudioChannel?
    let parameters: CodecParameters
    /// The timestamp of 0 on the timeline.
    let origin: TimelineOrigin
    /// Seconds in a unit of packets' timestamps.
    let timeBase: Rational
    /// The length of the track in seconds, if the container declares it.
    let seconds: Double?
    /// The samples that are declared as encoder delay and padding beside the packets.
    let gapless: GaplessInfo?
    /// Whether the delay that FFmpeg asks to skip is not applied, because an edit list declares another one.
    let ignoresDelay: Bool
    /// The number of samples of PCM that the header declares; nil for other codecs, and if it is unknown.
    let declaredSampleCount: Int?
    /// Non-audio bytes before the audio.
    let skippedBytes: Int
    /// Whether a short duration of the last packet trims its samples.
    var trimsLastPacket: Bool { demuxer.traits.isISOMedia }
    /// Whether the first packet, which decodes to nothing, has the timestamp of the first sample.
    let startsWithPrimer: Bool
    var maxTimestampGap: Double? { demuxer.maxTimestampGap }

    private let demuxer: Demuxer
    private var links: OggLinks?
    /// Whether the timestamps of numbered FLAC frames are ignored: an early encoder also wrote frame numbers with
    /// varying block sizes.
    private let ignoresFrameNumbers: Bool
    /// Packets read so far.
    private var count = 0
    private var isAtEnd = false
    /// Packets that were read ahead.
    private var ahead: [AudioPacket] = []
    /// The end of the preceding packet, in units of the time base.
    private var expectedTime: Int64?

    /// Opens track number `track`, from 1, or else the default track.
    ///
    /// Throws a `decoding` error if the file is damaged or not a media file, an `unsupported` error if it has no audio,
    /// a `parameter` error if there is no such track.
    init(_ file: InputFile, track: Int?) throws(MediaError) {
        try SharedLibrary.libavformat.require(step: .read)
        let io = try InputIOContext(file)
        FFmpeg.forgetLog()
        let (context, skippedBytes) = try FormatContext.openSkippingLeadingBytes(io, file)
        demuxer = try Demuxer(context)
        demuxer.readsPastEnd = demuxer.traits.isISOMedia
        self.skippedBytes = skippedBytes
        let index = try Self.choose(track, of: demuxer)
        let stream = demuxer.info.streams[index]
        try stream.checkIsDecodable(step: .read)
        let tracks = demuxer.info.streams.filter { $0.kind == .audio }
        let number = { (stream: MediaStream) in (tracks.firstIndex { $0.index == stream.index } ?? 0) + 1 }
        self.track = number(stream)
        recording = demuxer.info.recording(of: stream).map(number)
        soleChannel = stream.soleChannel
        gapless = demuxer.gapless(of: index)
        ignoresDelay = demuxer.ignoresDelay(of: index)
        demuxer.select([index])
        parameters = try CodecParameters(copying: demuxer.parameters(of: index))
        timeBase = demuxer.timeBase(of: index)
        seconds = demuxer.length(of: index)
        declaredSampleCount = try demuxer.declaredSampleCount(of: index)
        ignoresFrameNumbers =
            demuxer.info.container == "flac" && parameters.flacBlockSizes.map { $0.min != $0.max } ?? false
        links = demuxer.info.container == "ogg" ? OggLinks(parameters) : nil
        // Later links may have larger blocks than the header of the first allows.
        if links != nil { parameters.allowAnyFLACBlock() }
        startsWithPrimer = demuxer.traits.hasVorbisPrimer && parameters.codec == AV_CODEC_ID_VORBIS
        origin = Self.origin(demuxer, parameters)
    }

    private static func origin(_ demuxer: Demuxer, _ parameters: CodecParameters) -> TimelineOrigin {
        let starts = demuxer.timedStreams.map(\.startTime)
        // Audio defines the times at which video is presented.
        let hasPeers = starts.count > 1 && starts.contains { $0 != nil }
        if demuxer.traits.startsAtZero || hasPeers { return .at(demuxer.startTimestamp) }
        return parameters.implicitDelay.map { .at(demuxer.startTimestamp + $0) } ?? .firstSample
    }

    /// Returns the index of the stream to read.
    private static func choose(_ track: Int?, of demuxer: Demuxer) throws(MediaError) -> Int {
        guard let preferred = demuxer.info.audio else { throw noAudio(demuxer) }
        guard let track else { return demuxer.info.recording(of: preferred)[0].index }
        let tracks = demuxer.info.streams.filter { $0.kind == .audio }
        guard tracks.indices.contains(track &- 1) else {
            throw MediaError(
                .parameter, step: .read, subject: demuxer.name,
                reason: "has no audio track \(track); it has \(tracks.count)",
                advice: tracks.count == 1 ? "leave \(.track) out" : "use \(.track) 1 to \(tracks.count)")
        }
        return tracks[track - 1].index
    }

    private static func noAudio(_ demuxer: Demuxer) -> MediaError {
        let kinds = demuxer.info.streams.indices.map { index in
            let parameters = demuxer.parameters(of: index).pointee
            let kind = av_get_media_type_string(parameters.codec_type).map { String(cString: $0) } ?? "unknown"
            return "\(kind) \(String(cString: avcodec_get_name(parameters.codec_id)))"
        }
        return MediaError(
            .unsupported, code: .noAudio, step: .read, subject: demuxer.name,
            reason: kinds.isEmpty
                ? "has no streams (\(demuxer.info.container))"
                : "has no audio; its streams are: \(kinds.prefix(8).joined(separator: ", "))")
    }

    /// Returns the next packet of the track; nil at the end.
    func next() throws(MediaError) -> AudioPacket? {
        guard var packet = ahead.isEmpty ? try read() : ahead.removeFirst() else { return nil }
        try repairFirstTime(of: &packet)
        try repairTime(of: &packet)
        return packet
    }

    /// Puts back the last packets from ``next()``, which are then read again.
    func putBack(_ packets: [AudioPacket]) {
        ahead = packets + ahead
        expectedTime = nil
    }

    private func read() throws(MediaError) -> AudioPacket? {
        while !isAtEnd, let next = try demuxer.next() {
            let part = links?.part(next) ?? .audio
            if part == .header { continue }
            var packet = AudioPacket(next, number: count)
            if demuxer.traits.lacksTimestamps || ignoresFrameNumbers && packet.isNumberedFLACFrame
                || part == .configuration
            {
                packet.time = nil
            }
            if part == .audio { links?.place(&packet) }
            count += 1
            return packet
        }
        isAtEnd = true
        return nil
    }

    // MARK: Repair of timestamps

    /// Replaces the time of the first packet if it is later than the next packets imply. Otherwise audio would start at
    /// that time, and all following audio would be late.
    private func repairFirstTime(of packet: inout AudioPacket) throws(MediaError) {
        guard count == 1, ahead.isEmpty, maxTimestampGap == nil, let time = packet.time else { return }
        while ahead.count < 2, let following = try read() { ahead.append(following) }
        let times = ahead.compactMap(\.time)
        guard times.count == 2 else { return }
        let (step, isOver) = times[1].subtractingReportingOverflow(times[0])
        let (repaired, isOut) = times[0].subtractingReportingOverflow(packet.duration > 0 ? packet.duration : step)
        guard !isOver, !isOut, step > 0, ahead[0].duration == 0 || isNear(times[1], times[0] &+ ahead[0].duration),
            time > repaired, !isNear(time, repaired), !isBeforeOrigin(repaired)
        else { return }
        packet.time = repaired
    }

    private func isBeforeOrigin(_ time: Int64) -> Bool {
        guard case .at(let start) = origin else { return false }
        return Double(time) * timeBase.value < start.seconds - AudioTimeline.tolerance
    }

    /// Replaces the time of a packet by the expected time if it fits neither the preceding nor the next packet.
    private func repairTime(of packet: inout AudioPacket) throws(MediaError) {
        guard let time = packet.time else {
            expectedTime = expectedTime.map { $0.addingSafely(packet.duration) }
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
        abs(Double(a) - Double(b)) * timeBase.value <= AudioTimeline.tolerance
    }
}

extension Int64 {
    fileprivate func addingSafely(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? self : sum
    }
}

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
