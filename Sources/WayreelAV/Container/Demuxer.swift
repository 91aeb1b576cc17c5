internal import CFFmpeg
package import WayreelCore

/// Reads the packets of a media file, of all its streams or of selected ones.
///
/// Belongs to one thread at a time.
package final class Demuxer: @unchecked Sendable {
    package let info: MediaInfo
    package let name: String
    /// The timestamp that is 0 on the file's timeline: 0 in MP4, QuickTime, Matroska and WebM, but the first one in a part of a
    /// fragmented MP4 file; elsewhere the earliest start of audio and video.
    let startTimestamp: Timestamp
    /// The same in seconds.
    package let origin: Double
    /// Where ``startTimestamp`` is that of a part of a fragmented MP4 file, which kept the timestamps of the whole.
    let isLateFragment: Bool
    let traits: ContainerTraits
    /// The largest gap of timestamps, in seconds; nil where they are continuous (``ContainerTraits/maxTimestampGap``).
    package var maxTimestampGap: Double? { traits.maxTimestampGap }
    let file: InputFile
    private let context: FormatContext

    /// The streams that are read; nil for all.
    private var selected: Set<Int>?
    /// Rounding of timestamps to the frame rate, by stream.
    private var grids: [Int: TimestampRepair] = [:]
    private var changes = ParameterChanges()

    /// Failed reads since the last packet.
    private var failures = 0
    private static let maxFailures = 1024
    /// Whether to read on where FFmpeg reports the end: its MP4 demuxer does so for a packet with a wrong offset.
    var readsPastEnd = false
    /// Whether reading ended with an error: the file is shorter than it should be.
    package private(set) var isCutShort = false
    /// Whether nothing was read yet, so that the first packet is next.
    package private(set) var isUnread = true

    /// How the reason of an error starts that is thrown for a file of an unknown format.
    package static let unknown = "is no audio or video that FFmpeg knows"

    /// Reads the header of a file. No other file and no network resource is opened for it.
    ///
    /// Throws an `io` error where it cannot be read, a `decoding` one where it is no media or has no streams, an `unsupported` one
    /// for playlists, a `limit` one beyond `limits`, and the errors of `task`.
    ///
    /// `format`: FFmpeg's name of the only container to try. `isProbed`: whether packets are read ahead for stream parameters that
    /// the header leaves out.
    package convenience init(
        _ input: MediaInput, as format: String? = nil, isProbed: Bool = true, limits: VideoLimits = .standard,
        task: TaskContext
    ) throws(MediaError) {
        do throws(MediaError) {
            try FFmpeg.load(.formats, step: "read")
            let file = try InputFile(input, task: task)
            let io = try InputIOContext(file)
            FFmpeg.forgetLog()
            let context = try FormatContext(
                io, file, as: format, limits: FormatContext.Limits(streams: limits.streams, pixels: limits.pixels))
            try self.init(context, isProbed: isProbed)
            guard !info.streams.isEmpty else { throw FormatContext.unknown(file, "there are no streams in it") }
        } catch { throw error.naming(input.name) }
    }

    init(_ context: FormatContext, isProbed: Bool = true) throws(MediaError) {
        self.context = context
        file = context.file
        name = context.file.name
        if isProbed { try context.findStreamInfo() }
        traits = ContainerTraits(demuxer: context.container)
        let fragmentStart = Self.fragmentStart(context, traits)
        isLateFragment = fragmentStart != nil
        let earliest = context.streams.filter(\.isTimed).compactMap(\.startTime).min()
        startTimestamp = fragmentStart ?? (traits.startsAtZero ? .zero : earliest ?? .zero)
        origin = startTimestamp.seconds
        var info = MediaInfo(context.pointer, context.streams, origin: origin, bytes: file.size)
        if isProbed {
            for (index, scheme) in try EncryptedStream.schemes(in: context) { info.streams[index].encryption = scheme }
        }
        self.info = info
    }

    /// Seconds from which on the first timestamp of a fragmented file is that of a later part. Less may be a codec's delay.
    private static let minFragmentStart = 1.0

    /// The first timestamp of a fragmented MP4 file that is a part of a longer one; nil for any other file.
    private static func fragmentStart(_ context: FormatContext, _ traits: ContainerTraits) -> Timestamp? {
        let timed = context.streams.filter(\.isTimed)
        let starts = timed.map(\.startTime)
        guard traits.isISOMedia, !starts.contains(nil), let first = starts.compactMap(\.self).min(),
            timed.allSatisfy({ $0.pointee.nb_frames == 0 }), first.seconds >= minFragmentStart
        else { return nil }
        return first
    }

    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> { context.pointer.pointee.streams[index]! }

    /// Streams of audio and video, without covers.
    var timedStreams: [UnsafeMutablePointer<AVStream>] { context.streams.filter(\.isTimed) }

    /// What the container says about the coding of a stream.
    func parameters(of index: Int) -> UnsafeMutablePointer<AVCodecParameters> { stream(index).pointee.codecpar }

    /// The codec configuration of a stream (FFmpeg's extradata).
    package func extraData(of index: Int) -> [UInt8] { parameters(of: index).extraData }

    /// Whether frames of a stream may be presented in another order than they are decoded in.
    func mayReorder(_ index: Int) -> Bool {
        info.streams[index].kind == .video && parameters(of: index).pointee.video_delay > 0
    }

    /// The length of a stream, in seconds from the first timestamp of the file, where the container gives it and FFmpeg has not
    /// estimated it.
    func length(of index: Int) -> Double? {
        guard context.pointer.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM else { return nil }
        // FFmpeg reports the end of the last fragment as the length.
        let fragmentStart = isLateFragment ? origin : 0
        let (own, whole) = (stream(index).pointee.duration, context.pointer.pointee.duration)
        if own > 0 { return Double(own) * containerTimeBase(of: index).value - fragmentStart }
        // The length of the file may be that of another stream.
        let isAlone = timedStreams.count == 1
        return isAlone && whole > 0 ? Double(whole) / Double(AV_TIME_BASE) - fragmentStart : nil
    }

    /// From `seconds` on the file's timeline to its end; nil where the end is unknown or not later.
    package func secondsLeft(after seconds: Double) -> Double? {
        guard maxTimestampGap == nil, let end = info.seconds, end > seconds else { return nil }
        return end - seconds
    }
}

