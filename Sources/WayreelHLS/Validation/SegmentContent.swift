internal import WayreelAV
internal import WayreelCore

/// The content of a segment, as read by libavformat.
struct SegmentContent {
    /// One stream of the segment.
    struct Track {
        var isVideo: Bool
        /// The codec name for `CODECS`; nil if unknown.
        var codec: String?
        /// FFmpeg's name of the codec.
        var codecName: String
        /// The sample entry of the codec: `hvc1`; nil for transport streams and plain audio.
        var format: String?
        /// The coded and the displayed size of video.
        var sizes: [PixelSize] = []
        var channelCount: Int?
        /// The bits per second according to the header of the track.
        var nominalRate: Int?
        /// Whether the first packet can be decoded without earlier packets.
        var isIndependent = false
        /// The PTS of each packet in seconds, sorted.
        var times: [Double] = []
        /// The PTS of IDR frames in seconds.
        var keyTimes: [Double] = []
        /// The end of the last packet.
        var end = 0.0
        var bytes = 0
        /// FFmpeg's name of the transfer function of the frames: `bt709`, `smpte2084`; `unknown` if they do not
        /// declare one; nil if they cannot be decoded.
        var transfer: String?
        /// The number of packets with decoding errors; 0 if none were decoded.
        var faultCount = 0

        var start: Double { times.first ?? 0 }
        var seconds: Double { end - start }
        /// The typical time between packets in seconds; for a single packet, the duration in its fragment.
        var step = 0.0
    }

    var tracks: [Track]
    var format: SegmentFormat

    var video: Track? { tracks.first(where: \.isVideo) }
    var audio: Track? { tracks.first { !$0.isVideo } }
    /// The track that determines the times of the segment.
    var leading: Track? { video ?? audio }

    /// Reads a segment that follows its init segment. Media of kinds that segments cannot contain are rejected
    /// without reading.
    ///
    /// `decodingThreads`: the number of threads that decode all frames and audio packets; nil: nothing is decoded.
    static func read(
        _ bytes: [UInt8], initSegment: [UInt8]?, name: String, decodingThreads: Int? = nil, task: TaskContext
    ) throws(MediaError) -> SegmentContent {
        guard let format = SegmentFormat(bytes) else {
            throw MediaError(
                .decoding, step: "read", subject: name,
                reason: "is neither fragmented MP4 nor a transport stream nor plain audio")
        }
        guard format.isWhole(bytes) else {
            throw MediaError(.decoding, step: "read", subject: name, reason: "is truncated")
        }
        let isMP4 = format == .mp4
        let entries = isMP4 ? SampleEntry.list(initSegment ?? bytes) : []
        if let scheme = entries.lazy.compactMap(\.encryption).first {
            throw MediaError.encrypted(scheme, step: "read").naming(name)
        }
        let file = try Demuxer(
            .bytes((isMP4 ? initSegment ?? [] : []) + bytes, name: name), as: format.demuxer, isProbed: !isMP4,
            task: task)
        let sampleLength = isMP4 ? SegmentFormat.sampleLength(bytes) : nil
        var readers: [Int: SegmentTrackReader] = [:]
        for stream in file.info.streams where stream.kind == .video || stream.kind == .audio {
            readers[stream.index] = SegmentTrackReader(
                stream, of: file, entries.indices.contains(stream.index) ? entries[stream.index] : nil,
                sampleLength: sampleLength, decodingThreads: decodingThreads)
        }
        while let packet = try file.next() {
            try task.check()
            try readers[packet.stream]?.add(packet)
        }
        var tracks: [Track] = []
        for index in readers.keys.sorted() {
            if let track = try readers[index]?.finish() { tracks.append(track) }
        }
        guard !tracks.isEmpty else {
            throw MediaError(.decoding, step: "read", subject: name, reason: "holds neither video nor audio")
        }
        return SegmentContent(tracks: tracks, format: format)
    }
}
