internal import CFFmpeg
package import WayreelCore

/// Finds out what a container does not say of its streams: from its index where it has one, else from its packets, and from
/// the first pictures what only they tell.
package struct MediaScan {
    /// How much of a file is read at most for its packets. Not how long: what is found must not depend on the machine.
    package struct Effort: Hashable, Sendable {
        package var bytes: Int

        package init(bytes: Int = 1 << 29) {
            self.bytes = bytes
        }
    }

    private let source: AudioSource
    private let limits: VideoLimits
    private let effort: Effort
    private let watch: TaskWatch

    private init(source: AudioSource, limits: VideoLimits, effort: Effort, watch: TaskWatch) {
        self.source = source
        self.limits = limits
        self.effort = effort
        self.watch = watch
    }

    /// What `source` holds. `file`, where it is given, is the same file, open and not read from yet; it stays so.
    ///
    /// Of a pipe only that is told which its beginning tells. Throws what opening the file throws, and what `watch` does.
    package static func info(
        of source: AudioSource, open file: MediaFile? = nil, limits: VideoLimits = .standard, effort: Effort = Effort(),
        watch: TaskWatch
    ) throws(MediaError) -> MediaInfo {
        let scan = MediaScan(source: source, limits: limits, effort: effort, watch: watch)
        let opened: MediaFile
        if let file { opened = file } else { opened = try MediaFile(source, limits: limits, watch: watch) }
        return try scan.complete(opened)
    }

    private func complete(_ file: MediaFile) throws(MediaError) -> MediaInfo {
        var info = file.info
        let timed = info.streams.filter { $0.kind == .video || $0.kind == .sound }.map(\.index)
        let canReopen = info.bytes != nil
        for (stream, log) in try packets(of: timed, in: file, mayRead: canReopen) {
            info.streams[stream].complete(with: log, mostGap: file.mostGap)
        }
        if info.seconds == nil || file.mostGap != nil { info.seconds = info.streams.compactMap(\.seconds).max() }
        for stream in info.streams where stream.kind == .video {
            guard let picture = stream.picture else { continue }
            info.streams[stream.index].picture =
                stream.needsPictures && canReopen ? try decode(stream.index, picture) : picture.settled
        }
        return info
    }

    // MARK: Packets

    private func packets(
        of streams: [Int], in file: MediaFile, mayRead: Bool
    ) throws(MediaError) -> [Int: PacketLog] {
        let indexed = streams.compactMap { stream in file.index(of: stream).map { (stream, $0) } }
        guard indexed.count < streams.count else {
            return Dictionary(uniqueKeysWithValues: indexed.map { ($0, PacketLog(index: $1, file.timeBase(of: $0))) })
        }
        guard mayRead else { return [:] }
        let other = try MediaFile(source, limits: limits, watch: watch)
        other.select(Set(streams))
        var logs = Dictionary(
            uniqueKeysWithValues: streams.map { ($0, PacketLog(timeBase: other.timeBase(of: $0))) })
        var bytes = 0
        while let packet = try other.next() {
            try watch.check()
            logs[packet.stream]?.append(PacketLog.Entry(packet))
            bytes += packet.bytes.count
            guard bytes < effort.bytes else {
                for stream in streams { logs[stream]?.isWhole = false }
                break
            }
        }
        return logs
    }

    // MARK: Pictures

    /// Pictures that are decoded to see whether any is interlaced, and packets that may be spent on them.
    private static let pictureCount = 12
    private static let packetCount = 300

    /// What the first pictures of a stream tell of it, where the container is silent.
    private func decode(_ stream: Int, _ told: VideoProperties) throws(MediaError) -> VideoProperties {
        let file = try MediaFile(source, limits: limits, watch: watch)
        file.select([stream])
        var properties = told
        var (isInterlaced, count) = (false, 0)
        let take = { (frame: Frame) throws(MediaError) in
            if count == 0 { properties.complete(with: frame) }
            isInterlaced = isInterlaced || frame.isInterlaced
            count += 1
        }
        // A stream that cannot be decoded is for others to report, who decode it for its pictures.
        guard let decoder = try? VideoDecoder(file, stream: stream, threads: 1, limits: limits) else { return told }
        var packets = 0
        while count < Self.pictureCount, packets < Self.packetCount, let packet = try file.next() {
            try decoder.decode(packet, take)
            packets += 1
        }
        if count < Self.pictureCount { try decoder.decode(nil, take) }
        if properties.scan == .unknown, count > 0 { properties.scan = isInterlaced ? .interlaced : .progressive }
        return properties
    }
}

