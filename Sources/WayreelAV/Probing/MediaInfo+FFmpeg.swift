internal import CFFmpeg
internal import WayreelCore

extension MediaInfo {
    init(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ streams: [UnsafeMutablePointer<AVStream>], origin: Double,
        skippedSeconds: Double, bytes: Int?
    ) {
        let all = streams.map { MediaStream($0, of: context, origin: origin, skippedSeconds: skippedSeconds) }
        let isEstimated = context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        let whole = context.pointee.duration
        let length = Double(whole) / Double(AV_TIME_BASE) - skippedSeconds
        let declared = length > 0 && !isEstimated ? length : nil
        self.init(
            container: String(cString: context.pointee.iformat.pointee.name),
            seconds: declared ?? all.compactMap(\.seconds).max(), bytes: bytes, streams: all,
            chapters: MediaChapter.list(context, origin: origin),
            attribution: MediaAttribution(tagsOf: [context.pointee.metadata] + streams.map(\.pointee.metadata)))
    }
}

extension MediaAttribution {
    /// Reads the tags of a file and of its streams, where Ogg has them. FFmpeg gives those of all containers the same
    /// names (`av_metadata_conv`). Comments are no credits.
    fileprivate init?(tagsOf tags: [OpaquePointer?]) {
        func first(_ names: String...) -> String? {
            for name in names {
                for tags in tags {
                    if let value = av_dict_get(tags, name, nil, 0) { return String(cString: value.pointee.value) }
                }
            }
            return nil
        }
        self.init(author: first("artist", "author"), license: first("license", "copyright"))
    }
}

extension MediaStream {
    private static let maxTitleLength = 200

    /// `skippedSeconds`: the part of declared lengths that precedes `origin`.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>, origin: Double,
        skippedSeconds: Double
    ) {
        let parameters = stream.pointee.codecpar!
        let kind: Kind =
            switch parameters.pointee.codec_type {
            case AVMEDIA_TYPE_VIDEO: stream.isCover ? .cover : .video
            case AVMEDIA_TYPE_AUDIO: .audio
            case AVMEDIA_TYPE_SUBTITLE: .subtitles
            case AVMEDIA_TYPE_ATTACHMENT: .attachment
            default: .data
            }
        self.init(
            index: Int(stream.pointee.index), kind: kind, codec: CodecSupport.name(of: stream),
            isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0,
            start: stream.startTime.map { $0.seconds - origin } ?? 0)
        profile = avcodec_profile_name(parameters.pointee.codec_id, parameters.pointee.profile).map {
            String(cString: $0)
        }
        level = parameters.pointee.level > 0 ? Int(parameters.pointee.level) : nil
        language = av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) }
        if language == "und" { language = nil }
        title = av_dict_get(stream.pointee.metadata, "title", nil, 0).map {
            String(String(cString: $0.pointee.value).prefix(Self.maxTitleLength))
        }
        if stream.pointee.duration > 0 {
            let declared = Timestamp(stream.pointee.duration, in: Rational(timeBase: stream.pointee.time_base))
            seconds = declared.seconds > skippedSeconds ? declared.seconds - skippedSeconds : nil
        }
        bitRate = MediaStream.plausible(bitRate: parameters.pointee.bit_rate)
        undecodable = CodecSupport.obstacle(to: stream, in: String(cString: context.pointee.iformat.pointee.name))
        switch kind {
        case .video, .cover: videoProperties = VideoProperties(stream, of: context)
        case .audio:
            let layout = try? ChannelLayout(copying: &parameters.pointee.ch_layout)
            format = AudioFormat(sampleRate: Int(parameters.pointee.sample_rate), channels: layout?.channels ?? [])
            soleChannel = layout?.soleChannel
        default: break
        }
    }

    /// Returns the declared bits per second; nil if implausible.
    static func plausible(bitRate: Int64) -> Int? { (1...1_000_000_000_000).contains(bitRate) ? Int(bitRate) : nil }
}

extension UnsafeMutablePointer<AVStream> {
    fileprivate func sideData(_ type: AVPacketSideDataType) -> [UInt8]? {
        var size = 0
        guard let data = av_stream_get_side_data(self, type, &size), size > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: size))
    }
}

