public import WayreelCore
internal import WayreelImage

extension TranscodePlan {
    /// Plans the transcode of a file described by `info`: its header, packets and first frames. `constraints`: what is
    /// known about it besides.
    ///
    /// Throws a `parameter` error for options that are invalid for it, and an `unsupported` or `decoding` error if it
    /// has neither video that can be shown nor audio that can be played.
    public init(
        of info: MediaInfo, _ options: TranscodeOptions, _ constraints: PlanConstraints? = nil
    ) throws(MediaError) {
        try options.check()
        let subtitles = SubtitlePlan.all(of: info, options.subtitles ?? SubtitleSettings())
        let choice = try StreamChoice(info, options, taken: subtitles.compactMap(\.stream))
        if let video = choice.video { try Self.checkColors(video.properties) }
        let range = try options.range.map { (range) throws(MediaError) in
            try range.aligned(to: choice.video, seconds: info.seconds)
        }
        let known = constraints ?? PlanConstraints()
        let audio = choice.audio.map { AudioPlan($0, range: range, options, known) }
        let source = choice.video.map { VideoSource(info, $0.stream, $0.properties, range: range, options, known) }
        self.init(
            source: info, range: range, video: try source?.plan(audio: audio), audio: audio, subtitles: subtitles,
            dropped: choice.dropped, warnings: choice.warnings + (source?.warnings ?? []),
            constraints: constraints)
    }

    /// Dolby Vision profile 5 has a signal that only its own decoders can display.
    private static func checkColors(_ video: VideoProperties) throws(MediaError) {
        guard let profile = video.dolbyVision, profile.hasPrefix("5.") || profile.hasSuffix(".0") && profile != "7.0"
        else { return }
        throw MediaError(
            .unsupported, step: .plan,
            reason: "its colours are those of Dolby Vision \(profile), which only its own decoders know",
            advice: "export it as HDR10, HLG or Dolby Vision 8.4")
    }
}

/// The video of a source, from which its plan is made.
private struct VideoSource {
    let info: MediaInfo
    let stream: MediaStream
    let properties: VideoProperties
    let range: TimeRange?
    let options: TranscodeOptions
    let constraints: PlanConstraints
    let geometry: FrameGeometry
    let colors: SourceColors
    let timing: FrameTiming
    let encoder: VideoEncoderInfo

    /// The largest frames that phones decode; ``maxHLSSize`` is the limit for Apple's devices in HLS (level 4.2).
    private static let maxSize = PixelSize(width: 3840, height: 2160)
    private static let maxHLSSize = PixelSize(width: 1920, height: 1080)

    init(
        _ info: MediaInfo, _ stream: MediaStream, _ properties: VideoProperties, range: TimeRange?,
        _ options: TranscodeOptions, _ constraints: PlanConstraints
    ) {
        self.info = info
        self.stream = stream
        self.properties = properties
        self.range = range
        self.options = options
        self.constraints = constraints
        let box = if case .hls = options.delivery { Self.maxHLSSize } else { Self.maxSize }
        geometry = FrameGeometry(properties, framing: options.framing, box: box)
        colors = SourceColors(properties)
        encoder = VideoEncoderInfo.of(options.video.codec)
        let limit = options.video.maxFrameRate
        let plain = FrameTiming(properties, start: stream.start - (range?.start ?? 0), limit: limit)
        timing = options.delivery.hls == nil ? plain : plain.filled(limit: limit)
    }

    var warnings: [String] {
        var warnings: [String] = []
        if colors.isGuess {
            warnings.append(
                "FFmpeg does not convert its colours (matrix \(properties.color.matrix), transfer \(properties.color.transfer)); "
                    + "they are treated as BT.709")
        }
        if let rate = properties.frameRate, rate.value > options.limits.framesPerSecond {
            warnings.append(
                "its timestamps say \(Int(min(rate.value, 1e9))) frames a second; at most "
                    + "\(options.video.maxFrameRate ?? FrameTiming.maxRate) are kept")
        }
        if options.video.rate.isQuality, compliance.reasons.isEmpty {
            warnings.append("its video is copied without re-encoding, so that the chosen quality has no effect")
        }
        return warnings
    }

    func plan(audio: [AudioPlan]) throws(MediaError) -> VideoPlan {
        let obstacles = compliance.reasons
        let isCopied = obstacles.isEmpty
        let conversion = FrameConversion(
            geometry: geometry, colors: colors, deinterlacing: deinterlacing,
            background: properties.hasAlpha ? options.video.background : nil)
        return VideoPlan(
            stream: stream.index, action: isCopied ? .copy : .transcode,
            reasons: isCopied ? ["every phone plays it"] : obstacles, timing: timing,
            conversion: isCopied ? nil : conversion, renditions: try isCopied ? [] : renditions(audio),
            keyFrameInterval: isCopied ? nil : keyFrameInterval, chunkSeconds: isCopied ? nil : chunkSeconds,
            range: range)
    }

