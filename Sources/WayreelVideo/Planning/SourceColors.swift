internal import WayreelCore

/// How the numbers of a source become those of BT.709 in limited range, which every output is in.
struct SourceColors: Hashable, Sendable {
    enum Model: Hashable, Sendable {
        case yCbCr, rgb, grey
    }

    let model: Model
    /// With nothing left open.
    let color: VideoColor
    /// 8 bits, 4:2:0, in limited range, as outputs are.
    let isPlain: Bool
    /// The matrix or the transfer is one that FFmpeg 5.1 cannot convert; it is taken for BT.709.
    let isGuess: Bool
    /// cd/m² of the brightest content.
    let peakLuminance: Double

    /// What HDR without metadata is taken to reach, in cd/m²: what most of it is made for.
    private static let usualPeak = 1000.0

    init(_ picture: VideoProperties) {
        let format = picture.pixelFormat
        model =
            Self.rgbFormats.contains(where: format.hasPrefix) ? .rgb : Self.isGrey(format) ? .grey : .yCbCr
        var told = picture.color
        told.isFullRange = told.isFullRange || format.hasPrefix("yuvj")
        isPlain = format == "yuv420p" && !told.isFullRange
        let isHDR = told.dynamicRange != .sdr
        let isKnown = told.matrix == "unknown" || told.matrix == "gbr" || Self.matrices[told.matrix] != nil
        isGuess = !isKnown || Self.strangeTransfers.contains(told.transfer)
        // Files that do not tell: SD and HD have their own, as broadcasters and browsers take it.
        let isHD = picture.size.height >= 720 || picture.size.width >= 1280
        if Self.matrices[told.matrix] == nil {
            told.matrix = isHDR ? "bt2020nc" : isHD || !isKnown ? "bt709" : "smpte170m"
        }
        if told.primaries == "unknown" { told.primaries = isHDR ? "bt2020" : "bt709" }
        color = told
        peakLuminance = picture.peakLuminance ?? Self.usualPeak
    }

    var isHDR: Bool { color.dynamicRange != .sdr }

    /// Whether luma and chroma have to be mixed anew.
    var changesMatrix: Bool { model == .yCbCr && Self.matrices[color.matrix] != Self.matrices["bt709"] }
    /// Whether red, green and blue are other lights.
    var changesPrimaries: Bool { color.primaries != "bt709" && Self.primaries.contains(color.primaries) }

    private static let rgbFormats = ["rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "pal8", "x2rgb", "x2bgr"]

    private static func isGrey(_ format: String) -> Bool {
        format.hasPrefix("gray") || format.hasPrefix("ya8") || format.hasPrefix("ya16") || format.hasPrefix("mono")
    }

    /// FFmpeg's names of matrices, and what zscale calls them.
    static let matrices = [
        "bt709": "709", "fcc": "fcc", "bt470bg": "170m", "smpte170m": "170m", "smpte240m": "smpte2400m",
        "ycgco": "ycgco", "bt2020nc": "2020_ncl", "bt2020c": "2020_cl", "ictcp": "ictcp",
    ]

    /// Of FFmpeg's names of primaries those that zscale knows; by the same names.
    private static let primaries: Set<String> = [
        "bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "film", "bt2020", "smpte428", "smpte431", "smpte432",
        "jedec-p22", "ebu3213",
    ]

    /// Of FFmpeg's names of transfers those whose pictures look wrong as BT.709. The others of SDR (sRGB, gamma 2.2, BT.601,
    /// BT.2020) are left as they are: displays treat them all alike.
    private static let strangeTransfers: Set<String> = ["linear", "log100", "log316", "smpte428", "bt1361e"]
}
