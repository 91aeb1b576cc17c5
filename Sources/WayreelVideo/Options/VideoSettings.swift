public import WayreelCore
public import WayreelImage

/// The settings for encoding video.
public struct VideoSettings: Hashable, Sendable, Codable {
    public var codec: VideoCodec
    public var rate: RateTarget
    /// The encoder's preset; nil: `medium` for x264 and x265, `8` for SVT-AV1.
    public var preset: String?
    /// The maximum frame rate: 0.01 to 120 frames a second, for HLS up to 60; nil: that of the source, up to 60.
    public var maxFrameRate: Rational?
    public var deinterlacing: Deinterlacing
    /// The colour behind transparent frames.
    public var background: RGBColor
    /// The filters, which are applied in order to each frame at its final size.
    public var filters: [Filter]
    /// The overlays, which are drawn in order after the filters.
    public var overlays: [Overlay]
    /// Whether compliant streams are also encoded, including audio-only files.
    public var alwaysEncodes: Bool
    /// Whether video is omitted, for audio-only output.
    public var isDropped: Bool

    public init(
        codec: VideoCodec = .h264, rate: RateTarget = .standard, preset: String? = nil, maxFrameRate: Rational? = nil,
        deinterlacing: Deinterlacing = .automatic, background: RGBColor = .black, filters: [Filter] = [],
        overlays: [Overlay] = [], alwaysEncodes: Bool = false, isDropped: Bool = false
    ) {
        self.codec = codec
        self.rate = rate
        self.preset = preset
        self.maxFrameRate = maxFrameRate
        self.deinterlacing = deinterlacing
        self.background = background
        self.filters = filters
        self.overlays = overlays
        self.alwaysEncodes = alwaysEncodes
        self.isDropped = isDropped
    }

    public enum Deinterlacing: String, Hashable, Sendable, Codable, CaseIterable {
        /// Deinterlaces frames that are marked as interlaced, in streams that declare it.
        case automatic
        case always, never
    }
}

public enum VideoCodec: String, Hashable, Sendable, Codable, CaseIterable {
    /// High profile, by x264.
    case h264
    /// Main profile, by x265.
    case hevc
    /// Main profile, by SVT-AV1.
    case av1
}

/// The target that determines the bit rate of video.
public enum RateTarget: Hashable, Sendable, Codable {
    /// The default CRF of the codec: 23 for x264, 28 for x265, 35 for SVT-AV1.
    case standard
    /// The constant rate factor of the encoder.
    case crf(Double)
    /// The highest CRF that reaches a quality, found on samples of the video.
    case quality(QualityTarget)
    /// The maximum size of the whole file in bytes, reached in two passes.
    case maxBytes(Int)

    /// Whether it chooses a quality, other than the default.
    var isQuality: Bool {
        switch self {
        case .crf, .quality: true
        case .standard, .maxBytes: false
        }
    }

    public init(from decoder: any Decoder) throws {
        let target = try CaseDecoder(decoder)
        self =
            switch target.name {
            case "standard": .standard
            case "crf": .crf(try target.member("crf"))
            case "quality": .quality(try target.member("quality"))
            case "maxBytes": .maxBytes(try target.member("maxBytes"))
            default: throw target.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .standard: _ = try encoder.container(ofCase: "standard")
        case .crf(let crf): try encoder.encode(case: "crf", "crf", crf)
        case .quality(let quality): try encoder.encode(case: "quality", "quality", quality)
        case .maxBytes(let count): try encoder.encode(case: "maxBytes", "maxBytes", count)
        }
    }
}

/// The quality of encoded frames, compared with the encoder's input.
public enum QualityTarget: Hashable, Sendable, Codable {
    case low, medium, high
    /// SSIM × 100, of the luma: 90 to 99.9.
    case ssim(Double)

    /// Parses `low`, `medium`, `high` or SSIM × 100. Returns nil for anything else.
    package init?(_ text: String) {
        let names: [String: QualityTarget] = ["low": .low, "medium": .medium, "high": .high]
        guard let target = names[text] ?? Double(text).map({ .ssim($0) }) else { return nil }
        self = target
    }

    public init(from decoder: any Decoder) throws {
        let target = try CaseDecoder(decoder)
        self =
            switch target.name {
            case "low": .low
            case "medium": .medium
            case "high": .high
            case "ssim": .ssim(try target.member("ssim"))
            default: throw target.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .low: _ = try encoder.container(ofCase: "low")
        case .medium: _ = try encoder.container(ofCase: "medium")
        case .high: _ = try encoder.container(ofCase: "high")
        case .ssim(let similarity): try encoder.encode(case: "ssim", "ssim", similarity)
        }
    }
}