    private var compliance: VideoCompliance {
        VideoCompliance(
            stream: stream, video: properties, geometry: geometry, colors: colors, timing: timing, options: options,
            constraints: constraints, bytes: info.bytes)
    }

    private var deinterlacing: FrameConversion.Deinterlacing {
        switch options.video.deinterlacing {
        case .always: .all
        case .never: .none
        case .automatic: properties.scan == .interlaced || constraints.framesVary ? .marked : .none
        }
    }

    // MARK: Keyframes

    /// The seconds between keyframes in MP4.
    private static let fileInterval = 10.0

    /// The seconds between requested keyframes; nil if the encoder places them by counting frames, which does not
    /// measure time at a variable frame rate. In HLS, all renditions need their keyframes at the same times.
    private var keyFrameInterval: Double? {
        guard encoder.takesKeyFrames else { return nil }
        if case .hls(let hls) = options.delivery { return hls.keyFrameInterval }
        return timing.grid == nil ? Self.fileInterval : nil
    }

    private func keyFrames() throws(MediaError) -> VideoEncoderInfo.KeyFrames {
        let rate = timing.frameRate.value
        guard case .hls(let hls) = options.delivery else {
            return VideoEncoderInfo.KeyFrames(distance: max(1, Int(Self.fileInterval * rate)), areOnlyRequested: false)
        }
        guard encoder.takesKeyFrames else {
            guard timing.grid != nil else {
                throw MediaError(
                    .unsupported, step: .plan,
                    reason:
                        "its frame rate varies, and \(encoder.name) cannot cut it into segments",
                    advice: "choose h264 or hevc for HLS")
            }
            return VideoEncoderInfo.KeyFrames(
                distance: max(1, Int((hls.keyFrameInterval * rate).rounded())), areOnlyRequested: true)
        }
        // The distance is slightly longer than an interval, so that the encoder's own count never comes first.
        let maxRate = timing.grid == nil ? FrameTiming.maxRate.value * 4 : rate
        return VideoEncoderInfo.KeyFrames(
            distance: Int((hls.keyFrameInterval * maxRate).rounded(.up)) + 2, areOnlyRequested: true)
    }

    /// The length of the output, if known.
    private var seconds: Double? {
        let whole = [stream.seconds, info.seconds].compactMap(\.self).max()
        return range?.length(in: whole) ?? whole
    }

    // MARK: Chunks

    /// The length in seconds from which videos are encoded in chunks unless the options specify otherwise.
    private static let longSeconds = 600.0

    /// The length of chunks: some seconds, in HLS whole segments. A maximum size requires two passes over the whole
    /// video, without chunks.
    private var chunkSeconds: Double? {
        if case .maxBytes = options.video.rate { return nil }
        guard options.isResumable ?? (seconds ?? 0 >= Self.longSeconds) else { return nil }
        let seconds = 10.0
        guard case .hls(let hls) = options.delivery else { return seconds }
        return hls.segmentSeconds * max(1, (seconds / hls.segmentSeconds).rounded())
    }

    // MARK: Renditions

    private func parallelGOPs(_ hls: HLSOptions, largest: Int) throws(MediaError) -> Int {
        if let count = hls.parallelGOPs { return count }
        // Encoders with a single GOP save no time.
        let usual = try usualParallelGOPs(largest: largest)
        return (1...usual).last { Double(2 * $0) * hls.keyFrameInterval <= seconds ?? .infinity } ?? 1
    }

    /// With several encoders, a busy machine gives them more of its time, but each needs memory: up to 440 MB for
    /// 1920×1080.
    private func usualParallelGOPs(largest: Int) throws(MediaError) -> Int {
        guard encoder.takesKeyFrames, largest <= 1280 * 720 else { return 1 }
        let preset = try encoder.preset(options.video.preset)
        return largest <= 960 * 540 && VideoEncoderInfo.presetsWithShortLookahead.contains(preset) ? 3 : 2
    }

    private func renditions(_ audio: [AudioPlan]) throws(MediaError) -> [RenditionPlan] {
        guard case .hls(let hls) = options.delivery else {
            return [try rendition(geometry.size, try fileRate(audio))]
        }
        let steps = Ladder.steps(
            options.video.codec, size: geometry.size, bitRate: equivalentBitRate, requested: hls.ladder)
        let largest = steps.map(\.size.pixels).max() ?? 0
        let parallelGOPs = try parallelGOPs(hls, largest: largest)
        return try steps.map { (step) throws(MediaError) in
            var rendition = try rendition(step.size, .capped(step.bitRate))
            // In proportion to the pixels, rounded up.
            rendition.parallelGOPs = (step.size.pixels * parallelGOPs + largest - 1) / largest
            return rendition
        }
    }

