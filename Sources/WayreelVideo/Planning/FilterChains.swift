internal import WayreelCore
internal import WayreelImage

/// Generates the FFmpeg filters that convert decoded frames to those of a rendition.
///
/// A stream may change its frame size: frames of other sizes and shapes are fitted into the rendition, on black.
struct FilterChains {
    let geometry: FrameGeometry
    let colors: SourceColors
    let deinterlacing: Deinterlacing
    /// The colour behind transparent frames; nil if none is transparent.
    let background: RGBColor?

    enum Deinterlacing: Hashable, Sendable {
        case none
        /// Deinterlaces only frames that are marked as interlaced.
        case marked
        case all
    }

    /// The filters that all renditions share: deinterlacing, and for HDR everything except the rotation, at the
    /// largest size.
    var shared: String {
        let fields: [String] =
            switch deinterlacing {
            case .none: []
            case .marked: ["bwdif=mode=send_frame:deint=interlaced"]
            case .all: ["bwdif=mode=send_frame:deint=all"]
            }
        guard colors.isHDR else { return Self.joined(fields) }
        let size = geometry.stored
        let scaling = crop + scale(to: size, pixelAspect: geometry.pixelAspect)
        return Self.joined(fields + scaling + toneMapping + [pad(size)])
    }

    /// The filters of one rendition, whose upright size is `size`.
    func rendition(_ size: PixelSize) -> String {
        let size = geometry.orientation.upright(size)
        let upright = turns[geometry.orientation] ?? []
        if colors.isHDR {
            return Self.joined(plainScale(to: size, pixelAspect: 1) + upright + ["setsar=1"])
        }
        let aspect = geometry.pixelAspect
        let scaling = isPlain ? plainScale(to: size, pixelAspect: aspect) : scale(to: size, pixelAspect: aspect)
        let fitted = crop + overBackground + trim(to: size) + scaling
        return Self.joined(fitted + conversion + ["format=yuv420p", pad(size)] + upright + ["setsar=1"])
    }

    /// The size of plain frames that ``rendition(_:)`` only scales with ``cubic``; nil if it does more.
    var plainSource: PixelSize? {
        guard geometry.orientation == .upright else { return nil }
        if colors.isHDR { return geometry.stored }
        return isPlain && geometry.part == nil && conversion.isEmpty ? geometry.coded : nil
    }

    private var isPlain: Bool { colors.isPlain && background == nil && geometry.coded.even == geometry.coded }

    private static func joined(_ filters: [String]) -> String { filters.joined(separator: ",") }

    // MARK: Geometry

    private var crop: [String] {
        guard let part = geometry.part else { return [] }
        let (width, height) = ("iw*\(part.width)", "ih*\(part.height)")
        return ["crop=w=\(width):h=\(height):x=iw*\(part.x):y=ih*\(part.y)"]
    }

    /// Crops a last odd column or row, which keeps the frame sharper than scaling it slightly.
    private func trim(to size: PixelSize) -> [String] {
        let isOdd = geometry.coded.width | geometry.coded.height
        guard geometry.part == nil, isOdd & 1 == 1, geometry.coded.even == size, geometry.coded.shorterSide > 1 else {
            return []
        }
        return [Self.evenCrop]
    }

    private static let evenCrop = "crop=w='iw-mod(iw,2)':h='ih-mod(ih,2)':x=0:y=0"

    /// Scales frames of the expected shape to `size`, and fits others into it.
    private func scale(to size: PixelSize, pixelAspect: Rational) -> [String] {
        ["scale=\(sides(size, pixelAspect)):flags=bicubic" + range + (rgbMatrix ?? "")]
    }

    /// The parameters of the bicubic filter of `scale`, for zscale.
    static let cubic = (b: 0.0, c: 0.6)

    /// The same scaling in half of the time, for 8-bit 4:2:0 of limited range with even sides. Later frames with odd
    /// sides lose a column or a row.
    private func plainScale(to size: PixelSize, pixelAspect: Rational) -> [String] {
        let cubic = "filter=bicubic:param_a=\(Self.cubic.b):param_b=\(Self.cubic.c)"
        return ["format=yuv420p", Self.evenCrop, "zscale=\(sides(size, pixelAspect)):\(cubic):threads=1"]
    }

    /// The sides of a scaled frame, as options.
    private func sides(_ size: PixelSize, _ pixelAspect: Rational) -> String {
        let part = geometry.part.map { $0.width / $0.height } ?? 1
        let coded = Double(geometry.coded.width) / Double(max(1, geometry.coded.height)) * part
        // The aspect ratio relative to the rendition's, of any frame and of the expected one; `a` is the coded aspect
        // ratio.
        let factor = pixelAspect.value * Double(size.height) / Double(size.width)
        let expected = coded * geometry.pixelAspect.value * Double(size.height) / Double(size.width)
        // The error of rounding to even sides, and a small margin.
        let tolerance = abs(expected - 1) + 0.005
        let side = { (full: Int, share: String) in
            let fitted = "max(2,2*floor(\(full)*min(1,\(share))/2+0.25))"
            return "'if(lt(abs(a*\(factor)-1),\(tolerance)),\(full),\(fitted))'"
        }
        return "w=\(side(size.width, "a*\(factor)")):h=\(side(size.height, "1/(a*\(factor))"))"
    }

