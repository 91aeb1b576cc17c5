internal import CFFmpeg
package import WayreelCore

/// Reads the packets of a media file, of all its streams or of selected ones.
///
/// Belongs to one thread at a time.
package final class Demuxer {
    package let info: MediaInfo
    package let name: String
    /// The timestamp of 0 on the file's timeline: 0 in MP4, QuickTime, Matroska and WebM, except for a part of a longer
    /// file, which uses its first timestamp; in other containers the earliest start of audio and video.
    let startTimestamp: Timestamp
    /// The origin in seconds.
    package let origin: Double
    /// Seconds from timestamp 0 to ``startTimestamp`` that the container's declared lengths include: those before a
    /// part of a longer file.
    private let skippedSeconds: Double
    let traits: ContainerTraits
    /// The largest gap of timestamps, in seconds; nil if they are continuous (``ContainerTraits/maxTimestampGap``).
    package var maxTimestampGap: Double? { traits.maxTimestampGap }
    let file: InputFile
    /// The offset in the file of the last packet read so far.
    private var packetOffset = 0
    /// Whether the container states full range, by stream; nil if it states none.
    private(set) var statedRanges: [Int: Bool] = [:]
    /// The size of the file by its header; nil if it declares none.
    private let declaredSize: DeclaredSize?
    private let context: FormatContext
    /// The stream that delay and padding are declared of beside its packets.
    private let gapless: (index: Int, info: GaplessInfo)?
    /// The stream that both an edit list and iTunes declare a delay of. FFmpeg asks to skip the latter.
    private let editedStream: Int?

    /// The streams that are read; nil for all.
    private var selected: Set<Int>?
    /// Rounding of timestamps to the frame rate, by stream.
    private var grids: [Int: TimestampRepair] = [:]
    private var changes = ParameterChanges()
    private var outliers = TimestampOutliers()

    /// Failed reads since the last packet.
    private var failures = 0
    private static let maxFailures = 1024
    /// Whether to continue reading after FFmpeg reports the end: its MP4 demuxer does so for a packet with a wrong
    /// offset.
    var readsPastEnd = false
    /// Whether reading ended because FFmpeg returned nothing but errors.
    package private(set) var endedWithErrors = false
    /// Whether nothing was read yet, so that the next packet is the first.
    package private(set) var isUnread = true

    /// Reads the header of a file. Opens no other file and no network resource.
    ///
    /// Throws an `io` error if it cannot be read, a `decoding` error if it is not a media file or has no streams, an
    /// `unsupported` error for playlists, a `limit` error beyond `limits`, and the errors of `task`.
    ///
    /// `format` is FFmpeg's name of the only container to try. `isProbed` determines whether packets are read ahead for
    /// stream parameters that are missing in the header.
    package convenience init(
        _ input: MediaInput, as format: String? = nil, isProbed: Bool = true, limits: VideoLimits = .standard,
        task: TaskContext
    ) throws(MediaError) {
        do throws(MediaError) {
            try SharedLibrary.libavformat.require(step: .read)
            let file = try InputFile(input, task: task)
            let io = try InputIOContext(file)
            FFmpeg.forgetLog()
            try self.init(FormatContext(io, file, as: format, limits: limits), isProbed: isProbed)
            guard !info.streams.isEmpty else { throw FormatContext.unknown(file, "there are no streams in it") }
        } catch { throw error.naming(input.name) }
    }

    /// The caller names the file in errors.
    init(_ context: FormatContext, isProbed: Bool = true) throws(MediaError) {
        self.context = context
        file = context.file
        name = context.file.name
        if isProbed { try context.findStreamInfo() }
        traits = ContainerTraits(demuxer: context.container)
        let tracks = traits.isISOMedia && file.size != nil ? try ISOTracks(file).tracks() : []
        if traits.isISOMedia { context.setLengths(tracks) }
        let lateStart = Self.lateStart(context, traits)
        skippedSeconds = lateStart?.seconds ?? 0
        let earliest = context.streams.filter(\.isTimed).compactMap(\.startTime).min()
        startTimestamp = lateStart ?? (traits.startsAtZero ? .zero : earliest ?? .zero)
        origin = startTimestamp.seconds
        var info = MediaInfo(
            context.pointer, context.streams, origin: origin, skippedSeconds: skippedSeconds, bytes: file.size)
        declaredSize = try isProbed ? DeclaredSize.read(file, traits) : nil
        if let declaredSize, declaredSize.isTruncated(at: file.size ?? 0), let seconds = declaredSize.seconds {
            info.seconds = max(info.seconds ?? 0, seconds - skippedSeconds)
        }
        for (index, geometry) in try ContainerGeometry.read(context, traits) {
            info.streams[index].videoProperties?.take(geometry)
            statedRanges[index] = geometry.color.isFullRange
        }
        if traits.encryption == .contentEncryption, info.streams.contains(where: { $0.codec == "unknown" }) {
            let ids = try MatroskaTracks(file).map { EBMLElements.text(MatroskaTracks.ID.codec, in: $0) }
            CodecSupport.name(&info.streams, by: ids)
        }
        if isProbed {
            for (index, scheme) in try EncryptedStream.schemes(in: context) { info.streams[index].encryption = scheme }
        }
        if !traits.declaresStreamLengths { for index in info.streams.indices { info.streams[index].seconds = nil } }
        gapless = try GaplessInfo.declared(in: context, info, tracks)
        let tagged = context.iTunesTag == nil ? nil : context.streams.last
        editedStream = tagged.flatMap { stream in
            let hasEdits = tracks.first { $0.id == Int(stream.pointee.id) }?.hasEdits ?? false
            return hasEdits ? Int(stream.pointee.index) : nil
        }
        if let (index, gapless) = gapless {
            let rate = Double(max(1, context.streams[index].pointee.codecpar.pointee.sample_rate))
            info.streams[index].start = max(0, info.streams[index].start - Double(gapless.delay) / rate)
            if let count = gapless.certainCount { info.streams[index].seconds = Double(count) / rate }
        }
        self.info = info
    }

    /// A first timestamp of at least this many seconds means a later part of a file. A smaller one may be a codec's
    /// delay.
    private static let minLateStart = 1.0

    /// Returns the first timestamp of a file that kept the timestamps of the longer one that it is a part of, such as a
    /// recording of a live stream; nil for any other file. An unfragmented MP4 file starts at 0 by its edit list.
    private static func lateStart(_ context: FormatContext, _ traits: ContainerTraits) -> Timestamp? {
        let timed = context.streams.filter(\.isTimed)
        let starts = timed.map(\.startTime)
        guard traits.countsLengthFromZero, !starts.contains(nil), let first = starts.compactMap(\.self).min(),
            first.seconds >= minLateStart, !traits.isISOMedia || timed.allSatisfy({ $0.pointee.nb_frames == 0 })
        else { return nil }
        return first
    }

    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> { context.pointer.pointee.streams[index]! }

    func gapless(of index: Int) -> GaplessInfo? { gapless.flatMap { $0.index == index ? $0.info : nil } }

    /// Whether the delay that FFmpeg asks to skip at the beginning of a stream is not the one that counts, because an edit
    /// list declares another one.
    func ignoresDelay(of index: Int) -> Bool { editedStream == index }

    /// Returns the timestamps between which the samples of a stream are presented, if they are declared in place of an
    /// edit list. `end` is nil if it is unknown.
    package func presentedTimes(of index: Int) -> (start: Int64, end: Int64?)? {
        guard let gapless = gapless(of: index) else { return nil }
        let units = { (samples: Int) in
            Int64(
                (Double(samples) / Double(self.parameters(of: index).pointee.sample_rate)
                    / self.timeBase(of: index).value).rounded())
        }
        return (units(gapless.delay), gapless.certainCount.map { units(gapless.delay + $0) })
    }

    /// Streams of audio and video, without covers.
    var timedStreams: [UnsafeMutablePointer<AVStream>] { context.streams.filter(\.isTimed) }

    /// Returns the container's coding parameters of a stream.
    func parameters(of index: Int) -> UnsafeMutablePointer<AVCodecParameters> { stream(index).pointee.codecpar }

    /// Returns the codec configuration of a stream (FFmpeg's extradata).
    package func extraData(of index: Int) -> [UInt8] { parameters(of: index).extraData }

    /// Returns whether frames of a stream may be presented in a different order than they are decoded in.
    func mayReorder(_ index: Int) -> Bool {
        info.streams[index].kind == .video && parameters(of: index).pointee.video_delay > 0
    }

    /// Returns the length of a stream in seconds from the first timestamp of the file, if the container declares it and
    /// FFmpeg has not estimated it. In a file whose end is missing, the declared length of the file counts.
    func length(of index: Int) -> Double? {
        if isTruncated, let whole = info.seconds { return whole }
        guard context.pointer.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM else { return nil }
        let own = traits.declaresStreamLengths ? stream(index).pointee.duration : 0
        let whole = context.pointer.pointee.duration
        if own > 0, Double(own) * containerTimeBase(of: index).value > Self.maxSeconds { return nil }
        if own > 0 { return Double(own) * containerTimeBase(of: index).value - skippedSeconds }
        // The length of the file may be that of another stream.
        let isAlone = timedStreams.count == 1
        return isAlone && whole > 0 ? Double(whole) / Double(AV_TIME_BASE) - skippedSeconds : nil
    }

    /// A longer declared length is a number that was not known when the header was written.
    private static let maxSeconds = 1e9

    /// Whether the file is shorter than its header declares, so that a part of the media is missing.
    var isTruncated: Bool { declaredSize.map { $0.isTruncated(at: file.size ?? 0) } ?? false }

    /// The least share of a whole file that precedes its last packet. An index or tags may follow. In a damaged file,
    /// zeros may follow, or a packet with a wrong size that ends the file.
    private static let minPacketShare = 0.9

    /// Whether all packets were read and the file is as large as its header declares; false if it declares no size.
    var isWhole: Bool {
        guard let declaredSize, let size = file.size else { return false }
        return size >= declaredSize.bytes && Double(packetOffset) > Double(size) * Self.minPacketShare
    }

    /// Returns the time from `seconds` on the file's timeline to its end; nil if the end is unknown or not later.
    package func secondsLeft(after seconds: Double) -> Double? {
        guard maxTimestampGap == nil, let end = info.seconds, end > seconds else { return nil }
        return end - seconds
    }

    // MARK: Packets

    /// Reads only the packets of these streams from here on.
    package func select(_ indices: Set<Int>) {
        for (index, stream) in context.streams.enumerated() {
            stream.pointee.discard = indices.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        selected = indices
    }

    /// Returns the next packet of the selected streams, in file order; nil at the end.
    package func next() throws(MediaError) -> Packet? {
        isUnread = false
        // The timestamps of video are repaired.
        while let packet = try outliers.next(
            from: read, unit: { isVideo($0) ? containerTimeBase(of: $0).value : nil })
        {
            let index = packet.stream
            if isVideo(index) { changes.observe(packet, of: stream(index)) }
            // Demuxers may read ahead. A decoder would treat an empty packet as the end.
            guard selected?.contains(index) ?? true, !packet.bytes.isEmpty else { continue }
            grids[index]?.align(packet)
            return packet
        }
        return nil
    }

    private func isVideo(_ index: Int) -> Bool {
        info.streams.indices.contains(index) && info.streams[index].kind == .video
    }

    private func read() throws(MediaError) -> Packet? {
        while true {
            let packet = try Packet()
            let status = av_read_frame(context.pointer, packet.pointer)
            do throws(MediaError) { try context.io.check() } catch { throw error.naming(name) }
            if status == ffmpeg_no_memory {
                throw MediaError(.limit, step: .read, subject: name, reason: "no memory for a packet")
            }
            guard status >= 0 else {
                if status == ffmpeg_end, !readsPastEnd { return nil }
                // More packets may follow the damage.
                failures += 1
                guard failures <= Self.maxFailures else {
                    endedWithErrors = true
                    return nil
                }
                continue
            }
            failures = 0
            packetOffset = max(packetOffset, Int(packet.pointer.pointee.pos))
            return packet
        }
    }

    /// Seeks to the last keyframe of a stream at or before `seconds` on the file's timeline. Returns false if the file
    /// cannot be read from there.
    package func seek(stream index: Int, before seconds: Double) -> Bool {
        let target = ((seconds + origin) / containerTimeBase(of: index).value).rounded(.down)
        guard let time = Int64(exactly: target) else { return false }
        failures = 0
        isUnread = false
        outliers = TimestampOutliers()
        return avformat_seek_file(context.pointer, Int32(index), .min, time, time, 0) >= 0
    }

    // MARK: Timestamps

    /// Returns the time base of a stream in seconds.
    package func timeBase(of index: Int) -> Rational { grids[index]?.timeBase ?? containerTimeBase(of: index) }

    private func containerTimeBase(of index: Int) -> Rational { Rational(timeBase: stream(index).pointee.time_base) }

    /// Rounds the timestamps of a stream to its constant frame `rate`. `offset` is the PTS of any frame, in seconds on
    /// the file's timeline. Call it before reading.
    package func alignTimestamps(of index: Int, rate: Rational, offset: Double) {
        grids[index] = TimestampRepair(rate: rate, offset: offset + origin, unit: containerTimeBase(of: index))
    }

    // MARK: Changes of format

    /// Also parses the frames of a stream that its container describes only in the header.
    package func trackFormatChanges(of index: Int) { changes.track(index, stream(index)) }

    /// Returns whether the frame size of a stream has changed in the packets read so far.
    package func changesSize(of index: Int) -> Bool { changes.changesSize(of: index) }

    /// Returns whether a stream had interlaced and progressive frames in the packets read so far.
    package func changesScan(of index: Int) -> Bool { changes.changesScan(of: index) }
}

// MARK: Lengths of MP4 and QuickTime

extension FormatContext {
    /// Sets the lengths that `tracks` present. FFmpeg takes a length of all ones, which is unknown, for a number, and
    /// counts empty edits as media.
    fileprivate func setLengths(_ tracks: [ISOTracks.Track]) {
        var hasChanged = false
        for stream in streams {
            let duration = stream.pointee.duration
            guard duration > 0 else { continue }
            let unit = Rational(timeBase: stream.pointee.time_base).value
            let track = tracks.first { $0.id == Int(stream.pointee.id) }
            if duration == Int64(UInt32.max) {
                stream.pointee.duration = ffmpeg_no_pts
            } else if stream.pointee.nb_frames > 0, let seconds = track?.seconds, seconds > 0,
                abs(seconds - Double(duration) * unit) > Self.lengthTolerance
            {
                stream.pointee.duration = Int64((seconds / unit).rounded())
            } else {
                continue
            }
            hasChanged = true
        }
        guard hasChanged else { return }
        let ends = streams.filter(\.isTimed).compactMap { stream -> Double? in
            guard stream.pointee.duration > 0 else { return nil }
            let unit = Rational(timeBase: stream.pointee.time_base).value
            return Double(stream.pointee.duration) * unit + max(0, stream.startTime?.seconds ?? 0)
        }
        pointer.pointee.duration = Int64(((ends.max() ?? 0) * Double(AV_TIME_BASE)).rounded())
    }

    /// A difference of this many seconds comes from rounding.
    private static let lengthTolerance = 0.01
}
