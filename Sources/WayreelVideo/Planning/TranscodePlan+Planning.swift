public import WayreelCore
internal import WayreelImage

extension TranscodePlan {
    /// What becomes of a file that holds `info`, with everything that its packets and first pictures tell.
    ///
    /// Throws a `parameter` error for options that make no sense, also for this file, an `unsupported` or `decoding` one where
    /// there are no pictures to be shown.
    public init(of info: MediaInfo, _ options: TranscodeOptions) throws(MediaError) {
        try options.check()
        let subtitles = SubtitlePlan.all(of: info, options.subtitles ?? SubtitleSettings())
        let choice = try StreamChoice(info, options.sound, taken: subtitles.compactMap(\.stream))
        try Self.checkColors(choice.picture)
        let range = try options.range.map { (range) throws(MediaError) in
            try range.settled(on: choice.video, choice.picture, seconds: info.seconds)
        }
        let audio = choice.audio.map {
            AudioPlan($0.stream, format: $0.format, track: $0.number, range: range, options)
        }
        let source = PictureSource(info, choice.video, choice.picture, range: range, options)
        self.init(
            source: info, range: range, picture: try source.plan(audio: audio), sound: audio.first,
            furtherAudio: Array(audio.dropFirst()), subtitles: subtitles,
            dropped: choice.dropped, warnings: choice.warnings + source.warnings)
    }

    /// Dolby Vision profile 5 has no signal that others than its own decoders can show.
    private static func checkColors(_ picture: VideoProperties) throws(MediaError) {
        guard let profile = picture.dolbyVision, profile.hasPrefix("5.") || profile.hasSuffix(".0") && profile != "7.0"
        else { return }
        throw MediaError(
            .unsupported, step: "plan",
            reason: "its colours are those of Dolby Vision \(profile), which only its own decoders know",
            advice: "export it as HDR10, HLG or Dolby Vision 8.4")
    }
}

/// The pictures of a file, on the way to their plan.
private struct PictureSource {
    let info: MediaInfo
    let stream: MediaStream
    let picture: VideoProperties
    let range: TimeRange?
    let options: TranscodeOptions
    let geometry: FrameGeometry
    let colors: SourceColors
    let timing: FrameTiming
    let encoder: VideoEncoderInfo

    /// What phones decode in one picture, and in HLS Apple's devices (level 4.2): larger ones are made smaller.
    private static let largest = PixelSize(width: 3840, height: 2160)
    private static let largestOfHLS = PixelSize(width: 1920, height: 1080)

    init(
        _ info: MediaInfo, _ stream: MediaStream, _ picture: VideoProperties, range: TimeRange?,
        _ options: TranscodeOptions
    ) {
        self.info = info
        self.stream = stream
        self.picture = picture
        self.range = range
        self.options = options
        let box = if case .hls = options.delivery { Self.largestOfHLS } else { Self.largest }
        geometry = FrameGeometry(picture, framing: options.framing, box: box)
        colors = SourceColors(picture)
        encoder = VideoEncoderInfo.of(options.picture.codec)
        let limit = options.picture.maxFrameRate
        let plain = FrameTiming(picture, start: stream.start - (range?.start ?? 0), limit: limit)
        timing = options.delivery.hls == nil ? plain : plain.filled(for: picture, limit: limit)
    }

    var warnings: [String] {
        var warnings: [String] = []
        if colors.isGuess {
            warnings.append(
                "FFmpeg does not convert its colours (matrix \(picture.color.matrix), transfer \(picture.color.transfer)); "
                    + "they are taken for BT.709")
        }
        if let rate = picture.frameRate, rate.value > options.limits.framesPerSecond {
            warnings.append(
                "its timestamps tell of \(Int(min(rate.value, 1e9))) pictures a second; at most "
                    + "\(options.picture.maxFrameRate ?? FrameTiming.most) are kept")
        }
        return warnings
    }

