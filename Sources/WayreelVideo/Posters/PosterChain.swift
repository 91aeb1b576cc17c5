internal import WayreelAV
internal import WayreelCore

/// The FFmpeg filters that convert a decoded frame to RGB, with the same colours as in a transcoded video.
enum PosterChain {
    /// The filters for `frame` of a stream with `properties`. The result is packed full-range SDR.
    static func description(for frame: Frame, _ properties: VideoProperties) -> String {
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
            filters += colors.isHDR ? FilterChains.linearSDR(of: colors) : []
            filters.append(toRGB(colors))
        } else {
            filters.append("scale=flags=bicubic+accurate_rnd+full_chroma_int")
        }
        filters.append("format=gbr\(alpha)p\(isDeep ? "16" : "")")
        filters.append("scale,format=rgb\(properties.hasAlpha ? isDeep ? "a64" : "a" : isDeep ? "48" : "24")")
        return filters.joined(separator: ",")
    }

    private static func toRGB(_ colors: SourceColors) -> String {
        let target = "m=gbr:r=full:p=709:t=709:filter=bicubic:threads=1"
        if colors.isHDR { return "zscale=\(target)" }
        let color = colors.color
        let primaries = colors.changesPrimaries ? color.primaries : "709"
        return "zscale=min=\(SourceColors.matrices[color.matrix] ?? "709"):pin=\(primaries):tin=709"
            + ":rin=\(color.isFullRange ? "full" : "limited"):\(target)"
    }
}
