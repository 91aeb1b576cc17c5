internal import WayreelCore

/// The colours of a source, and the information for converting them to BT.709 in limited range, which every output
/// has.
struct SourceColors: Hashable, Sendable {
    enum Model: Hashable, Sendable {
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

    /// Whether the YCbCr matrix must be converted.
    var changesMatrix: Bool { model == .yCbCr && Self.matrices[color.matrix] != Self.matrices["bt709"] }
    /// Whether the primaries must be converted.
    var changesPrimaries: Bool { color.primaries != "bt709" && Self.primaries.contains(color.primaries) }

    private static let rgbFormats = ["rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "pal8", "x2rgb", "x2bgr"]

    private static func isGrey(_ format: String) -> Bool {
        format.hasPrefix("gray") || format.hasPrefix("ya8") || format.hasPrefix("ya16") || format.hasPrefix("mono")
    }

    /// The matrices by FFmpeg's names, with the names in zscale.
    static let matrices = [
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
