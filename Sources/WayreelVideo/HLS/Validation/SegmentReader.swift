internal import WayreelAV
internal import WayreelCore

/// Reads and decrypts segments with their init segments.
struct SegmentReader {
    let folder: HLSFolder
    /// The key given by the caller, for playlists whose key is elsewhere.
    let givenKey: [UInt8]?
    let task: TaskContext
    private var initSegments: [InitSegmentRange: [UInt8]] = [:]
    private var keys: [String: [UInt8]] = [:]

    private struct InitSegmentRange: Hashable {
        var path: String
        var range: ByteRange?
    }

    init(_ folder: HLSFolder, key: [UInt8]?, task: TaskContext) {
        self.folder = folder
        givenKey = key
        self.task = task
    }

    /// Returns the content of a segment of the playlist `base`, and the size of its file or byte range.
    /// `decodingThreads`: the number of threads that decode it; nil: it is not decoded.
    mutating func read(
        _ segment: MediaPlaylist.Segment, number: Int, of base: String, decodingThreads: Int?
    ) throws(HLSFolder.Refusal) -> (content: SegmentContent, size: Int) {
        let (path, bytes, size) = try load(segment, number, of: base)
        var initSegment: [UInt8]?
        if let map = segment.initSegment { initSegment = try read(map, number: number, of: base) }
        if initSegment == nil, SegmentFormat(bytes) == .mp4, SampleEntry.list(bytes).isEmpty {
            throw HLSFolder.Refusal(rule: .initSegment, reason: "there is no EXT-X-MAP in front of fragmented MP4")
        }
        do throws(MediaError) {
            let content = try SegmentContent.read(
                bytes, initSegment: initSegment, name: path, decodingThreads: decodingThreads, task: task)
            return (content, size)
        } catch {
            guard error.kind != .cancelled else {
                throw HLSFolder.Refusal(rule: .missingFile, reason: "\(path): \(error.reason)")
            }
            // With a wrong key, one of 256 segments still has valid padding at its end.
            throw segment.key == nil
                ? HLSFolder.Refusal(rule: .damagedSegment, reason: "\(path): \(error.reason)")
                : HLSFolder.Refusal(rule: .encryption, reason: "\(path), decrypted by its key: \(error.reason)")
        }
    }

    /// Returns the decrypted bytes of a segment of the playlist `base`.
    mutating func bytes(
        of segment: MediaPlaylist.Segment, number: Int, in base: String
    ) throws(HLSFolder.Refusal) -> [UInt8] {
        try load(segment, number, of: base).bytes
    }

    private mutating func load(
        _ segment: MediaPlaylist.Segment, _ number: Int, of base: String
    ) throws(HLSFolder.Refusal) -> (path: String, bytes: [UInt8], size: Int) {
        let path = try folder.resolve(segment.uri, from: base)
        let stored = try folder.read(path, segment.range)
        return (path, try decrypted(stored, segment.key, number, of: base, path), stored.count)
    }

    private mutating func read(
        _ map: MediaPlaylist.InitSegment, number: Int, of base: String
    ) throws(HLSFolder.Refusal) -> [UInt8] {
        let location = InitSegmentRange(path: try folder.resolve(map.uri, from: base), range: map.range)
        if let known = initSegments[location] { return known }
        let initSegment = try decrypted(
            try folder.read(location.path, map.range), map.key, number, of: base, location.path)
        guard !SampleEntry.list(initSegment).isEmpty else {
            throw HLSFolder.Refusal(rule: .initSegment, reason: "\(location.path) contains no track header")
        }
        initSegments[location] = initSegment
        return initSegment
    }

    private mutating func decrypted(
        _ bytes: [UInt8], _ key: MediaPlaylist.Key?, _ number: Int, of base: String, _ path: String
    ) throws(HLSFolder.Refusal) -> [UInt8] {
        guard let key else { return bytes }
        guard key.method == "AES-128" else {
            throw HLSFolder.Refusal(
                rule: .encryption, reason: "\(path) is encrypted with \(key.method); its content is not checked")
        }
        let secret = try secret(key, of: base)
        var plain: [UInt8]?
        do throws(MediaError) {
            plain = try AES128(key: secret, decrypts: true).decrypt(bytes, iv: key.start(ofSegment: number))
        } catch { throw HLSFolder.Refusal(rule: .encryption, reason: error.reason) }
        guard let plain else {
            throw HLSFolder.Refusal(
                rule: .encryption, reason: "\(path) cannot be decrypted by the key and the IV of the playlist")
        }
        return plain
    }

