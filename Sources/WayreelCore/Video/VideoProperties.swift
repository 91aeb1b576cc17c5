/// What the pictures of a video stream are like.
public struct VideoProperties: Hashable, Sendable, Codable {
    /// As coded, in pixels.
    public var size: PixelSize
    /// Width of a pixel by its height.
    public var pixelAspect: Rational
    /// How the coded picture has to be turned to stand upright.
    public var orientation: Orientation
    /// FFmpeg's name: `yuv420p`, `yuv420p10le`.
    public var pixelFormat: String
    /// Bits of a component.
    public var bitDepth: Int
    public var hasAlpha: Bool
    public var color: VideoColor
    /// `8.4`: profile and the signal it is compatible to.
    public var dolbyVision: String?
    public var scan: Scan
    /// Pictures a second, on average; nil where the file does not tell.
    public var frameRate: Rational?
    public var frameRateMode: FrameRateMode
    /// Seconds between key frames at most; nil where that was not looked at.
    public var keyFrameInterval: Double?
    /// Pictures in the stream; nil where they were not counted.
    public var frameCount: Int?
    /// Of HDR: cd/m² of the brightest content, or else of the display that it was made on; nil where the file does not tell.
    public var peakLuminance: Double?

    public enum Scan: String, Sendable, Codable {
        case progressive, interlaced, unknown
    }

    public enum FrameRateMode: String, Sendable, Codable {
        case constant, variable, unknown
    }

    public init(
        size: PixelSize, pixelAspect: Rational = 1, orientation: Orientation = .upright, pixelFormat: String,
        bitDepth: Int = 8, hasAlpha: Bool = false, color: VideoColor = VideoColor(), dolbyVision: String? = nil,
        scan: Scan = .progressive, frameRate: Rational? = nil, frameRateMode: FrameRateMode = .unknown,
        keyFrameInterval: Double? = nil, frameCount: Int? = nil, peakLuminance: Double? = nil
    ) {
        self.size = size
        self.pixelAspect = pixelAspect
        self.orientation = orientation
        self.pixelFormat = pixelFormat
        self.bitDepth = bitDepth
        self.hasAlpha = hasAlpha
        self.color = color
        self.dolbyVision = dolbyVision
        self.scan = scan
        self.frameRate = frameRate
        self.frameRateMode = frameRateMode
        self.keyFrameInterval = keyFrameInterval
        self.frameCount = frameCount
        self.peakLuminance = peakLuminance
    }

    /// Whether pixels are square, or as good as: 854×480 of 16:9 is stored with pixels of 1280:1281, which is what rounding the
    /// size left, and less than one pixel over the whole width.
    public var hasSquarePixels: Bool { abs(Double(size.width) * (pixelAspect.value - 1)) < 1 }

    /// As it is to be shown: upright, in square pixels.
    public var displayedSize: PixelSize {
        if hasSquarePixels { return orientation.upright(size) }
        let wide = Double(size.width) * pixelAspect.value
        let isSane = wide >= 1 && wide <= 1_000_000
        return orientation.upright(PixelSize(width: isSane ? Int(wide.rounded()) : size.width, height: size.height))
    }
}

/// How numbers become colours: H.273's code points by FFmpeg's names, `unknown` where the file does not tell.
public struct VideoColor: Hashable, Sendable, Codable {
    /// `bt709`, `bt2020`, `smpte170m`.
    public var primaries: String
    /// `bt709`, `smpte2084` (PQ), `arib-std-b67` (HLG).
    public var transfer: String
    /// `bt709`, `bt2020nc`, `smpte170m`.
    public var matrix: String
    public var isFullRange: Bool

    public init(
        primaries: String = "unknown", transfer: String = "unknown", matrix: String = "unknown",
        isFullRange: Bool = false
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// What every output is: BT.709 in limited range.
    public static let bt709 = VideoColor(primaries: "bt709", transfer: "bt709", matrix: "bt709")

    public enum DynamicRange: String, Sendable, Codable {
        case sdr, pq, hlg
    }

    public var dynamicRange: DynamicRange {
        switch transfer {
        case "smpte2084": .pq
        case "arib-std-b67": .hlg
        default: .sdr
        }
    }
}
