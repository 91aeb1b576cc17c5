internal import WayreelCore

/// The encoder that is used for a codec, and how.
struct VideoEncoderInfo: Sendable {
    /// FFmpeg's name.
    let name: String
    /// Constant rate factors that it takes in its profile, and the usual one.
    let factors: ClosedRange<Double>
    let usualFactor: Double
    let presets: [String]
    let usualPreset: String
    /// What it works on where nothing speaks against several. Its bytes depend on their number, which so is the same on every
    /// machine.
    let threads: Int
    /// Whether several threads come to the same bytes each time also where they have to keep to a rate on average.
    let averagesExactly: Bool
    /// Whether a key frame comes where it is asked for; else it only counts pictures.
    let takesKeyFrames: Bool

    /// The threads for `rate`. Those that have a buffer to keep to look at how far the others have come, so that several come to
    /// other bytes each time.
    func threads(for rate: RenditionRate) -> Int {
        rate.bufferBits == nil && (rate.bitRate == nil || averagesExactly) ? threads : 1
    }

    private static let x26xPresets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]

    static func of(_ codec: VideoCodec) -> VideoEncoderInfo {
        switch codec {
        // Below 1 x264 is lossless, which High profile does not know.
        case .h264:
            VideoEncoderInfo(
                name: "libx264", factors: 1...51, usualFactor: 23, presets: x26xPresets, usualPreset: "medium",
                threads: 4, averagesExactly: true, takesKeyFrames: true)
        case .hevc:
            VideoEncoderInfo(
                name: "libx265", factors: 1...51, usualFactor: 28, presets: x26xPresets, usualPreset: "medium",
                threads: 2, averagesExactly: false, takesKeyFrames: true)
        case .av1:
            VideoEncoderInfo(
                name: "libsvtav1", factors: 1...63, usualFactor: 35, presets: (0...12).map(String.init),
                usualPreset: "8", threads: 2, averagesExactly: false, takesKeyFrames: false)
        }
    }

    /// The preset asked for. Throws a `parameter` error that names the nearest.
    func preset(_ asked: String?) throws(MediaError) -> String {
        guard let asked else { return usualPreset }
        guard presets.contains(asked) else {
            let known = presets.count > 12 ? "0 to \(presets.count - 1)" : presets.joined(separator: ", ")
            throw MediaError(
                .parameter, step: "plan", reason: "\(name) has no preset '\(asked)'",
                advice: nearestName(to: asked, in: presets).map { "did you mean '\($0)'?" } ?? "use one of \(known)")
        }
        return asked
    }

    /// How often a key frame comes.
    struct KeyFrames {
        /// Pictures between two at most.
        var distance: Int
        /// Whether they come where they are asked for and nowhere else.
        var areOnlyAsked: Bool
    }

    /// The encoder's options by FFmpeg's names, without those of the rate.
    func options(preset: String, level: H264Level?, keyFrames: KeyFrames, threads: Int) -> [String: String] {
        var options = ["preset": preset, "g": "\(keyFrames.distance)"]
        let only = keyFrames.areOnlyAsked
        switch name {
        case "libx264":
            options["profile"] = "high"
            options["level"] = level?.name
            options["forced-idr"] = "1"
            if only { options["sc_threshold"] = "0" }
            // Looking ahead on a thread of its own, x264 does not always come to the same bytes on a busy machine.
            options["x264-params"] = "sync-lookahead=0"
        case "libx265":
            options["profile"] = "main"
            options["forced-idr"] = "1"
            // A bitstream that begins anew at each key frame, without the encoder's name in it, the same on all machines.
            options["x265-params"] =
                "log-level=none:info=0:open-gop=0:pools=\(threads)" + (only ? ":scenecut=0" : "")
        default:
            options["svtav1-params"] = "lp=\(threads)"
        }
        return options
    }
}
