/// Properties of a video stream.
public struct VideoProperties: Hashable, Sendable, Codable {
    /// Size of frames in pixels as they are stored, without ``crop``.
    public var size: PixelSize
    /// What the container hides of coded frames: Matroska's PixelCrop, MP4's clean aperture; nil: nothing.
    public var crop: FrameCrop?
    /// Pixel (sample) aspect ratio: width by height.
    public var pixelAspect: Rational
    /// The rotation that shows the stored frame upright.
    public var orientation: Orientation
    /// FFmpeg's name: `yuv420p`, `yuv420p10le`.
    public var pixelFormat: String
    /// Bits per component.
    public var bitDepth: Int
    public var hasAlpha: Bool
    public var color: VideoColor
    /// Profile and compatibility ID, as in `8.4`.
    public var dolbyVision: String?
    public var scan: Scan
    /// Average frames per second; nil if unknown.
    public var frameRate: Rational?
    public var frameRateMode: FrameRateMode
    /// Max seconds between keyframes; nil if not measured.
    public var keyFrameInterval: Double?
    /// Number of frames; nil if not counted.
    public var frameCount: Int?
    /// Peak luminance of HDR content in cd/m², or else of the mastering display; nil if unknown.
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

    /// Coded size in pixels: ``size`` and what is cropped.
    public var codedSize: PixelSize {
        PixelSize(
            width: size.width + (crop?.left ?? 0) + (crop?.right ?? 0),
            height: size.height + (crop?.top ?? 0) + (crop?.bottom ?? 0))
    }

    /// Whether pixels are square, allowing for rounding: 854×480 at 16:9 is stored with a pixel aspect of 1280:1281,
    /// less than one pixel over the whole width.
    public var hasSquarePixels: Bool { abs(Double(size.width) * (pixelAspect.value - 1)) < 1 }

    /// Display size: upright, in square pixels.
    public var displayedSize: PixelSize {
        if hasSquarePixels { return orientation.upright(size) }
        let wide = Double(size.width) * pixelAspect.value
        let isSane = wide >= 1 && wide <= 1_000_000
        return orientation.upright(PixelSize(width: isSane ? Int(wide.rounded()) : size.width, height: size.height))
    }
}

/// Columns and rows at the edges of coded frames that are not shown.
public struct FrameCrop: Hashable, Sendable, Codable {
    public var left: Int
    public var top: Int
    public var right: Int
    public var bottom: Int

    public init(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }
}

/// Colour description: H.273 code points by FFmpeg's names, `unknown` if unspecified.
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

    /// BT.709 in limited range, the colour of every output.
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
