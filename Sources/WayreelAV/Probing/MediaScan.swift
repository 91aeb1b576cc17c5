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

    private let file: Demuxer
    private let limits: VideoLimits
    private let effort: Effort
    private let watch: TaskWatch

    /// What `source` holds.
    ///
    /// Of a pipe only that is told which its beginning tells. Throws what opening the file throws, and what `watch` does.
    package static func info(
        of source: MediaInput, limits: VideoLimits = .standard, effort: Effort = Effort(), watch: TaskWatch
    ) throws(MediaError) -> MediaInfo {
        try info(of: Demuxer(source, limits: limits, watch: watch), limits: limits, effort: effort, watch: watch)
    }

    /// What `file`, of which nothing was read, holds. Where its container has told all, nothing was read of it either then.
    package static func info(
        of file: Demuxer, limits: VideoLimits = .standard, effort: Effort = Effort(), watch: TaskWatch
    ) throws(MediaError) -> MediaInfo {
        try MediaScan(file: file, limits: limits, effort: effort, watch: watch).info()
    }

    private func info() throws(MediaError) -> MediaInfo {
        var info = file.info
        let isFile = info.bytes != nil
        // The packets of an encrypted stream tell nothing.
        let timed = info.streams.filter { $0.encryption == nil && ($0.kind == .video || $0.kind == .sound) }.map(
            \.index)
        var logs = indexLogs(of: timed)
        let isIndexed = logs.count == timed.count
        if !isIndexed { logs = [:] }
        var pictures: [Int: FirstPictures] = [:]
        for stream in info.streams where stream.needsPictures && stream.encryption == nil && isFile {
            // One that cannot be decoded is for others to report, who decode it for its pictures.
            pictures[stream.index] = try? FirstPictures(of: stream.index, in: file, limits: limits)
        }
        if isFile { try read(isIndexed ? [] : timed, &logs, pictures) }
        for (stream, log) in logs { info.streams[stream].complete(with: log, maxTimestampGap: file.maxTimestampGap) }
        if !isIndexed {
            for (stream, log) in logs where log.lacksDisplayTimes && file.mayReorder(stream) {
                info.streams[stream].irregularities.append("its packets do not tell the display order of its frames")
            }
        }
        for stream in logs.keys where file.changesSize(of: stream) {
            info.streams[stream].irregularities.append("its size changes on the way")
        }
        if info.seconds == nil || file.maxTimestampGap != nil {
            info.seconds = info.streams.compactMap(\.seconds).max()
        }
        if isFile, file.isMovie { try settleLength(of: &info, logs) }
        for stream in info.streams where stream.kind == .video {
            guard let told = stream.picture else { continue }
            info.streams[stream.index].picture =
                stream.needsPictures && isFile ? pictures[stream.index]?.completed(told) ?? told : told.settled
            if file.changesScan(of: stream.index) { info.streams[stream.index].picture?.scan = .interlaced }
        }
        return info
    }

    /// The header of an MP4 file may tell of any length. What counts is what its index tells of, or its fragments; where the last
    /// of these was cut off, the header is believed.
    private func settleLength(of info: inout MediaInfo, _ logs: [Int: PacketLog]) throws(MediaError) {
        let fragmented = logs.filter { !file.hasIndex(of: $0.key) }
        var isWhole = fragmented.values.allSatisfy(\.isWhole)
        if isWhole, !fragmented.isEmpty { isWhole = try file.endsWithBox() }
        for (index, log) in fragmented {
            // FFmpeg gives the end of the last fragment for the length of the stream.
            let told = info.streams[index].seconds.map { $0 - file.origin - max(0, info.streams[index].start) }
            info.streams[index].seconds = isWhole ? log.seconds : [told, log.seconds].compactMap(\.self).max()
        }
        guard isWhole, let header = info.seconds,
            let last = info.streams.compactMap(\.end).max(), last > 0, header > last
        else { return }
        info.seconds = last
        if header > (last + file.origin) * 1.01 + 0.5 { info.headerSeconds = header }
    }

    /// What the container's index says of the packets of streams that it has one of.
    private func indexLogs(of streams: [Int]) -> [Int: PacketLog] {
        Dictionary(
            uniqueKeysWithValues: streams.compactMap { stream in
                file.index(of: stream).map { (stream, PacketLog(index: $0, file.timeBase(of: stream))) }
            })
    }

    /// Reads the packets of `streams` into `logs`, and as many as it takes to decode the first `pictures`.
    private func read(
        _ streams: [Int], _ logs: inout [Int: PacketLog], _ pictures: [Int: FirstPictures]
    ) throws(MediaError) {
        for stream in streams { logs[stream] = PacketLog(timeBase: file.timeBase(of: stream)) }
        var open = Set(pictures.keys)
        guard !streams.isEmpty || !open.isEmpty else { return }
        file.select(open.union(streams))
        var bytes = 0
        while !streams.isEmpty || !open.isEmpty, let packet = try file.next() {
            try watch.check()
            if !streams.isEmpty { logs[packet.stream]?.append(PacketLog.Entry(packet)) }
            bytes += packet.bytes.count
            if open.contains(packet.stream), let first = pictures[packet.stream] {
                try first.take(packet)
                if first.isDone {
                    open.remove(packet.stream)
                    file.select(open.union(streams))
                }
            }
            guard bytes < effort.bytes else {
                for stream in streams { logs[stream]?.isWhole = false }
                break
            }
        }
        for stream in open { try pictures[stream]?.end() }
    }
}

