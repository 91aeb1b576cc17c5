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
    /// The container: `mp4`, or FFmpeg's name of another one.
    var container: String

    var video: Track? { tracks.first(where: \.isVideo) }
    var audio: Track? { tracks.first { !$0.isVideo } }
    /// The track that determines the times of the segment.
    var leading: Track? { video ?? audio }

    /// Reads a segment that follows its init segment. Media of kinds that segments cannot contain are rejected
    /// without reading.
    ///
    /// `decodingThreads`: the number of threads that decode all frames and audio packets; nil: nothing is decoded.
    static func read(
        _ bytes: [UInt8], header: [UInt8]?, name: String, decodingThreads: Int? = nil, task: TaskContext
    ) throws(MediaError) -> SegmentContent {
        let (format, isMP4) = Self.container(bytes)
        guard let format else {
            throw MediaError(
                .decoding, step: "read", subject: name,
                reason: "is neither fragmented MP4 nor a transport stream nor plain audio")
        }
        guard Self.isWhole(bytes, format) else {
            throw MediaError(.decoding, step: "read", subject: name, reason: "breaks off")
        }
        let entries = isMP4 ? SampleEntry.list(header ?? bytes) : []
        let file = try Demuxer(
            .bytes((isMP4 ? header ?? [] : []) + bytes, name: name), as: format, isProbed: !isMP4, task: task)
        let sampleLength = isMP4 ? Self.sampleLength(bytes) : nil
        var tracks: [Int: Track] = [:]
        for stream in file.info.streams where stream.kind == .video || stream.kind == .audio {
            let entry = stream.index < entries.count ? entries[stream.index] : nil
            var track = Track(
                isVideo: stream.kind == .video, codec: entry.map(\.codec) ?? Self.codec(stream, file),
                codecName: stream.codec, format: entry?.format)
            track.sizes = stream.videoProperties.map { [$0.size, $0.displayedSize] } ?? []
            track.channelCount = stream.format?.channels.count
            track.nominalRate = entry?.bitRate
            track.transfer = stream.videoProperties.flatMap { $0.color.transfer == "unknown" ? nil : $0.color.transfer }
            track.step = sampleLength.map { Double($0) * file.timeBase(of: stream.index).value } ?? 0
            tracks[stream.index] = track
        }
        var decoders: [Int: StrictDecoder] = [:]
        var lengths: [Int: Int?] = [:]
        for (index, entry) in entries.enumerated() { lengths[index] = entry.nalLengthSize }
        while let packet = try file.next() {
            guard var track = tracks[packet.stream], let time = packet.presentationTime else { continue }
            let unit = file.timeBase(of: packet.stream).value
            let seconds = Double(time) * unit
            let isIndependent =
                !track.isVideo
                || AccessUnit.isIndependent(
                    packet.bytes, codec: track.codecName, lengthSize: lengths[packet.stream] ?? nil,
                    isKeyFrame: packet.isKeyFrame)
            if track.times.isEmpty {
                track.isIndependent = isIndependent
                if track.isVideo, isIndependent, decodingThreads == nil, track.transfer == nil {
                    track.transfer = Self.transfer(ofFirst: packet, file)
                }
                // Frames that depend on the previous segment cannot be decoded here.
                if let decodingThreads, isIndependent {
                    decoders[packet.stream] = try StrictDecoder(
                        file, stream: packet.stream, threads: decodingThreads, limits: .standard)
                }
            }
            try task.check()
            if let decoder = decoders[packet.stream] {
                try decoder.decode(packet)
                if ["h264", "hevc"].contains(track.codecName),
                    !NALSyntax.isValid(packet.bytes, lengthSize: lengths[packet.stream] ?? nil)
                {
                    track.faultCount += 1
                }
            }
            track.times.append(seconds)
            if track.isVideo, isIndependent { track.keyTimes.append(seconds) }
            let end = seconds + Double(max(0, packet.duration)) * unit
            track.end = track.times.count == 1 ? end : max(track.end, end)
            track.bytes += packet.bytes.count
            tracks[packet.stream] = track
        }
        for (index, decoder) in decoders {
            try decoder.decode(nil)
            guard var track = tracks[index] else { continue }
            track.transfer = decoder.transfer ?? track.transfer
            // A packet may be detected in both ways.
            track.faultCount = max(track.faultCount, decoder.faultCount - Self.neededBefore(track.codecName))
            tracks[index] = track
        }
        let read = tracks.sorted { $0.key < $1.key }.map(\.value).filter { !$0.times.isEmpty }.map { track in
            var track = track
            track.times.sort()
            let steps = zip(track.times.dropFirst(), track.times).map { $0 - $1 }.sorted()
            if !steps.isEmpty {
                track.step = steps[steps.count / 2]
            } else if track.step == 0 {
                track.step = track.seconds
            }
            // Some containers do not store the duration of a packet.
            if track.end <= track.times.last ?? 0 { track.end = (track.times.last ?? 0) + track.step }
            return track
        }
        guard !read.isEmpty else {
            throw MediaError(.decoding, step: "read", subject: name, reason: "holds neither video nor audio")
        }
        return SegmentContent(tracks: read, container: isMP4 ? "mp4" : format)
    }

    /// Returns the transfer function of the frame in a packet that starts decoding, or nil if it cannot be decoded.
    private static func transfer(ofFirst packet: Packet, _ file: Demuxer) -> String? {
        let decoder = try? StrictDecoder(file, stream: packet.stream, threads: 1, limits: .standard)
        try? decoder?.decode(packet)
        try? decoder?.decode(nil)
        return decoder?.transfer
    }

    /// Returns the number of packets at the start of a segment that may depend on previous ones: in MP3, because of
    /// its bit reservoir.
    private static func neededBefore(_ codec: String) -> Int { codec == "mp3" ? 2 : 0 }

    /// Whether the last box, or the last packet of a transport stream, is complete.
    private static func isWhole(_ bytes: [UInt8], _ format: String) -> Bool {
        switch format {
        case "mov":
            bytes.withUnsafeBytes { bytes in
                let boxes = Array(ISOBoxes(bytes))
                guard let last = boxes.last, let start = last.body.baseAddress, let base = bytes.baseAddress else {
                    return false
                }
                return !last.isTruncated && start + last.body.count == base + bytes.count
            }
        case "mpegts": bytes.count.isMultiple(of: 188)
        default: true
        }
    }

    /// Returns the default duration of the samples in the first fragment (`tfhd`), in units of its track's clock, or
    /// nil if durations are specified per sample.
    private static func sampleLength(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let header = bytes.wholeBox("moof")?.wholeBox("traf")?.wholeBox("tfhd"), header.count >= 4 else {
                return nil
            }
            let flags = header.bigEndian32(at: 0)
            guard flags & 0x8 != 0 else { return nil }
            // Skip the track, and the optional offsets of its data and its descriptions.
            let offset = 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
            return header.count >= offset + 4 ? Int(header.bigEndian32(at: offset)) : nil
        }
    }

    /// Whether the bytes are MP4 fragments without the header of their tracks.
    static func needsHeader(_ bytes: [UInt8]) -> Bool {
        container(bytes).isMP4 && SampleEntry.list(bytes).isEmpty
    }

    /// Returns FFmpeg's name of the container, detected by the first bytes.
    private static func container(_ bytes: [UInt8]) -> (format: String?, isMP4: Bool) {
        if bytes.count > 188, bytes[0] == 0x47, bytes[188] == 0x47 { return ("mpegts", false) }
        let first = bytes.withUnsafeBytes { $0.wholeBoxes.first?.type }
        if let first, boxes.contains(first) { return ("mov", true) }
        if bytes.starts(with: "ID3".utf8) || bytes.count > 2 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 {
            // The layer field distinguishes AAC in ADTS from MPEG audio; an ID3 tag does not identify the format.
            let start = bytes.starts(with: "ID3".utf8) ? tagEnd(bytes) : 0
            guard bytes.count > start + 2 else { return (nil, false) }
            return (bytes[start + 1] & 6 == 0 ? "aac" : "mp3", false)
        }
        return (nil, false)
    }

    private static let boxes: Set<String> = ["styp", "ftyp", "moof", "sidx", "emsg", "prft", "moov", "free"]

    /// Returns the end of an ID3v2 tag.
    private static func tagEnd(_ bytes: [UInt8]) -> Int {
        guard bytes.count >= 10 else { return bytes.count }
        return 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    /// Returns the profile of a stream without a sample entry: from the codec's header or FFmpeg's name of the
    /// profile.
    private static func codec(_ stream: MediaStream, _ file: Demuxer) -> String? {
        switch stream.codec {
        case "h264":
            // Find a sequence parameter set after a start code.
            let data = file.extraData(of: stream.index)
            for offset in data.indices.dropLast(6)
            where data[offset] == 0 && data[offset + 1] == 0 && data[offset + 2] == 1
                && data[offset + 3] & 0x1F == 7
            {
                return CodecString.avc(
                    "avc1", profile: data[offset + 4], constraints: data[offset + 5], level: data[offset + 6])
            }
            return nil
        case "aac": return ["LC": "mp4a.40.2", "HE-AAC": "mp4a.40.5", "HE-AACv2": "mp4a.40.29"][stream.profile ?? "LC"]
        case "mp3": return "mp4a.40.34"
        case "ac3": return "ac-3"
        case "eac3": return "ec-3"
        default: return nil
        }
    }
}