extension PacketLog {
    fileprivate init(index: [MediaFile.IndexEntry], _ timeBase: Rational) {
        self.init(
            timeBase: timeBase,
            entries: index.map {
                Entry(
                    time: $0.decodingTime, decodingTime: $0.decodingTime, byteCount: $0.byteCount,
                    isKeyFrame: $0.isKeyFrame, isDiscarded: $0.isDiscarded)
            })
    }
}

extension PacketLog.Entry {
    fileprivate init(_ packet: MediaPacket) {
        self.init(
            time: packet.presentationTime ?? packet.decodingTime, decodingTime: packet.decodingTime,
            duration: packet.duration, byteCount: packet.bytes.count, isKeyFrame: packet.isKeyFrame,
            isDiscarded: packet.isDiscarded)
    }
}

extension MediaStream {
    fileprivate mutating func complete(with log: PacketLog, mostGap: Double?) {
        if log.isWhole { seconds = mostGap.map { log.seconds(gapsUpTo: $0) } ?? seconds ?? log.seconds }
        bitRate = bitRate ?? log.bitRate
        peakBitRate = log.peakBitRate
        irregularities = kind == .video ? log.irregularities : log.irregularities.filter { !$0.contains("edit list") }
        guard var picture, kind == .video else { return }
        let finding = log.frameRate(guess: picture.frameRate)
        picture.frameRateMode = finding.mode
        picture.frameRate = finding.rate ?? picture.frameRate
        picture.keyFrameInterval = log.keyFrameInterval
        if log.isWhole { picture.frameCount = log.shownCount }
        self.picture = picture
    }

    /// Codecs whose pictures are never interlaced.
    private static let progressive: Set<String> = [
        "vp8", "vp9", "av1", "hevc", "h263", "theora", "gif", "apng", "png", "webp", "flv1", "svq1", "svq3", "cinepak",
        "msmpeg4v3", "msmpeg4v2", "wmv1", "wmv2", "rv30", "rv40", "qtrle", "vvc",
    ]

    /// Whether its first pictures have to be decoded to know it.
    fileprivate var needsPictures: Bool {
        guard let picture else { return false }
        let color = picture.color
        let isUnknown = picture.pixelFormat == "unknown" || picture.size.pixels == 0
        // HEVC may name HLG apart, in a message beside the pictures.
        let mayBeHLG = codec == "hevc" && color.primaries == "bt2020" && color.dynamicRange == .sdr
        let lacksPeak = color.dynamicRange == .pq && picture.peakLuminance == nil
        return isUnknown || mayBeHLG || lacksPeak || picture.scan == .unknown && !Self.progressive.contains(codec)
    }
}

extension VideoProperties {
    /// A codec that is never interlaced leaves the scan open.
    fileprivate var settled: VideoProperties {
        var settled = self
        if settled.scan == .unknown { settled.scan = .progressive }
        return settled
    }

    /// Fills in what the container leaves open.
    package mutating func complete(with frame: Frame) {
        if size.pixels == 0 { size = frame.size }
        if pixelFormat == "unknown" {
            pixelFormat = frame.pixelFormatName
            bitDepth = Int(frame.descriptor.comp.0.depth)
            hasAlpha = hasAlpha || frame.has(AV_PIX_FMT_FLAG_ALPHA)
        }
        let told = frame.color
        if color.primaries == "unknown" { color.primaries = told.primaries }
        if color.matrix == "unknown" { color.matrix = told.matrix }
        if color.transfer == "unknown" || told.dynamicRange != .sdr { color.transfer = told.transfer }
        color.isFullRange = color.isFullRange || told.isFullRange
        peakLuminance = peakLuminance ?? frame.peakLuminance
    }
}