    /// Returns a filter that pads a frame to `size` and does nothing if the frame fills it.
    private func pad(_ size: PixelSize) -> String { "pad=\(size.width):\(size.height):-1:-1" }

    /// The filters that make a stored frame upright.
    private let turns: [Orientation: [String]] = [
        .mirrored: ["hflip"], .halfTurn: ["hflip", "vflip"], .flipped: ["vflip"],
        .transposed: ["transpose=cclock_flip"], .quarterTurnClockwise: ["transpose=clock"],
        .transversed: ["transpose=clock_flip"], .quarterTurnCounterclockwise: ["transpose=cclock"],
    ]

    // MARK: Colour

    /// Options of `scale` that convert to limited range.
    private var range: String {
        guard !colors.isHDR, background == nil, colors.model == .yCbCr else { return "" }
        return colors.color.isFullRange ? ":in_range=full:out_range=limited" : ""
    }

    /// Options of `scale` for RGB input.
    private var rgbMatrix: String? {
        guard !colors.isHDR, colors.model != .yCbCr || background != nil else { return nil }
        return ":out_color_matrix=bt709:out_range=limited"
    }

    /// Composes transparent frames over the background before scaling, so that the colours of invisible pixels do not
    /// bleed into edges.
    private var overBackground: [String] {
        guard let background else { return [] }
        // A transparent background is composed over black.
        let level = { (share: Double) in Int((min(max(share * background.alpha, 0), 1) * 255).rounded()) }
        let fill = "lutrgb=r=\(level(background.red)):g=\(level(background.green)):b=\(level(background.blue))"
        var toRGB = "scale=flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
        if colors.model == .yCbCr {
            toRGB += ":in_color_matrix=\(Self.scaleMatrices[colors.color.matrix] ?? "bt709")"
            toRGB += ":in_range=\(colors.color.isFullRange ? "full" : "limited")"
        }
        return [
            toRGB, "format=rgba", "split[over][under];[under]format=rgb24",
            "\(fill)[ground];[ground][over]overlay=format=rgb",
        ]
    }

    /// The matrices by FFmpeg's names, with the names in `scale`.
    private static let scaleMatrices = [
        "bt709": "bt709", "fcc": "fcc", "bt470bg": "bt470", "smpte170m": "smpte170m", "smpte240m": "smpte240m",
        "bt2020nc": "bt2020", "bt2020c": "bt2020",
    ]

    /// Converts SDR of another matrix or other primaries, in limited range, to BT.709.
    ///
    /// `zscale` uses one thread: in slices its dithering and its edges would depend on their number.
    private var conversion: [String] {
        let isRGB = background != nil || colors.model != .yCbCr
        var settings: [String] = []
        if colors.changesMatrix, !isRGB {
            settings.append("min=\(SourceColors.matrices[colors.color.matrix] ?? "709"):m=709")
        } else if colors.changesPrimaries {
            settings.append("min=709:m=709")
        }
        if colors.changesPrimaries { settings.append("pin=\(colors.color.primaries):p=709:tin=709:t=709") }
        guard !settings.isEmpty else { return [] }
        return [
            "format=\(isRGB ? "yuv444p" : Self.limitedFormats)",
            "zscale=\(settings.joined(separator: ":")):rin=limited:r=limited:dither=ordered:threads=1",
        ]
    }

    /// Pixel formats that do not imply full range (yuvj420p), which `scale` would not convert to limited range.
    private static let limitedFormats = ["", "10", "12", "16"].flatMap { depth in
        ["420", "422", "444"].map { "yuv\($0)p\(depth)" }
    }.joined(separator: "|")

    /// The luminance of diffuse white in HDR in cd/m² (ITU-R BT.2408), which is mapped slightly below SDR white, to
    /// leave room for highlights.
    private static let diffuseWhite = 203.0
    /// The share of diffuse white up to which luminance is unchanged.
    private static let untouchedLight = 0.15

    /// Converts HDR to 8-bit SDR, dithered.
    private var toneMapping: [String] {
        Self.linearSDR(of: colors) + ["zscale=t=709:m=709:p=709:r=limited:dither=ordered:threads=1", "format=yuv420p"]
    }

    /// Converts HDR to SDR in linear light: BT.709 primaries, and a Möbius curve for highlights.
    static func linearSDR(of colors: SourceColors) -> [String] {
        let color = colors.color
        let peak = max(1.25, colors.peakLuminance / Self.diffuseWhite)
        let known = SourceColors.matrices[color.matrix] ?? "2020_ncl"
        return [
            "zscale=min=\(known):tin=\(color.transfer):pin=\(color.primaries)"
                + ":rin=\(color.isFullRange ? "full" : "limited"):t=linear:p=709:npl=\(Self.diffuseWhite):threads=1",
            "format=gbrpf32le", "tonemap=mobius:param=\(Self.untouchedLight):peak=\(peak):desat=0",
        ]
    }
}

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

/// The conversion of coded frames to upright frames of the output's size.
struct FrameGeometry: Hashable, Sendable {
    /// A region of a coded frame, in fractions of its sides.
    struct Part: Hashable, Sendable {
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