    func plan(audio: [AudioPlan]) throws(MediaError) -> VideoPlan {
        let obstacles = compliance.reasons
        let isCopied = obstacles.isEmpty
        let chains = FilterChains(
            geometry: geometry, colors: colors, deinterlacing: deinterlacing,
            background: picture.hasAlpha ? options.picture.background : nil)
        return VideoPlan(
            stream: stream.index, action: isCopied ? .copy : .transcode,
            reasons: isCopied ? ["every phone plays it as it is"] : obstacles, timing: timing,
            sharedChain: isCopied ? "" : chains.shared,
            renditions: try isCopied ? [] : renditions(chains, audio),
            keyFrameInterval: isCopied ? nil : keyFrameInterval, partSeconds: isCopied ? nil : partSeconds,
            range: range)
    }

    private var compliance: VideoCompliance {
        VideoCompliance(
            stream: stream, picture: picture, geometry: geometry, colors: colors, timing: timing, options: options,
            bytes: info.bytes)
    }

    private var deinterlacing: FilterChains.Deinterlacing {
        switch options.picture.deinterlacing {
        case .always: .all
        case .never: .none
        case .automatic: picture.scan == .interlaced ? .marked : .none
        }
    }

    // MARK: Key frames

    /// Seconds between key frames in a file of its own.
    private static let fileInterval = 10.0

    /// The encoder counts pictures, which says nothing of seconds where their rate varies. In HLS all renditions have to have
    /// their key frames at the same instants.
    private var keyFrameInterval: Double? {
        guard encoder.takesKeyFrames else { return nil }
        if case .hls(let hls) = options.delivery { return hls.keyFrameInterval }
        return timing.grid == nil ? Self.fileInterval : nil
    }

    private func keyFrames() throws(MediaError) -> VideoEncoderInfo.KeyFrames {
        let rate = timing.rate(of: picture)
        guard case .hls(let hls) = options.delivery else {
            return VideoEncoderInfo.KeyFrames(distance: max(1, Int(Self.fileInterval * rate)), areOnlyAsked: false)
        }
        guard encoder.takesKeyFrames else {
            guard timing.grid != nil else {
                throw MediaError(
                    .unsupported, step: "plan",
                    reason:
                        "its pictures come at a rate that varies, and \(encoder.name) cannot cut them into segments",
                    advice: "choose h264 or hevc for HLS")
            }
            return VideoEncoderInfo.KeyFrames(
                distance: max(1, Int((hls.keyFrameInterval * rate).rounded())), areOnlyAsked: true)
        }
        // A few more than those of an interval, so that the encoder's own count never comes first.
        let most = timing.grid == nil ? FrameTiming.most.value * 4 : rate
        return VideoEncoderInfo.KeyFrames(
            distance: Int((hls.keyFrameInterval * most).rounded(.up)) + 2, areOnlyAsked: true)
    }

    /// Of the output, where that is known.
    private var seconds: Double? {
        let whole = [stream.seconds, info.seconds].compactMap(\.self).max()
        return range?.length(in: whole) ?? whole
    }

    // MARK: Parts

    /// Videos of so many seconds are encoded in parts unless the options say otherwise.
    private static let longSeconds = 600.0

    /// Some seconds, and whole segments where there are such. A size that is not to be exceeded takes two passes over the whole.
    private var partSeconds: Double? {
        if case .maxBytes = options.picture.rate { return nil }
        guard options.isResumable ?? (seconds ?? 0 >= Self.longSeconds) else { return nil }
        let seconds = 10.0
        guard case .hls(let hls) = options.delivery else { return seconds }
        return hls.segmentSeconds * max(1, (seconds / hls.segmentSeconds).rounded())
    }

    // MARK: Renditions

    private func renditions(
        _ chains: FilterChains, _ audio: [AudioPlan]
    ) throws(MediaError) -> [RenditionPlan] {
        guard case .hls(let hls) = options.delivery else {
            return [try rendition(geometry.size, try fileRate(audio), chains)]
        }
        let steps = Ladder.steps(
            options.picture.codec, size: geometry.size, bitRate: worth, asked: hls.ladder)
        return try steps.map { (step) throws(MediaError) in
            try rendition(step.size, .capped(step.bitRate), chains)
        }
    }

