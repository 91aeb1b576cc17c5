internal import WayreelCore

/// Whether pictures can be taken over as they are: phones and browsers play them, and they would not become smaller.
struct VideoCompliance {
    let stream: MediaStream
    let picture: VideoProperties
    let geometry: FrameGeometry
    let colors: SourceColors
    let timing: FrameTiming
    let options: TranscodeOptions
    /// Of the whole file.
    let bytes: Int?

    /// What a codec may be for every phone and browser of the last ten years.
    private struct Bounds {
        var profiles: Set<String>
        /// As FFmpeg counts levels.
        var level: Int
        /// Bits of a pixel that are plenty.
        var bitsPerPixel: Double
    }

    /// Levels of 3840×2160 at 60 pictures a second.
    private static let bounds: [VideoCodec: Bounds] = [
        .h264: Bounds(
            profiles: ["Constrained Baseline", "Baseline", "Main", "High", "Constrained High"], level: 52,
            bitsPerPixel: 0.15),
        .hevc: Bounds(profiles: ["Main"], level: 156, bitsPerPixel: 0.1),
        .av1: Bounds(profiles: ["Main"], level: 14, bitsPerPixel: 0.08),
    ]

    /// Seconds between key frames beyond which seeking is slow, and a picture of tolerance.
    private static let keyFrameInterval = 10.5
    /// Bits per second that no picture is too small for.
    private static let leastBitRate = 1_000_000.0

    /// Whether it is played everywhere, at its own size.
    ///
    /// Each reason is a clause: `its codec is vp8, not h264`; none: it complies.
    var reasons: [String] { coding + colour + shape + time + amount + wishes }

    private var coding: [String] {
        let codec = options.picture.codec
        guard stream.codec == codec.rawValue else { return ["its codec is \(stream.codec), not \(codec.rawValue)"] }
        guard let bounds = Self.bounds[codec] else { return [] }
        var reasons: [String] = []
        if let profile = stream.profile, !bounds.profiles.contains(profile) {
            reasons.append("not all phones play the profile \(profile)")
        }
        if let level = stream.level, level > bounds.level { reasons.append("not all phones play its level") }
        if picture.pixelFormat != "yuv420p", picture.pixelFormat != "yuvj420p" {
            reasons.append("not all phones play pixels of \(picture.pixelFormat)")
        }
        if picture.hasAlpha { reasons.append("it has transparency") }
        if picture.scan == .interlaced { reasons.append("it is interlaced") }
        return reasons + stream.irregularities
    }

    private var colour: [String] {
        switch colors.color.dynamicRange {
        case .pq: return ["it is HDR (PQ)"]
        case .hlg: return [picture.dolbyVision.map { "it is HDR (Dolby Vision \($0))" } ?? "it is HDR (HLG)"]
        case .sdr: break
        }
        var reasons: [String] = []
        if colors.color.isFullRange, colors.model == .yCbCr { reasons.append("its range is full, not limited") }
        let narrow: Set<String> = ["bt709", "smpte170m", "bt470bg", "smpte240m"]
        if !narrow.contains(colors.color.primaries) {
            reasons.append("its primaries are \(colors.color.primaries), not BT.709")
        }
        return reasons
    }

    private var shape: [String] {
        var reasons: [String] = []
        if geometry.orientation != .upright { reasons.append("it is stored \(geometry.orientation.storedWords)") }
        if !picture.hasSquarePixels {
            reasons.append("its pixels are \(picture.pixelAspect.numerator):\(picture.pixelAspect.denominator)")
        }
        if geometry.size == geometry.displayed { return reasons }
        if geometry.part != nil {
            reasons.append("it is cropped to \(geometry.size)")
        } else if geometry.size == geometry.displayed.even {
            reasons.append("its size is odd: \(geometry.displayed)")
        } else {
            reasons.append("its \(geometry.displayed) are more than the \(geometry.size) that are shown")
        }
        return reasons
    }

    private var time: [String] {
        var reasons: [String] = []
        let rate = picture.frameRate?.value ?? 0
        if timing.cap != nil || timing.grid.map({ $0.value < rate * 0.999 }) ?? false {
            let limit = timing.cap ?? timing.grid ?? FrameTiming.most
            reasons.append(
                rate > limit.value
                    ? "it has more than \(limit.value.rounded(to: 3)) pictures a second"
                    : "at most \(limit.value.rounded(to: 3)) pictures a second are wanted, and its rate varies")
        }
        if let interval = picture.keyFrameInterval {
            if interval > Self.keyFrameInterval {
                reasons.append("its key frames are \(interval.rounded(to: 1)) s apart")
            }
        } else {
            reasons.append("where its key frames are is not known")
        }
        return reasons
    }

    /// Bits per second that are plenty for pictures of a size.
    var plenty: Double {
        let perPixel = Self.bounds[options.picture.codec]?.bitsPerPixel ?? 0
        return max(Self.leastBitRate, Double(geometry.size.pixels) * timing.rate(of: picture) * perPixel)
    }

    private var amount: [String] {
        var reasons: [String] = []
        if stream.codec == options.picture.codec.rawValue, let bitRate = stream.bitRate, Double(bitRate) > plenty {
            reasons.append("its \(bitRate.asBitRate) are more than \(Int(plenty).asBitRate), which is plenty")
        }
        if case .maxBytes(let most) = options.picture.rate, bytes ?? .max > most {
            reasons.append("the file is larger than \(most) bytes")
        }
        return reasons
    }

    private var wishes: [String] {
        var reasons: [String] = []
        if case .hls(let hls) = options.delivery {
            reasons.append("HLS needs a key frame every \(hls.keyFrameInterval.shortDescription) s")
        }
        if options.range != nil { reasons.append("it is cut to the frame, and does not have a key frame at every one") }
        if !options.picture.filters.isEmpty { reasons.append("filters are applied to it") }
        if !options.picture.overlays.isEmpty { reasons.append("overlays are drawn on it") }
        if options.picture.deinterlacing == .always { reasons.append("it is to be deinterlaced") }
        if options.picture.alwaysEncodes { reasons.append("it is to be encoded in any case") }
        return reasons
    }
}

extension Orientation {
    /// How it is stored, and has to be turned back from.
    var storedWords: String {
        switch self {
        case .upright: "upright"
        case .mirrored: "mirrored left to right"
        case .halfTurn: "upside down"
        case .flipped: "mirrored top to bottom"
        case .transposed: "mirrored along the main diagonal"
        case .quarterTurnClockwise: "turned a quarter counter-clockwise"
        case .transversed: "mirrored along the other diagonal"
        case .quarterTurnCounterclockwise: "turned a quarter clockwise"
        }
    }
}

extension Double {
    /// `29.97` of 29.97002997 for two digits; no digits that say nothing.
    func rounded(to digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return magnitude < 1e9 ? ((self * scale).rounded() / scale).shortDescription : shortDescription
    }
}

extension Int {
    /// Of bits per second: `345 kb/s`, `2.5 Mb/s`.
    var asBitRate: String {
        self < 1_000_000 ? "\((self + 500) / 1000) kb/s" : "\((Double(self) / 1e6).rounded(to: 1)) Mb/s"
    }
}
