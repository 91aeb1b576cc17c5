internal import WayreelCore

/// Information about the encoder of a codec.
struct VideoEncoderInfo: Sendable {
    /// FFmpeg's name of the encoder.
    let name: String
    /// The CRF values that it accepts in its profile.
    let crfRange: ClosedRange<Double>
    let defaultCRF: Double
    /// The range in which a CRF is searched: from no visible loss to obvious loss.
    let searchedCRFs: ClosedRange<Double>
    /// The smallest difference between two CRF values that has an effect.
    let crfStep: Double
    let presets: [String]
    let defaultPreset: String
    /// The number of threads if several threads produce the same bytes. The output depends on this number, so it is
    /// the same on every machine.
    let threads: Int
    /// Whether several threads produce the same bytes each time with an average bit rate.
    let averagesExactly: Bool
    /// Whether it makes keyframes on request; otherwise it only counts frames.
    let takesKeyFrames: Bool
    /// Its options for an encoding by FFmpeg's names, in addition to `preset` and `g`.
    private let specificOptions: @Sendable (Request) -> [String: String]
    /// Adds the options of one of two passes, with the path of the statistics; nil: it does not support passes.
    private let addPass: (@Sendable (_ options: inout [String: String], _ pass: Int, _ path: String) -> Void)?

    /// The parameters that its options depend on.
    struct Request {
        var preset: String
        var level: H264Level?
        var keyFrames: KeyFrames
        var threads: Int
    }

    /// The placement of keyframes.
    struct KeyFrames {
        /// The maximum number of frames between two.
        var distance: Int
        /// Whether the encoder makes keyframes only on request.
        var areOnlyRequested: Bool
    }

    static func of(_ codec: VideoCodec) -> VideoEncoderInfo {
        switch codec {
        case .h264: x264
        case .hevc: x265
        case .av1: svtAV1
        }
    }

    static func named(_ name: String) -> VideoEncoderInfo? {
        VideoCodec.allCases.map(of).first { $0.name == name }
    }

    // MARK: The encoders

    private static let x26xPresets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]

    /// The presets of x264 and x265 that look at most 15 frames ahead, with which an encoder holds few frames.
    static let presetsWithShortLookahead = x26xPresets.prefix(3)

    private static let x264 = VideoEncoderInfo(
        // Below CRF 1, x264 is lossless, which High profile does not allow.
        name: "libx264", crfRange: 1...51, defaultCRF: 23, searchedCRFs: 14...36, crfStep: 0.5,
        presets: x26xPresets, defaultPreset: "medium", threads: 4, averagesExactly: true, takesKeyFrames: true,
        specificOptions: { request in
            var options = ["profile": "high", "forced-idr": "1"]
            options["level"] = request.level?.name
            if request.keyFrames.areOnlyRequested { options["sc_threshold"] = "0" }
            // With a lookahead thread, x264 does not always produce the same bytes on a busy machine.
            options["x264-params"] = "sync-lookahead=0"
            return options
        }, addPass: { options, _, path in options["stats"] = path })

    private static let x265 = VideoEncoderInfo(
        name: "libx265", crfRange: 1...51, defaultCRF: 28, searchedCRFs: 16...40, crfStep: 0.5,
        presets: x26xPresets, defaultPreset: "medium", threads: 2, averagesExactly: false, takesKeyFrames: true,
        specificOptions: { request in
            // Closed GOPs, without the encoder's name in the bitstream, the same on all machines.
            let params = "log-level=none:info=0:open-gop=0:pools=\(request.threads)"
            let scenes = request.keyFrames.areOnlyRequested ? ":scenecut=0" : ""
            return ["profile": "main", "forced-idr": "1", "x265-params": params + scenes]
        },
        addPass: { options, pass, path in
            // The value is a list of options in which these characters are separators.
            let escaped = path.map { "\\':=".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            let own = options["x265-params"].map { $0 + ":" } ?? ""
            options["x265-params"] = own + "pass=\(pass):stats=\(escaped)"
        })

    private static let svtAV1 = VideoEncoderInfo(
        name: "libsvtav1", crfRange: 1...63, defaultCRF: 35, searchedCRFs: 16...58, crfStep: 1,
        presets: (0...12).map(String.init), defaultPreset: "8", threads: 2, averagesExactly: false,
        takesKeyFrames: false, specificOptions: { ["svtav1-params": "lp=\($0.threads)"] }, addPass: nil)

    // MARK: Options

    /// Returns the number of threads for `rate`. With a rate buffer, the result depends on the relative progress of
    /// the threads, so several threads would produce different bytes each time.
    func threads(for rate: RenditionRate) -> Int {
        rate.bufferBits == nil && (rate.bitRate == nil || averagesExactly) ? threads : 1
    }

    /// Returns the requested preset. Throws a `parameter` error that names the nearest one.
    func preset(_ asked: String?) throws(MediaError) -> String {
        guard let asked else { return defaultPreset }
        guard presets.contains(asked) else {
            let known = presets.count > 12 ? "0 to \(presets.count - 1)" : presets.joined(separator: ", ")
            throw MediaError(
                .parameter, step: "plan", reason: "\(name) has no preset '\(asked)'",
                advice: nearestName(to: asked, in: presets).map { "did you mean '\($0)'?" } ?? "use one of \(known)")
        }
        return asked
    }

    /// Returns the encoder's options by FFmpeg's names, without those of the rate.
    func options(for request: Request) -> [String: String] {
        ["preset": request.preset, "g": "\(request.keyFrames.distance)"].merging(specificOptions(request)) { $1 }
    }

    /// Returns `options` for one of two passes, which share the statistics at `path`, or nil if the encoder does not
    /// support passes.
    func options(_ options: [String: String], pass: Int, statistics path: String) -> [String: String]? {
        guard let addPass else { return nil }
        var options = options
        addPass(&options, pass, path)
        return options
    }
}