    private func rendition(
        _ size: PixelSize, _ rate: RenditionRate, _ chains: FilterChains
    ) throws(MediaError) -> RenditionPlan {
        let preset = try encoder.preset(options.picture.preset)
        let level = H264Level.lowest(
            for: size, rate: timing.rate(of: picture), bitRate: rate.maxBitRate ?? rate.bitRate)
        let threads = encoder.threads(for: rate)
        return RenditionPlan(
            size: size, chain: chains.rendition(size), plainSource: chains.plainSource, codec: options.picture.codec,
            rate: rate, encoder: encoder.name,
            options: encoder.options(preset: preset, level: level, keyFrames: try keyFrames(), threads: threads),
            threads: threads)
    }

    /// Bits per second that a codec needs for the same quality, by those of H.264: rough, from published comparisons.
    private static let needs = [
        "mpeg1video": 2.5, "mpeg2video": 2, "h263": 2, "mpeg4": 1.6, "vp8": 1.1, "h264": 1, "vp9": 0.7, "hevc": 0.6,
        "av1": 0.5,
    ]

    /// How many more bits an encoding needs that starts from one with its own errors.
    private static let secondGeneration = 1.5

    /// Bits per second of the codec asked for that can hold all that the source has; nil where that cannot be told.
    private var worth: Int? {
        guard let bitRate = stream.bitRate, let own = Self.needs[stream.codec],
            let asked = Self.needs[options.picture.codec.rawValue]
        else { return nil }
        return Int((Double(bitRate) / own * asked * Self.secondGeneration).rounded())
    }

    private func fileRate(_ audio: [AudioPlan]) throws(MediaError) -> RenditionRate {
        var rate: RenditionRate
        switch options.picture.rate {
        case .standard: rate = RenditionRate(factor: encoder.usualFactor)
        case .factor(let factor): rate = RenditionRate(factor: factor)
        case .quality(let target): rate = RenditionRate(quality: target)
        case .maxBytes(let bytes): rate = RenditionRate(bitRate: try bitRate(for: bytes, audio), maxBytes: bytes)
        }
        if let own = capOfSource {
            rate.maxBitRate = own
            rate.bufferBits = own * 2
            rate.bitRate = rate.bitRate.map { min($0, own) }
        }
        return rate
    }

    /// Encoded again as it was, it must not become larger. Of plenty no cap is needed, which would cost the encoder its threads.
    private var capOfSource: Int? {
        guard stream.codec == options.picture.codec.rawValue, geometry.size == geometry.displayed,
            let bitRate = stream.bitRate, Double(bitRate) <= compliance.plenty
        else { return nil }
        // FFmpeg counts the buffer of twice as much in 32 bits.
        return min(max(bitRate, 50_000), 1_000_000_000)
    }

    /// Of a file: its index, and what the muxer keeps about each packet.
    private static let bytesPerPacket = 16.0
    private static let bytesOfHeader = 4000.0

    /// What is left for pictures of so many bytes.
    private func bitRate(for bytes: Int, _ audio: [AudioPlan]) throws(MediaError) -> Int {
        guard let seconds, seconds > 0 else {
            throw MediaError(
                .unsupported, step: "plan", reason: "how long it is is not known, so a size cannot be kept to",
                advice: "leave --max-bytes out")
        }
        let packets = seconds * (timing.rate(of: picture) + audio.reduce(0) { $0 + Double($1.sampleRate) / 1024 })
        let others =
            Double(audio.reduce(0) { $0 + $1.bitRate }) * seconds / 8 + packets * Self.bytesPerPacket
            + Self.bytesOfHeader
        let rate = (Double(bytes) - others) * 8 / seconds
        guard rate >= 10_000 else {
            let least = Int(((others + 10_000 * seconds / 8) / 1000).rounded(.up))
            throw MediaError(
                .parameter, step: "plan", reason: "\(seconds.rounded(to: 1)) s do not fit into \(bytes) bytes",
                advice: "use \(least) kB or more")
        }
        return Int(min(rate, 200_000_000))
    }
}

extension RenditionRate {
    /// So many bits per second on average, and no more than 1.5 times as many in any stretch: the peak of segments stays below
    /// 200 % of the average, as HLS has it.
    fileprivate static func capped(_ bitRate: Int) -> RenditionRate {
        RenditionRate(bitRate: bitRate, maxBitRate: bitRate * 3 / 2, bufferBits: bitRate * 3 / 2)
    }
}