extension VideoProperties {
    init(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let parameters = stream.pointee.codecpar!.pointee
        let pixelFormat = AVPixelFormat(rawValue: parameters.format)
        let descriptor = av_pix_fmt_desc_get(pixelFormat)?.pointee
        self.init(
            size: PixelSize(width: Int(max(0, parameters.width)), height: Int(max(0, parameters.height))),
            pixelAspect: Rational(av_guess_sample_aspect_ratio(context, stream, nil)) ?? 1,
            orientation: Orientation(displayMatrixOf: stream),
            pixelFormat: av_get_pix_fmt_name(pixelFormat).map { String(cString: $0) } ?? "unknown",
            bitDepth: descriptor.map { Int($0.comp.0.depth) } ?? 8,
            hasAlpha: descriptor.map { $0.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 } ?? false
                || Self.hasSeparateAlpha(stream),
            color: VideoColor(
                primaries: parameters.color_primaries, transfer: parameters.color_trc, matrix: parameters.color_space,
                range: parameters.color_range),
            dolbyVision: Self.dolbyVision(stream), scan: Self.scan(parameters.field_order),
            frameRate: Rational(av_guess_frame_rate(context, stream, nil)),
            peakLuminance: HDRMetadata.peak(
                light: stream.sideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL),
                display: stream.sideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA)))
    }

    private static func scan(_ order: AVFieldOrder) -> Scan {
        switch order {
        case AV_FIELD_PROGRESSIVE: .progressive
        case AV_FIELD_UNKNOWN: .unknown
        default: .interlaced
        }
    }

    /// Returns whether the container declares a separate alpha stream, as for VP8 and VP9.
    private static func hasSeparateAlpha(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0)?.pointee.value[0] == CChar(UInt8(ascii: "1"))
    }

    private static func dolbyVision(_ stream: UnsafeMutablePointer<AVStream>) -> String? {
        guard let data = stream.sideData(AV_PKT_DATA_DOVI_CONF),
            data.count >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        else { return nil }
        let record = data.withUnsafeBytes { $0.loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self) }
        return "\(record.dv_profile).\(record.dv_bl_signal_compatibility_id)"
    }
}

extension Orientation {
    init(displayMatrixOf stream: UnsafeMutablePointer<AVStream>) {
        guard let data = stream.sideData(AV_PKT_DATA_DISPLAYMATRIX), data.count >= 36 else {
            self = .upright
            return
        }
        let number = { (index: Int) in
            Int(data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self) })
        }
        self.init(xAxis: (number(0), number(1)), yAxis: (number(3), number(4)))
    }
}

/// HDR metadata about luminance (CTA-861.3 and SMPTE ST 2086).
enum HDRMetadata {
    /// The largest valid luminance, in cd/m².
    private static let maxLuminance = 10_000.0

    /// Returns the peak luminance of the content, or else of its mastering display, in cd/m²; nil if neither is known.
    static func peak(light: [UInt8]?, display: [UInt8]?) -> Double? {
        let content = light.flatMap { load(AVContentLightMetadata.self, from: $0) }.map { Double($0.MaxCLL) }
        return [content, display.flatMap(displayPeak)].compactMap(\.self).first { $0 >= 1 && $0 <= maxLuminance }
    }

    private static func displayPeak(_ bytes: [UInt8]) -> Double? {
        guard let metadata = load(AVMasteringDisplayMetadata.self, from: bytes), metadata.has_luminance != 0,
            metadata.max_luminance.den > 0
        else { return nil }
        return Double(metadata.max_luminance.num) / Double(metadata.max_luminance.den)
    }

    private static func load<Metadata: BitwiseCopyable>(_: Metadata.Type, from bytes: [UInt8]) -> Metadata? {
        guard bytes.count >= MemoryLayout<Metadata>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Metadata.self) }
    }
}

extension MediaChapter {
    private static let maxCount = 1000
    private static let maxTitleLength = 500

    /// Returns the chapters of an open file with plausible times, by their start.
    static func list(_ context: UnsafeMutablePointer<AVFormatContext>, origin: Double) -> [MediaChapter] {
        let count = min(Int(context.pointee.nb_chapters), maxCount)
        let chapters = (0..<count).compactMap { index -> MediaChapter? in
            guard let chapter = context.pointee.chapters[index]?.pointee, let unit = Rational(chapter.time_base)
            else { return nil }
            let start = Double(chapter.start) * unit.value - origin
            let end = Double(chapter.end) * unit.value - origin
            guard start.magnitude < 1e9, end.magnitude < 1e9, end > start, end > 0 else { return nil }
            let title = av_dict_get(chapter.metadata, "title", nil, 0).map { String(cString: $0.pointee.value) }
            return MediaChapter(start: max(0, start), end: end, title: title.map { String($0.prefix(maxTitleLength)) })
        }
        return chapters.sorted { $0.start < $1.start }
    }
}
