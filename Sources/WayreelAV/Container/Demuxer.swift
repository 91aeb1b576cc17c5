internal import CFFmpeg
package import WayreelCore

/// A file of sound and moving pictures that is being read: FFmpeg's AVFormatContext, owned.
///
/// Belongs to one thread at a time.
package final class Demuxer: @unchecked Sendable {
    package let info: MediaInfo
    /// The instant of the container's clock that is 0 on the file's timeline, in seconds; the same as for ``AudioReader``: the
    /// container's own zero in MP4, QuickTime, Matroska and WebM, else the earliest start of its sound and pictures, as in a part of
    /// a fragmented MP4 file.
    package let origin: Double
    package let name: String
    /// Seconds beyond which a gap is a jump of the container's clock; nil where its times mean what they say.
    package var maxTimestampGap: Double? { ContainerOpening.maxTimestampGap(in: info.container) }
    private let file: InputFile
    private let io: InputIOContext
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// Attempts to read a packet that have failed since one that has not.
    private var failures = 0
    private static let patience = 1024
    /// Whether the end was met with a failure: the file is shorter than it should be.
    package private(set) var isCutShort = false
    /// Whether its first packet is still the next.
    package private(set) var isUnread = true

    /// How the reason of an error begins that is thrown for a file of an unknown format.
    package static let unknown = "is no audio or video that FFmpeg knows"

    /// Reads the beginning of a file. No other file, and nothing on a network, is ever opened for it.
    ///
    /// Throws an `io` error where it cannot be read, a `decoding` one where it is no media or holds no streams, an
    /// `unsupported` one for lists of other files, a `limit` one where it is beyond `limits`, and what `watch` throws.
    ///
    /// `format`: FFmpeg's name of the only container that it may be. `isProbed`: whether packets are read ahead for what the
    /// container does not tell.
    package init(
        _ source: MediaInput, as format: String? = nil, isProbed: Bool = true, limits: VideoLimits = .standard,
        watch: TaskWatch
    ) throws(MediaError) {
        name = source.name
        do throws(MediaError) {
            try FFmpeg.load(.formats, step: "read")
            file = try InputFile(source, watch: watch)
            io = try InputIOContext(file)
            FFmpeg.forgetLog()
            let opened = try ContainerOpening.open(io, file, as: format)
            var isOwned = true
            defer { if isOwned { ContainerOpening.close(opened) } }
            let status = isProbed ? avformat_find_stream_info(opened, nil) : 0
            try io.check()
            guard status >= 0 else {
                throw ContainerOpening.unknown(file, FFmpeg.firstLogged ?? FFmpeg.meaning(of: status))
            }
            let streams = (0..<Int(opened.pointee.nb_streams)).map { opened.pointee.streams[$0]! }
            guard !streams.isEmpty else { throw ContainerOpening.unknown(file, "there are no streams in it") }
            guard streams.count <= limits.streams else {
                throw MediaError(
                    .limit, step: "read", reason: "has \(streams.count) streams; the limit is \(limits.streams)")
            }
            origin = Self.origin(of: opened, streams)
            var described = MediaInfo(opened, streams, origin: origin, bytes: file.size)
            if isProbed {
                for (index, scheme) in try EncryptedStream.schemes(in: file, opened) {
                    described.streams[index].encryption = scheme
                }
            }
            info = described
            for stream in info.streams {
                guard let size = stream.picture?.size, stream.kind == .video else { continue }
                guard size.pixels <= limits.pixels else {
                    throw MediaError(
                        .limit, step: "read",
                        reason: "its pictures are \(size), \(size.pixels.inMegapixels); "
                            + "the limit is \(limits.pixels.inMegapixels)",
                        advice: "raise it with --max-pixels if you trust the file")
                }
            }
            context = opened
            isOwned = false
        } catch { throw error.naming(source.name) }
    }

    deinit { ContainerOpening.close(context) }

    private static func origin(
        of context: UnsafeMutablePointer<AVFormatContext>, _ streams: [UnsafeMutablePointer<AVStream>]
    ) -> Double {
        let container = String(cString: context.pointee.iformat.pointee.name)
        if let late = ContainerOpening.lateStart(container, streams.filter(\.isTimed)) { return late.value }
        let names = container.split(separator: ",")
        guard !names.contains("mov"), !names.contains("matroska") else { return 0 }
        return streams.filter(\.isTimed).compactMap(\.startTime).min()?.value ?? 0
    }

    private func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> { context.pointee.streams[index]! }

    /// Seconds in a unit of a stream's times.
    package func timeBase(of index: Int) -> Rational { grids[index]?.timeBase ?? containerBase(of: index) }

    private func containerBase(of index: Int) -> Rational { Rational(stream(index).pointee.time_base) ?? 1 }

    /// Streams whose times are put back onto the grid that the container has rounded them off.
    private var grids: [Int: TimestampGrid] = [:]

    /// Has the times of a stream, whose pictures come at the constant `rate` and one of them at `offset` seconds on the file's
    /// timeline, not rounded to the container's units but on their grid. To be called before anything is read.
    package func alignTimestamps(of index: Int, rate: Rational, offset: Double) {
        grids[index] = TimestampGrid(rate: rate, offset: offset + origin, unit: containerBase(of: index))
    }

    /// Whether frames of a video stream may be displayed in another order than they are decoded.
    func mayReorder(_ index: Int) -> Bool {
        info.streams[index].kind == .video && parameters(of: index).pointee.video_delay > 0
    }

    /// What the container says about how a stream is coded.
    func parameters(of index: Int) -> UnsafeMutablePointer<AVCodecParameters> { stream(index).pointee.codecpar }

    /// The streams that are read; nil for all.
    private var selected: Set<Int>?

    /// What the codec of a stream needs before its packets.
    package func extraData(of index: Int) -> [UInt8] {
        let parameters = parameters(of: index).pointee
        return Array(UnsafeBufferPointer(start: parameters.extradata, count: Int(max(0, parameters.extradata_size))))
    }

    /// Reads only the packets of these streams from here on.
    package func select(_ indices: Set<Int>) {
        for index in 0..<Int(context.pointee.nb_streams) {
            stream(index).pointee.discard = indices.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        selected = indices
    }

    /// The next packet of the selected streams, in the file's order; nil at the end.
    package func next() throws(MediaError) -> Packet? {
        isUnread = false
        while true {
            let packet = try Packet()
            let status = av_read_frame(context, packet.pointer)
            do throws(MediaError) { try io.check() } catch { throw error.naming(name) }
            if status == ffmpeg_no_memory {
                throw MediaError(.limit, step: "read", subject: name, reason: "no memory for a packet")
            }
            guard status >= 0 else {
                if status == ffmpeg_end { return nil }
                // Behind a damaged place there may be more.
                failures += 1
                guard failures <= Self.patience else {
                    isCutShort = true
                    return nil
                }
                continue
            }
            failures = 0
            noteShape(of: packet)
            // Others may have been read ahead. An empty packet would tell a decoder that the end has come.
            guard selected?.contains(packet.stream) ?? true, packet.pointer.pointee.size > 0 else { continue }
            grids[packet.stream]?.place(packet)
            return packet
        }
    }

    /// Of each stream of pictures, all that were met.
    private var shapes: [Int: Set<FrameFormat>] = [:]

    /// Of streams that FFmpeg's demuxer does not parse.
    private var parsers: [Int: KeyFrameParser] = [:]

    /// Streams among these of which the container has several headers.
    private var renewed: Set<Int> = []

    /// Has also those pictures of a stream looked at that the container describes only in front.
    package func trackFormatChanges(of index: Int) {
        if av_stream_get_parser(stream(index)) == nil { parsers[index] = KeyFrameParser(parameters(of: index)) }
    }

    private func noteShape(of packet: Packet) {
        let index = packet.stream
        if parsers[index] != nil, av_packet_get_side_data(packet.pointer, AV_PKT_DATA_NEW_EXTRADATA, nil) != nil {
            renewed.insert(index)
        }
        guard info.streams.indices.contains(index), info.streams[index].kind == .video,
            let shape = FrameFormat(of: stream(index)) ?? parsers[index]?.shape(of: packet)
        else { return }
        shapes[index, default: []].insert(shape)
    }

    /// Whether the size of a stream's pictures has changed, as far as the file was read.
    package func changesSize(of index: Int) -> Bool {
        renewed.contains(index) || Set(shapes[index]?.map(\.size) ?? []).count > 1
    }

    /// Whether some of a stream's pictures were interlaced and some not, as far as the file was read.
    package func changesScan(of index: Int) -> Bool { Set(shapes[index]?.map(\.isInterlaced) ?? []).count > 1 }

    /// Goes back or ahead to the last key frame of a stream at or before `seconds` on the file's timeline. False where the
    /// file cannot be read from there.
    package func seek(stream index: Int, before seconds: Double) -> Bool {
        let target = ((seconds + origin) / containerBase(of: index).value).rounded(.down)
        guard let time = Int64(exactly: target) else { return false }
        failures = 0
        isUnread = false
        return avformat_seek_file(context, Int32(index), .min, time, time, 0) >= 0
    }

    /// From `seconds` on the file's timeline to its end; nil where the end is not known, or is not after it.
    package func secondsLeft(after seconds: Double) -> Double? {
        guard maxTimestampGap == nil, let end = info.seconds, end > seconds else { return nil }
        return end - seconds
    }

    /// What a container's index says of a packet.
    package struct IndexEntry: Hashable, Sendable {
        package var decodingTime: Int64
        package var byteCount: Int
        package var isKeyFrame: Bool
        /// Only decoded for what follows, and not shown.
        package var isDiscarded: Bool
    }

    /// Whether it is MP4 or QuickTime.
    var isMovie: Bool { ContainerOpening.isMovie(info.container) }

    /// Whether the container has all packets of a stream in an index.
    package func hasIndex(of index: Int) -> Bool {
        // Fragmented files count none in front, and index what was read so far.
        isMovie && stream(index).pointee.nb_frames > 0
            && avformat_index_get_entries_count(stream(index)) > 0
    }

    /// Whether an MP4 or QuickTime file ends with its last box: nothing was cut off it.
    func endsWithBox() throws(MediaError) -> Bool {
        do throws(MediaError) { return try ISOBoxFile.isWhole(file) } catch { throw error.naming(name) }
    }

    /// All packets of a stream, in the order of decoding, where the container has them in an index.
    package func index(of index: Int) -> [IndexEntry]? {
        guard hasIndex(of: index) else { return nil }
        return (0..<avformat_index_get_entries_count(stream(index))).compactMap { place in
            avformat_index_get_entry(stream(index), place).map { entry in
                IndexEntry(
                    decodingTime: entry.pointee.timestamp, byteCount: Int(entry.pointee.size),
                    isKeyFrame: entry.pointee.flags & AVINDEX_KEYFRAME != 0,
                    isDiscarded: entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0)
            }
        }
    }
}