// MARK: Packets

extension Demuxer {
    /// Reads only the packets of these streams from here on.
    package func select(_ indices: Set<Int>) {
        for (index, stream) in context.streams.enumerated() {
            stream.pointee.discard = indices.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        selected = indices
    }

    /// The next packet of the selected streams, in file order; nil at the end.
    package func next() throws(MediaError) -> Packet? {
        isUnread = false
        while true {
            let packet = try Packet()
            let status = av_read_frame(context.pointer, packet.pointer)
            do throws(MediaError) { try context.io.check() } catch { throw error.naming(name) }
            if status == ffmpeg_no_memory {
                throw MediaError(.limit, step: "read", subject: name, reason: "no memory for a packet")
            }
            guard status >= 0 else {
                if status == ffmpeg_end, !readsPastEnd { return nil }
                // There may be more packets after the damage.
                failures += 1
                guard failures <= Self.maxFailures else {
                    isCutShort = true
                    return nil
                }
                continue
            }
            failures = 0
            let index = packet.stream
            if info.streams.indices.contains(index), info.streams[index].kind == .video {
                changes.observe(packet, of: stream(index))
            }
            // Demuxers may read ahead. An empty packet would mean the end to a decoder.
            guard selected?.contains(index) ?? true, !packet.bytes.isEmpty else { continue }
            grids[index]?.align(packet)
            return packet
        }
    }

    /// Seeks to the last keyframe of a stream at or before `seconds` on the file's timeline. False where the file cannot be read from
    /// there.
    package func seek(stream index: Int, before seconds: Double) -> Bool {
        let target = ((seconds + origin) / containerTimeBase(of: index).value).rounded(.down)
        guard let time = Int64(exactly: target) else { return false }
        failures = 0
        isUnread = false
        return avformat_seek_file(context.pointer, Int32(index), .min, time, time, 0) >= 0
    }
}

// MARK: Timestamps

extension Demuxer {
    /// Seconds in a unit of a stream's timestamps.
    package func timeBase(of index: Int) -> Rational { grids[index]?.timeBase ?? containerTimeBase(of: index) }

    private func containerTimeBase(of index: Int) -> Rational { Rational(timeBase: stream(index).pointee.time_base) }

    /// Rounds the timestamps of a stream to its constant frame `rate`. `offset`: the PTS of any frame, in seconds on the file's
    /// timeline. Call it before reading.
    package func alignTimestamps(of index: Int, rate: Rational, offset: Double) {
        grids[index] = TimestampRepair(rate: rate, offset: offset + origin, unit: containerTimeBase(of: index))
    }
}

// MARK: Changes of format

extension Demuxer {
    /// Also parses the frames of a stream that its container describes only in the header.
    package func trackFormatChanges(of index: Int) { changes.track(index, stream(index)) }

    /// Whether the frame size of a stream has changed within what was read.
    package func changesSize(of index: Int) -> Bool { changes.changesSize(of: index) }

    /// Whether a stream had interlaced and progressive frames within what was read.
    package func changesScan(of index: Int) -> Bool { changes.changesScan(of: index) }
}