    private mutating func secret(_ key: MediaPlaylist.Key, of base: String) throws(HLSFolder.Refusal) -> [UInt8] {
        if let givenKey { return givenKey }
        let path: String
        do throws(HLSFolder.Refusal) { path = try folder.resolve(key.uri, from: base) } catch {
            throw HLSFolder.Refusal(
                rule: .encryption,
                reason: "the key is at '\(key.uri)', which was not opened; give it to check the segments")
        }
        if let known = keys[path] { return known }
        let secret = try folder.read(path)
        guard secret.count == AES128.blockSize else {
            throw HLSFolder.Refusal(rule: .encryption, reason: "\(path) has \(secret.count) bytes; a key has 16")
        }
        keys[path] = secret
        return secret
    }
}

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
                .decoding, step: .read, subject: name,
                reason: "is neither fragmented MP4 nor a transport stream nor plain audio")
        }
        guard format.isWhole(bytes) else {
            throw MediaError(.decoding, step: .read, subject: name, reason: "is truncated")
        }
        let isMP4 = format == .mp4
        let entries = isMP4 ? SampleEntry.list(initSegment ?? bytes) : []
        if let scheme = entries.lazy.compactMap(\.encryption).first {
            throw MediaError.encrypted(scheme, step: .read).naming(name)
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
            throw MediaError(.decoding, step: .read, subject: name, reason: "holds neither video nor audio")
        }
        return SegmentContent(tracks: tracks, format: format)
    }
}

/// The container of a segment, detected by its first bytes.
enum SegmentFormat: String {
    case mp4
    case transportStream = "mpegts"
    case aac, mp3

    /// Returns nil for containers that segments cannot have.
    init?(_ bytes: [UInt8]) {
        if bytes.count > 188, bytes[0] == 0x47, bytes[188] == 0x47 {
            self = .transportStream
        } else if let first = bytes.withUnsafeBytes({ $0.wholeBoxes.first?.type }), Self.boxes.contains(first) {
            self = .mp4
        } else if bytes.starts(with: "ID3".utf8) || bytes.count > 2 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 {
            // The layer field distinguishes AAC in ADTS from MPEG audio; an ID3 tag does not identify the format.
            let start = bytes.starts(with: "ID3".utf8) ? Self.tagEnd(bytes) : 0
            guard bytes.count > start + 2 else { return nil }
            self = bytes[start + 1] & 6 == 0 ? .aac : .mp3
        } else {
            return nil
        }
    }

    private static let boxes: Set<String> = ["styp", "ftyp", "moof", "sidx", "emsg", "prft", "moov", "free"]

    /// Returns the end of an ID3v2 tag.
    private static func tagEnd(_ bytes: [UInt8]) -> Int {
        guard bytes.count >= 10 else { return bytes.count }
        return 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    /// FFmpeg's name of the demuxer.
    var demuxer: String { self == .mp4 ? "mov" : rawValue }

    /// Whether the last box, or the last packet of a transport stream, is complete.
    func isWhole(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .mp4:
            bytes.withUnsafeBytes { bytes in
                let boxes = Array(ISOBoxes(bytes))
                guard let last = boxes.last, let start = last.body.baseAddress, let base = bytes.baseAddress else {
                    return false
                }
                return !last.isTruncated && start + last.body.count == base + bytes.count
            }
        case .transportStream: bytes.count.isMultiple(of: 188)
        case .aac, .mp3: true
        }
    }

    /// Returns the default duration of the samples in the first fragment (`tfhd`), in units of its track's clock, or
    /// nil if durations are specified per sample.
    static func sampleLength(_ bytes: [UInt8]) -> Int? {
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
}
