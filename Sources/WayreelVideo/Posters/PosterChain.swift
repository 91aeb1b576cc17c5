internal import WayreelAV
internal import WayreelCore

/// FFmpeg filters that make RGB of a single frame as decoded.
enum PosterChain {
    /// For `frame` of a stream whose container says `properties`. What comes out is packed, full range, SDR.
    static func description(for frame: Frame, _ properties: VideoProperties) -> String {
        var filters: [String] = []
        // By itself a frame has no neighbours to be filled in from.
        if frame.isInterlaced { filters.append("estdif=mode=frame") }
        // zimg takes no odd sizes of subsampled chroma.
        if frame.size.width % 2 + frame.size.height % 2 > 0 {
            let alpha = properties.hasAlpha ? "a" : ""
            filters.append("scale=flags=bicubic+accurate_rnd,format=yuv\(alpha)444p" + (properties.bitDepth > 8 ? "16" : ""))
        }
        let color = frame.color
        filters.append(tags(color, frame.size))
        if color.dynamicRange != .sdr { filters.append(toneMapping) }
        let isDeep = properties.bitDepth > 8 && color.dynamicRange == .sdr
        let (planar, packed) =
            switch (properties.hasAlpha, isDeep) {
            case (false, false): ("gbrp", "rgb24")
            case (true, false): ("gbrap", "rgba")
            case (false, true): ("gbrp16", "rgb48")
            case (true, true): ("gbrap16", "rgba64")
            }
        filters.append("zscale=matrix=gbr:range=full:filter=bicubic,format=\(planar),scale,format=\(packed)")
        return filters.joined(separator: ",")
    }

    /// What players take untagged pictures for: BT.709 from 720 lines on, BT.601 below.
    private static func tags(_ color: VideoColor, _ size: PixelSize) -> String {
        let isLarge = size.shorterSide >= 720 || size.longerSide >= 1280
        let known = { (value: String, other: String) in value == "unknown" || value == "reserved" ? other : value }
        let matrix = known(color.matrix, isLarge ? "bt709" : "smpte170m")
        return "setparams=colorspace=\(matrix):color_primaries=\(known(color.primaries, "bt709"))"
            + ":color_trc=\(known(color.transfer, "bt709")):range=\(color.isFullRange ? "full" : "limited")"
    }

    private static let toneMapping =
        "zscale=transfer=linear:npl=203,format=gbrpf32,zscale=primaries=bt709,tonemap=hable:desat=0,zscale=transfer=bt709"
}
