internal import WayreelCore

/// Checks whether a video stream can be copied: phones and browsers play it, and encoding would not make it smaller.
struct VideoCompliance {
    let stream: MediaStream
    let video: VideoProperties
    let geometry: FrameGeometry
    let colors: SourceColors
    let timing: FrameTiming
    let options: TranscodeOptions
    let constraints: PlanConstraints
    /// The size of the whole file.
    let bytes: Int?

    /// The limits within which all phones and browsers of the last ten years play a codec.
    private struct Bounds {
        var profiles: Set<String>
        /// The level in FFmpeg's units.
        var level: Int
        /// A generous bit rate per pixel and frame.
        var bitsPerPixel: Double
    }

    /// The levels are those of 3840×2160 at 60 frames a second.
    private static let bounds: [VideoCodec: Bounds] = [
        .h264: Bounds(
            profiles: ["Constrained Baseline", "Baseline", "Main", "High", "Constrained High"], level: 52,
            bitsPerPixel: 0.15),
        .hevc: Bounds(profiles: ["Main"], level: 156, bitsPerPixel: 0.1),
        .av1: Bounds(profiles: ["Main"], level: 14, bitsPerPixel: 0.08),
    ]

    /// Seconds between keyframes beyond which seeking is slow, with some tolerance.
    private static let maxKeyFrameInterval = 10.5
    /// The bit rate in bits per second that is allowed for frames of any size.
    private static let minGenerousBitRate = 1_000_000.0

    /// The reasons against copying, each as a clause such as `its codec is vp8, not h264`; empty if the stream
    /// complies.
    var reasons: [String] { coding + colour + geometryReasons + timingReasons + bitRate + requests }

    private var coding: [String] {
        let codec = options.video.codec
        guard stream.codec == codec.rawValue else { return ["its codec is \(stream.codec), not \(codec.rawValue)"] }
        guard let bounds = Self.bounds[codec] else { return [] }
        var reasons: [String] = []
        if let profile = stream.profile, !bounds.profiles.contains(profile) {
            reasons.append("not all phones play the profile \(profile)")
        }
        if let level = stream.level, level > bounds.level { reasons.append("not all phones play its level") }
        if video.pixelFormat != "yuv420p", video.pixelFormat != "yuvj420p" {
            reasons.append("not all phones play pixels of \(video.pixelFormat)")
        }
        if video.hasAlpha { reasons.append("it has transparency") }
        if video.scan == .interlaced { reasons.append("it is interlaced") }
        reasons += stream.irregularities
        if constraints.framesVary { reasons.append("its size or scan changes within the stream") }
        return reasons
    }

    private var colour: [String] {
        switch colors.color.dynamicRange {
        case .pq: return ["it is HDR (PQ)"]
        case .hlg: return [video.dolbyVision.map { "it is HDR (Dolby Vision \($0))" } ?? "it is HDR (HLG)"]
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

    private var geometryReasons: [String] {
        var reasons: [String] = []
        if video.crop != nil { reasons.append("its container crops it to \(video.size)") }
        if geometry.orientation != .upright { reasons.append("it has to be \(geometry.orientation.summary)") }
        if !video.hasSquarePixels {
            reasons.append("its pixels are \(video.pixelAspect.numerator):\(video.pixelAspect.denominator)")
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

    private var timingReasons: [String] {
        var reasons: [String] = []
        let rate = video.frameRate?.value ?? 0
        if timing.cap != nil || timing.grid.map({ $0.value < rate * 0.999 }) ?? false {
            let limit = timing.cap ?? timing.grid ?? FrameTiming.maxRate
            reasons.append(
                rate > limit.value
                    ? "it has more than \(limit.value.rounded(to: 3)) frames a second"
                    : "at most \(limit.value.rounded(to: 3)) frames a second are requested, and its frame rate varies")
        }
        if let interval = video.keyFrameInterval {
            if interval > Self.maxKeyFrameInterval {
                reasons.append("its keyframes are \(interval.rounded(to: 1)) s apart")
            }
        } else {
            reasons.append("its keyframes are unknown")
        }
        return reasons
    }

    /// A generous bit rate for its size and frame rate.
    var generousBitRate: Double {
        let perPixel = Self.bounds[options.video.codec]?.bitsPerPixel ?? 0
        return max(Self.minGenerousBitRate, Double(geometry.size.pixels) * timing.frameRate.value * perPixel)
    }

    private var bitRate: [String] {
        var reasons: [String] = []
        if stream.codec == options.video.codec.rawValue, !constraints.ignoresBitRate, let bitRate = stream.bitRate,
            Double(bitRate) > generousBitRate
        {
            reasons.append("its \(bitRate.asBitRate) are more than the generous \(Int(generousBitRate).asBitRate)")
        }
        if case .maxBytes(let limit) = options.video.rate, bytes ?? .max > limit {
            reasons.append("the file is larger than \(limit) bytes")
        }
        return reasons
    }

    private var requests: [String] {
        var reasons: [String] = []
        if case .hls(let hls) = options.delivery {
            reasons.append("HLS needs a keyframe every \(hls.keyFrameInterval.shortDescription) s")
        }
        if options.range != nil { reasons.append("it is cut to the frame, and not every frame is a keyframe") }
        if !options.video.filters.isEmpty { reasons.append("filters are applied to it") }
        if !options.video.overlays.isEmpty { reasons.append("overlays are drawn on it") }
        if options.video.deinterlacing == .always { reasons.append("it is to be deinterlaced") }
        if options.video.alwaysEncodes { reasons.append("it is to be encoded in any case") }
        return reasons
    }
}

extension Double {
    /// Returns the rounded number without trailing zeros: `29.97` for 29.97002997 and two digits.
    func rounded(to digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return magnitude < 1e9 ? ((self * scale).rounded() / scale).shortDescription : shortDescription
    }
}

extension Int {
    /// The bit rate as text: `345 kb/s`, `2.5 Mb/s`.
    package var asBitRate: String {
        self < 1_000_000 ? "\((self + 500) / 1000) kb/s" : "\((Double(self) / 1e6).rounded(to: 1)) Mb/s"
    }
}
