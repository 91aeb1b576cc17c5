package import WayreelCore

/// Probes the properties of streams that a container does not declare: from its index or else its packets, and from the
/// first frames.
package struct MediaScan {
    /// The part of a file that is read for its packets. The limit is in bytes, not in time, so that results do not
    /// depend on the machine.
    package struct Effort: Hashable, Sendable {
        package var bytes: Int

        package init(bytes: Int = 1 << 29) { self.bytes = bytes }
    }

    private let file: Demuxer
    private let limits: VideoLimits
    private let effort: Effort
    private let task: TaskContext

    /// Probes `input`. Only the beginning of a pipe is used.
    ///
    /// Throws the errors of opening the file and the errors of `task`.
    package static func info(
        of input: MediaInput, limits: VideoLimits = .standard, effort: Effort = Effort(), task: TaskContext
    ) throws(MediaError) -> MediaInfo {
        try info(of: Demuxer(input, limits: limits, task: task), limits: limits, effort: effort, task: task)
    }

    /// Probes `file`, from which no packet was read yet. Reads none if the container declares everything.
    package static func info(
        of file: Demuxer, limits: VideoLimits = .standard, effort: Effort = Effort(), task: TaskContext
    ) throws(MediaError) -> MediaInfo {
        try MediaScan(file: file, limits: limits, effort: effort, task: task).info()
    }

    private func info() throws(MediaError) -> MediaInfo {
        var info = file.info
        let isFile = info.bytes != nil
        // Packets of an encrypted stream cannot be parsed.
        let timed = info.streams.filter { $0.encryption == nil && ($0.kind == .video || $0.kind == .audio) }
            .map(\.index)
        let indexed = indexLogs(of: timed)
        let isIndexed = indexed.count == timed.count
        let firstFrames = isFile ? openFirstFrames(of: info) : [:]
        var logs = isIndexed ? indexed : [:]
        if isFile { try read(isIndexed ? [] : timed, &logs, firstFrames) }
        complete(&info, with: logs, isIndexed: isIndexed)
        if isFile, file.traits.isISOMedia { try resolveLength(of: &info, logs) }
        if logs.values.allSatisfy(\.isWhole), file.maxTimestampGap == nil { resolveLengthBySize(of: &info) }
        complete(&info, with: firstFrames, isFile: isFile)
        return info
    }

    /// Sets the properties that are derived from packets.
    private func complete(_ info: inout MediaInfo, with logs: [Int: PacketLog], isIndexed: Bool) {
        for (stream, log) in logs {
            // The clock of chained Ogg starts again with each link.
            let isChained = info.container == "ogg" && log.jumpsBack
            info.streams[stream].complete(
                with: log, maxTimestampGap: file.maxTimestampGap ?? (isChained ? Self.maxLinkGap : nil))
            if isChained { info.seconds = nil }
            if !isIndexed, log.lacksDisplayTimes, file.mayReorder(stream) {
                info.streams[stream].irregularities.append("its packets do not declare the display order of its frames")
            }
            if file.changesSize(of: stream) {
                info.streams[stream].irregularities.append("its size changes within the stream")
            }
        }
        if info.seconds == nil || file.maxTimestampGap != nil {
            info.seconds = info.streams.compactMap(\.seconds).max()
        }
    }

    /// The largest gap in a link of chained Ogg, in seconds.
    private static let maxLinkGap = 10.0

    /// Sets the properties that are derived from decoded frames.
    private func complete(_ info: inout MediaInfo, with firstFrames: [Int: FirstFrames], isFile: Bool) {
        for stream in info.streams where stream.kind == .video {
            guard var video = stream.videoProperties else { continue }
            if stream.needsFrames && isFile {
                video = firstFrames[stream.index]?.completing(video) ?? video
            } else if video.scan == .unknown {
                // Codecs without interlaced frames do not declare the scan.
                video.scan = .progressive
            }
            if file.changesScan(of: stream.index) { video.scan = .interlaced }
            info.streams[stream.index].videoProperties = video
        }
    }

    /// Corrects the length in the header of an MP4 file by its index or its fragments. If the last fragment is missing,
    /// the header is used.
    private func resolveLength(of info: inout MediaInfo, _ logs: [Int: PacketLog]) throws(MediaError) {
        let fragmented = logs.filter { !file.hasIndex(of: $0.key) }
        var isWhole = fragmented.values.allSatisfy(\.isWhole)
        if isWhole, !fragmented.isEmpty { isWhole = try file.endsWithBox() }
        for (index, log) in fragmented {
            // FFmpeg reports the end of the last fragment as the length of the stream.
            let declared = info.streams[index].seconds.map { $0 - file.origin - max(0, info.streams[index].start) }
            info.streams[index].seconds = isWhole ? log.seconds : [declared, log.seconds].compactMap(\.self).max()
        }
        guard isWhole, let header = info.seconds,
            let last = info.streams.compactMap(\.end).max(), last > 0, header > last
        else { return }
        info.seconds = last
        if header > (last + file.origin) * 1.01 + 0.5 { info.headerSeconds = header }
    }

    /// Streams that end within this time of each other, in seconds, end at the same missing part.
    private static let commonEnd = 1.0

    /// Corrects the length in the header of a file that has all its bytes. In a file whose end is missing, the streams
    /// that end there are as long as the header says.
    private func resolveLengthBySize(of info: inout MediaInfo) {
        let timed = info.streams.filter { $0.kind == .video || $0.kind == .audio }
        guard let header = info.seconds, let last = timed.compactMap(\.end).max(), header > last * 1.01 + 0.5 else {
            return
        }
        if file.isTruncated {
            for stream in timed where stream.end.map({ $0 > last - Self.commonEnd }) ?? true {
                info.streams[stream.index].seconds = header - max(0, stream.start)
            }
        } else if file.isWhole, let last = info.streams.compactMap(\.end).max(), header > last * 1.01 + 0.5 {
            (info.seconds, info.headerSeconds) = (last, header)
        }
    }

    /// Opens decoders of the streams whose first frames are needed.
    private func openFirstFrames(of info: MediaInfo) -> [Int: FirstFrames] {
        var opened: [Int: FirstFrames] = [:]
        for stream in info.streams where stream.needsFrames && stream.encryption == nil {
            // A missing decoder is reported when the stream is decoded for its frames.
            opened[stream.index] = try? FirstFrames(of: stream.index, in: file, limits: limits)
        }
        return opened
    }

    /// Returns the packets of the streams that the container has an index of.
    private func indexLogs(of streams: [Int]) -> [Int: PacketLog] {
        streams.reduce(into: [:]) { logs, stream in
            logs[stream] = file.packetIndex(of: stream).map {
                PacketLog(timeBase: file.timeBase(of: stream), entries: $0)
            }
        }
    }

    /// Reads the packets of `streams` into `logs`, and decodes the first frames.
    private func read(
        _ streams: [Int], _ logs: inout [Int: PacketLog], _ firstFrames: [Int: FirstFrames]
    ) throws(MediaError) {
        for stream in streams { logs[stream] = PacketLog(timeBase: file.timeBase(of: stream)) }
        var open = Set(firstFrames.keys)
        guard !streams.isEmpty || !open.isEmpty else { return }
        file.select(open.union(streams))
        var links: [Int: OggLinks] = [:]
        if file.info.container == "ogg" {
            for stream in streams {
                links[stream] = OggLinks(try CodecParameters(copying: file.parameters(of: stream)))
            }
        }
        var bytes = 0
        while !streams.isEmpty || !open.isEmpty, let packet = try file.next() {
            try task.check()
            if let part = links[packet.stream]?.part(packet), part != .audio { continue }
            links[packet.stream]?.correctTimes(of: packet)
            if !streams.isEmpty { logs[packet.stream]?.append(PacketLog.Entry(packet)) }
            bytes += packet.bytes.count
            if open.contains(packet.stream), let frames = firstFrames[packet.stream] {
                try frames.decode(packet)
                if frames.isDone {
                    open.remove(packet.stream)
                    file.select(open.union(streams))
                }
            }
            guard bytes < effort.bytes else {
                for stream in streams { logs[stream]?.isWhole = false }
                break
            }
        }
        for stream in open { try firstFrames[stream]?.finish() }
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
        irregularities = kind == .video ? log.irregularities : log.timingIrregularities
        guard var video = videoProperties, kind == .video else { return }
        let estimate = log.frameRate(guess: video.frameRate)
        video.frameRateMode = estimate.mode
        video.frameRate = estimate.rate ?? video.frameRate
        video.keyFrameInterval = log.keyFrameInterval
        if log.isWhole { video.frameCount = log.shownCount }
        videoProperties = video
    }

    /// Codecs without interlaced frames.
    private static let progressive: Set<String> = [
        "vp8", "vp9", "av1", "hevc", "h263", "theora", "gif", "apng", "png", "webp", "flv1", "svq1", "svq3", "cinepak",
        "msmpeg4v3", "msmpeg4v2", "wmv1", "wmv2", "rv30", "rv40", "qtrle", "vvc",
    ]

    /// Whether the first frames of the stream must be decoded for its properties.
    fileprivate var needsFrames: Bool {
        guard let video = videoProperties else { return false }
        let color = video.color
        let isUnknown = video.pixelFormat == "unknown" || video.size.pixels == 0
        // HEVC may signal HLG in an SEI message only.
        let mayBeHLG = codec == "hevc" && color.primaries == "bt2020" && color.dynamicRange == .sdr
        let lacksPeak = color.dynamicRange == .pq && video.peakLuminance == nil
        return isUnknown || mayBeHLG || lacksPeak || video.scan == .unknown && !Self.progressive.contains(codec)
    }
}
