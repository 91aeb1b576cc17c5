internal import WayreelAV
package import WayreelCore

/// The filters that convert frames to those of a rendition, after the shared ones.
package struct LoweredConversion: Sendable {
    /// FFmpeg's filters, for any frame.
    package var filters: String
    /// What zimg does instead to frames that are only scaled, with the same result; nil: all frames need FFmpeg's
    /// filters.
    package var scaling: Scaling?

    /// A scaling by ``FrameConversion/cubic``.
    package struct Scaling: Sendable {
        /// The size of the frames, which are in 8-bit 4:2:0 and limited range.
        package var from: PixelSize
        package var to: PixelSize
    }
}

extension VideoPlan {
    /// FFmpeg's filters that all renditions share; empty for none.
    package var sharedFilters: String { conversion?.shared ?? "" }

    package func filters(of rendition: RenditionPlan) -> LoweredConversion {
        conversion?.lowered(to: rendition.size) ?? LoweredConversion(filters: "")
    }
}

/// The choice of filters: FFmpeg's, and zimg for frames that are only scaled.
///
/// A stream may change its frame size: frames of other sizes and shapes are fitted into the rendition, on black.
extension FrameConversion {
    /// The filters that all renditions share: deinterlacing, and for HDR everything except the rotation, at the
    /// largest size.
    fileprivate var shared: String {
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

    /// The filters of one rendition, whose upright size is `size`, after the shared ones.
    fileprivate func lowered(to size: PixelSize) -> LoweredConversion {
        LoweredConversion(
            filters: Self.joined(filters(to: geometry.orientation.upright(size))),
            scaling: plainSource.map { LoweredConversion.Scaling(from: $0, to: size) })
    }

    /// `size`: the size before frames are turned.
    private func filters(to size: PixelSize) -> [String] {
        let upright = (Self.turns[geometry.orientation] ?? []) + ["setsar=1"]
        if colors.isHDR { return plainScale(to: size, pixelAspect: 1) + upright }
        let aspect = geometry.pixelAspect
        let scaling = isPlain ? plainScale(to: size, pixelAspect: aspect) : scale(to: size, pixelAspect: aspect)
        return crop + overBackground + trim(to: size) + scaling + matrixAndPrimaries + ["format=yuv420p", pad(size)]
            + upright
    }

    /// The size of plain frames that are only scaled; nil if more is done to them.
    private var plainSource: PixelSize? {
        guard geometry.orientation == .upright else { return nil }
        if colors.isHDR { return geometry.stored }
        return isPlain && geometry.part == nil && matrixAndPrimaries.isEmpty ? geometry.coded : nil
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
        ["scale=\(sides(size, pixelAspect)):flags=bicubic" + toLimitedRange + (rgbMatrix ?? "")]
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
    private static let turns: [Orientation: [String]] = [
        .mirrored: ["hflip"], .halfTurn: ["hflip", "vflip"], .flipped: ["vflip"],
        .transposed: ["transpose=cclock_flip"], .quarterTurnClockwise: ["transpose=clock"],
        .transversed: ["transpose=clock_flip"], .quarterTurnCounterclockwise: ["transpose=cclock"],
    ]

    // MARK: Colour

    /// Options of `scale` that convert to limited range.
    private var toLimitedRange: String {
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
            toRGB += ":in_range=\(colors.range)"
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
    private var matrixAndPrimaries: [String] {
        let isRGB = background != nil || colors.model != .yCbCr
        var settings: [String] = []
        if colors.changesMatrix, !isRGB {
            settings.append("min=\(colors.matrix):m=709")
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
    private static func linearSDR(of colors: SourceColors) -> [String] {
        let color = colors.color
        let peak = max(1.25, colors.peakLuminance / Self.diffuseWhite)
        return [
            "zscale=min=\(colors.matrix):tin=\(color.transfer):pin=\(color.primaries)"
                + ":rin=\(colors.range):t=linear:p=709:npl=\(Self.diffuseWhite):threads=1",
            "format=gbrpf32le", "tonemap=mobius:param=\(Self.untouchedLight):peak=\(peak):desat=0",
        ]
    }
}

// MARK: - Posters

extension FrameConversion {
    /// The filters that convert `frame`, of a stream with `properties`, to packed full-range RGB at its own size, with
    /// the same colours as in a transcoded video.
    static func toRGB(_ frame: Frame, of properties: VideoProperties) -> String {
        var properties = properties
        properties.complete(with: frame)
        properties.pixelFormat = frame.pixelFormatName
        let colors = SourceColors(properties)
        let isDeep = properties.bitDepth > 8
        let alpha = properties.hasAlpha ? "a" : ""
        // A single frame has no neighbours to interpolate fields from.
        var filters = frame.isInterlaced ? ["estdif=mode=frame"] : []
        if colors.model == .yCbCr {
            // zimg does not support odd sizes with subsampled chroma.
            if frame.size.width % 2 + frame.size.height % 2 > 0 {
                filters.append("scale=flags=bicubic+accurate_rnd,format=yuv\(alpha)444p\(isDeep ? "16" : "")")
            }
            filters += colors.isHDR ? linearSDR(of: colors) : []
            filters.append(toRGB(colors))
        } else {
            filters.append("scale=flags=bicubic+accurate_rnd+full_chroma_int")
        }
        filters.append("format=gbr\(alpha)p\(isDeep ? "16" : "")")
        filters.append("scale,format=rgb\(properties.hasAlpha ? isDeep ? "a64" : "a" : isDeep ? "48" : "24")")
        return joined(filters)
    }

    private static func toRGB(_ colors: SourceColors) -> String {
        let target = "m=gbr:r=full:p=709:t=709:filter=bicubic:threads=1"
        if colors.isHDR { return "zscale=\(target)" }
        let primaries = colors.changesPrimaries ? colors.color.primaries : "709"
        return "zscale=min=\(colors.matrix):pin=\(primaries):tin=709:rin=\(colors.range):\(target)"
    }
}
