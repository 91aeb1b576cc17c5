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
                .parameter, step: .plan, reason: "\(name) has no preset '\(asked)'",
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

/// A level of H.264 and its limits (ITU-T H.264, table A-1).
struct H264Level: Hashable, Sendable {
    /// The name: `3.1`.
    let name: String
    /// The maximum macroblocks per second, per picture, and in the decoded picture buffer.
    let macroblocksPerSecond: Int
    let macroblocks: Int
    let bufferedMacroblocks: Int
    /// The maximum bit rate of High profile in bits per second: 1.25 times that of table A-1 (A.3.3, cpbBrVclFactor).
    let bitRate: Int

    private init(_ name: String, _ perSecond: Int, _ size: Int, _ buffer: Int, _ kilobits: Int) {
        self.name = name
        macroblocksPerSecond = perSecond
        macroblocks = size
        bufferedMacroblocks = buffer
        bitRate = kilobits * 1250
    }

    static let all = [
        H264Level("1", 1485, 99, 396, 64), H264Level("1.1", 3000, 396, 900, 192),
        H264Level("1.2", 6000, 396, 2376, 384), H264Level("1.3", 11_880, 396, 2376, 768),
        H264Level("2", 11_880, 396, 2376, 2000), H264Level("2.1", 19_800, 792, 4752, 4000),
        H264Level("2.2", 20_250, 1620, 8100, 4000), H264Level("3", 40_500, 1620, 8100, 10_000),
        H264Level("3.1", 108_000, 3600, 18_000, 14_000), H264Level("3.2", 216_000, 5120, 20_480, 20_000),
        H264Level("4", 245_760, 8192, 32_768, 20_000), H264Level("4.1", 245_760, 8192, 32_768, 50_000),
        H264Level("4.2", 522_240, 8704, 34_816, 50_000), H264Level("5", 589_824, 22_080, 110_400, 135_000),
        H264Level("5.1", 983_040, 36_864, 184_320, 240_000), H264Level("5.2", 2_073_600, 36_864, 184_320, 240_000),
    ]

    /// Frames that x264 keeps at preset medium and faster: three references, and one for the B-frame pyramid.
    private static let referenceFrames = 4

    /// Returns the lowest level for frames of `size` at `rate` per second and a maximum bit rate, if known, or nil if
    /// none suffices. The lowest two levels are not used, because their buffers are too small.
    static func lowest(for size: PixelSize, rate: Double, bitRate: Int? = nil) -> H264Level? {
        let (across, down) = ((size.width + 15) / 16, (size.height + 15) / 16)
        let count = across * down
        return all.dropFirst(2).first { level in
            let longest = (Double(level.macroblocks) * 8).squareRoot()
            return count <= level.macroblocks && Double(max(across, down)) <= longest
                && Double(count) * rate <= Double(level.macroblocksPerSecond)
                && count * referenceFrames <= level.bufferedMacroblocks && bitRate ?? 0 <= level.bitRate
        }
    }
}