/// The first pictures of a stream, decoded for what they tell of it where the container is silent.
private final class FirstPictures {
    /// Pictures that are decoded to see whether any is interlaced, and packets that may be spent on them.
    private static let pictureCount = 12
    private static let packetCount = 300

    private let decoder: VideoDecoder
    private var first: Frame?
    private var isInterlaced = false
    private var count = 0
    private var packets = 0

    init(of stream: Int, in file: Demuxer, limits: VideoLimits) throws(MediaError) {
        decoder = try VideoDecoder(file, stream: stream, threads: 1, limits: limits)
    }

    var isDone: Bool { count >= Self.pictureCount || packets >= Self.packetCount }

    func take(_ packet: Packet) throws(MediaError) {
        packets += 1
        try decode(packet)
        if packets == Self.packetCount { try end() }
    }

    /// There are no more packets.
    func end() throws(MediaError) { if count < Self.pictureCount { try decode(nil) } }

    private func decode(_ packet: Packet?) throws(MediaError) {
        try decoder.decode(packet) { (frame) throws(MediaError) in
            if first == nil { first = try frame.copy() }
            isInterlaced = isInterlaced || frame.isInterlaced
            count += 1
        }
    }

    func completed(_ told: VideoProperties) -> VideoProperties {
        guard let first else { return told }
        var properties = told
        properties.complete(with: first)
        if properties.scan == .unknown { properties.scan = isInterlaced ? .interlaced : .progressive }
        return properties
    }
}

extension PacketLog {
    fileprivate init(index: [Demuxer.IndexEntry], _ timeBase: Rational) {
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
    fileprivate init(_ packet: Packet) {
        self.init(
            time: packet.presentationTime ?? packet.decodingTime, decodingTime: packet.decodingTime,
            duration: packet.duration, byteCount: packet.bytes.count, isKeyFrame: packet.isKeyFrame,
            isDiscarded: packet.isDiscarded, hasDisplayTime: packet.presentationTime != nil)
    }
}

extension MediaStream {
    fileprivate mutating func complete(with log: PacketLog, maxTimestampGap: Double?) {
        if log.isWhole { seconds = maxTimestampGap.map { log.seconds(gapsUpTo: $0) } ?? seconds ?? log.seconds }
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