    private func rendition(_ size: PixelSize, _ rate: RenditionRate) throws(MediaError) -> RenditionPlan {
        let preset = try encoder.preset(options.video.preset)
        let level = H264Level.lowest(
            for: size, rate: timing.frameRate.value, bitRate: rate.maxBitRate ?? rate.bitRate)
        let threads = encoder.threads(for: rate)
        return RenditionPlan(
            size: size, codec: options.video.codec, rate: rate, encoder: encoder.name,
            options: encoder.options(
                for: VideoEncoderInfo.Request(
                    preset: preset, level: level, keyFrames: try keyFrames(), threads: threads)),
            threads: threads)
    }

    /// Approximate bit rates of codecs at the same quality, relative to H.264, from published comparisons.
    private static let relativeBitRates = [
        "mpeg1video": 2.5, "mpeg2video": 2, "h263": 2, "mpeg4": 1.6, "vp8": 1.1, "h264": 1, "vp9": 0.7, "hevc": 0.6,
        "av1": 0.5,
    ]

    /// The factor for re-encoding a video that already has coding errors.
    private static let secondGeneration = 1.5

    /// The bit rate at which the output codec keeps the quality of the source; nil if it is unknown.
    private var equivalentBitRate: Int? {
        guard let bitRate = stream.bitRate, let own = Self.relativeBitRates[stream.codec],
            let output = Self.relativeBitRates[options.video.codec.rawValue]
        else { return nil }
        return Int((Double(bitRate) / own * output * Self.secondGeneration).rounded())
    }

    private func fileRate(_ audio: [AudioPlan]) throws(MediaError) -> RenditionRate {
        var rate: RenditionRate
        switch options.video.rate {
        case .standard: rate = RenditionRate(crf: encoder.defaultCRF)
        case .crf(let crf): rate = RenditionRate(crf: crf)
        case .quality(let target): rate = RenditionRate(quality: target)
        case .maxBytes(let bytes): rate = RenditionRate(bitRate: try bitRate(for: bytes, audio), maxBytes: bytes)
        }
        if let own = sourceCap {
            rate.maxBitRate = own
            rate.bufferBits = own * 2
            rate.bitRate = rate.bitRate.map { min($0, own) }
        }
        return rate
    }

    /// The bit rate of the source, as a limit if its size is kept, so that the output does not become larger. A
    /// generous bit rate needs no cap, which would prevent the encoder from using threads.
    private var sourceCap: Int? {
        guard stream.codec == options.video.codec.rawValue, geometry.size == geometry.displayed,
            let bitRate = stream.bitRate, Double(bitRate) <= compliance.generousBitRate
        else { return nil }
        // FFmpeg stores the buffer size, which is twice as large, in 32 bits.
        return min(max(bitRate, 50_000), 1_000_000_000)
    }

    /// The maximum size in bytes of MP4's index per packet, and of its header. A larger file would be encoded again.
    private static let maxBytesPerPacket = 16.0
    private static let maxBytesOfHeader = 4000.0

    /// Returns the bit rate that remains for the video in a file of `bytes`.
    private func bitRate(for bytes: Int, _ audio: [AudioPlan]) throws(MediaError) -> Int {
        guard let seconds, seconds > 0 else {
            throw MediaError(
                .unsupported, step: .plan, reason: "its length is unknown, so a size cannot be reached",
                advice: "leave \(.maxBytes) out")
        }
        let packets = seconds * (timing.frameRate.value + audio.reduce(0) { $0 + Double($1.sampleRate) / 1024 })
        let others =
            Double(audio.reduce(0) { $0 + $1.bitRate }) * seconds / 8 + packets * Self.maxBytesPerPacket
            + Self.maxBytesOfHeader
        let rate = (Double(bytes) - others) * 8 / seconds
        guard rate >= 10_000 else {
            let minimum = Int(((others + 10_000 * seconds / 8) / 1000).rounded(.up))
            throw MediaError(
                .parameter, step: .plan, reason: "\(seconds.rounded(to: 1)) s do not fit into \(bytes) bytes",
                advice: "use \(minimum) kB or more")
        }
        return Int(min(rate, 200_000_000))
    }
}

extension RenditionRate {
    /// Returns a rate of `bitRate` on average and at most 1.5 times as much over the buffer: the peak of segments
    /// stays below 200 % of the average, as HLS requires.
    fileprivate static func capped(_ bitRate: Int) -> RenditionRate {
        RenditionRate(bitRate: bitRate, maxBitRate: bitRate * 3 / 2, bufferBits: bitRate * 3 / 2)
    }
}
