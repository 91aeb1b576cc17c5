internal import WayreelCore
internal import WayreelImage

/// What is done to the frames between their decoder and the encoders: which part of them is kept, how they are scaled,
/// turned and deinterlaced, and from which colours they are converted. Every output is upright, in square pixels, in
/// BT.709, in 8-bit 4:2:0 and limited range.
///
/// ``VideoPlan/filters(of:)`` chooses the filters.
package struct FrameConversion: Hashable, Sendable, Codable {
    var geometry: FrameGeometry
    var colors: SourceColors
    package var deinterlacing: Deinterlacing
    /// The colour behind transparent frames; nil if none is transparent.
    var background: RGBColor?

    package enum Deinterlacing: String, Hashable, Sendable, Codable {
        case none
        /// Deinterlaces only frames that are marked as interlaced.
        case marked
        case all
    }
}

/// The colours of a source, and the information for converting them to BT.709 in limited range, which every output
/// has.
package struct SourceColors: Hashable, Sendable, Codable {
    enum Model: String, Hashable, Sendable, Codable {
        case yCbCr, rgb, grey
    }

    let model: Model
    /// The colour properties with unknown values replaced by defaults.
    let color: VideoColor
    /// Whether frames already have the output's format: 8 bits, 4:2:0, limited range.
    let isPlain: Bool
    /// Whether FFmpeg 5.1 cannot convert the matrix or the transfer, which is then treated as BT.709.
    let isGuess: Bool
    /// The luminance of the brightest content in cd/m².
    let peakLuminance: Double

    /// The peak luminance of HDR without metadata, in cd/m²: that of common mastering displays.
    private static let defaultPeak = 1000.0

    init(_ video: VideoProperties) {
        let format = video.pixelFormat
        model =
            Self.rgbFormats.contains(where: format.hasPrefix) ? .rgb : Self.isGrey(format) ? .grey : .yCbCr
        var described = video.color
        described.isFullRange = described.isFullRange || format.hasPrefix("yuvj")
        isPlain = format == "yuv420p" && !described.isFullRange
        let isHDR = described.dynamicRange != .sdr
        let isKnown =
            described.matrix == "unknown" || described.matrix == "gbr" || Self.matrices[described.matrix] != nil
        isGuess = !isKnown || Self.unsupportedTransfers.contains(described.transfer)
        // Without a matrix, SD and HD have different defaults, as in broadcasting and browsers.
        let isHD = video.size.height >= 720 || video.size.width >= 1280
        if Self.matrices[described.matrix] == nil {
            described.matrix = isHDR ? "bt2020nc" : isHD || !isKnown ? "bt709" : "smpte170m"
        }
        if described.primaries == "unknown" { described.primaries = isHDR ? "bt2020" : "bt709" }
        color = described
        peakLuminance = video.peakLuminance ?? Self.defaultPeak
    }

    var isHDR: Bool { color.dynamicRange != .sdr }

    /// The matrix by zscale's name.
    var matrix: String { Self.matrices[color.matrix] ?? "709" }
    /// The range by the name in `scale` and zscale.
    var range: String { color.isFullRange ? "full" : "limited" }

    /// Whether the YCbCr matrix must be converted.
    var changesMatrix: Bool { model == .yCbCr && matrix != "709" }
    /// Whether the primaries must be converted.
    var changesPrimaries: Bool { color.primaries != "bt709" && Self.primaries.contains(color.primaries) }

    private static let rgbFormats = ["rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "pal8", "x2rgb", "x2bgr"]

    private static func isGrey(_ format: String) -> Bool {
        format.hasPrefix("gray") || format.hasPrefix("ya8") || format.hasPrefix("ya16") || format.hasPrefix("mono")
    }

    /// The matrices by FFmpeg's names, with the names in zscale.
    private static let matrices = [
        "bt709": "709", "fcc": "fcc", "bt470bg": "170m", "smpte170m": "170m", "smpte240m": "smpte2400m",
        "ycgco": "ycgco", "bt2020nc": "2020_ncl", "bt2020c": "2020_cl", "ictcp": "ictcp",
    ]

    /// The primaries that zscale supports, with the same names as in FFmpeg.
    private static let primaries: Set<String> = [
        "bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "film", "bt2020", "smpte428", "smpte431", "smpte432",
        "jedec-p22", "ebu3213",
    ]

    /// Transfer functions, by FFmpeg's names, that look wrong as BT.709. The others of SDR (sRGB, gamma 2.2, BT.601,
    /// BT.2020) are not converted: displays treat them all alike.
    private static let unsupportedTransfers: Set<String> = ["linear", "log100", "log316", "smpte428", "bt1361e"]
}

/// The conversion of coded frames to upright frames of the output's size.
package struct FrameGeometry: Hashable, Sendable, Codable {
    /// A region of a coded frame, in fractions of its sides.
    struct Part: Hashable, Sendable, Codable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// The coded size in pixels.
    let coded: PixelSize
    let pixelAspect: Rational
    let orientation: Orientation
    /// The displayed size of the source: upright, in square pixels.
    let displayed: PixelSize
    /// The part of a coded frame that is kept; nil: all of it.
    let part: Part?
    /// The output's size: upright, even, never larger than ``displayed``, and at least 2×2.
    let size: PixelSize

    /// `box`: the largest size that decoders support, turned for portrait frames.
    init(_ video: VideoProperties, framing: Framing, box: PixelSize) {
        coded = video.size
        pixelAspect = video.pixelAspect
        orientation = video.orientation
        displayed = video.displayedSize
        let square = orientation.upright(displayed)
        let plan = framing.plan(for: square, orientation: orientation)
        let (width, height) = (Double(square.width), Double(square.height))
        let part = Part(
            x: plan.region.x / width, y: plan.region.y / height, width: plan.region.width / width,
            height: plan.region.height / height)
        self.part = part == Part(x: 0, y: 0, width: 1, height: 1) ? nil : part
        size = Self.fitted(orientation.upright(plan.output), into: box)
    }

    /// The output's size before rotation.
    var stored: PixelSize { orientation.upright(size) }

    /// Returns a size fitted into a box, which is rotated to match, rounded to even sides.
    static func fitted(_ size: PixelSize, into box: PixelSize) -> PixelSize {
        Framing(screen: box, fit: .contain).plan(for: size, orientation: .upright).output.even
    }
}

extension PixelSize {
    /// The size rounded down to even sides, as 4:2:0 requires; at least 2×2.
    var even: PixelSize { PixelSize(width: max(2, width & ~1), height: max(2, height & ~1)) }
}
