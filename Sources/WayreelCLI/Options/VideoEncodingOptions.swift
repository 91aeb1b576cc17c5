internal import ArgumentParser
internal import Wayreel

/// How pictures that move are encoded.
struct VideoEncodingOptions: ParsableArguments {
    @Option(help: "h264, hevc or av1. (default: h264)")
    var codec: VideoCodec?

    @Option(
        parsing: .unconditional,
        help: "Constant rate factor: less is better and larger. (default: 23; 28 of HEVC, 35 of AV1)")
    var crf: Double?

    @Option(help: "The encoder's preset: veryfast, medium, slow, … of x264 and x265, 0 to 12 of AV1.")
    var preset: String?

    @Option(
        help: """
            Find the rate factor that reaches a quality, on samples of the video: low, medium, high, or SSIM × 100 from \
            90 to 99.9.
            """)
    var quality: QualityTarget?

    @Option(parsing: .unconditional, help: "Fit the whole file into so many bytes, in two passes: 8MB or 8000000.")
    var maxBytes: ByteCount?

    @Option(
        parsing: .unconditional,
        help: """
            Frames a second, at most: 30, 29.97, 30000/1001, up to 120, of HLS up to 60. (default: as many as there are, up to 60)
            """)
    var maxFps: Rational?

    @Option(help: "automatic, always or never. (default: automatic: the pictures that say so)")
    var deinterlace: VideoSettings.Deinterlacing?

    @Flag(inversion: .prefixedNo, help: "Take over a stream as it is, where it complies.")
    var copy = true

    func validate() throws {
        let given = [("--crf", crf != nil), ("--quality", quality != nil), ("--max-bytes", maxBytes != nil)]
            .filter(\.1).map(\.0)
        if given.count > 1 { throw ValidationError("\(given.joined(separator: " and ")) exclude one another") }
    }

    var rate: RateTarget? {
        crf.map { .crf($0) } ?? quality.map { .quality($0) } ?? maxBytes.map { .maxBytes($0.value) }
    }

    func settings(background: RGBColor?, filters: [Filter], overlays: [Overlay]) -> VideoSettings {
        var settings = VideoSettings(filters: filters, overlays: overlays, alwaysEncodes: !copy)
        settings.preset = preset
        settings.maxFrameRate = maxFps
        if let codec { settings.codec = codec }
        if let rate { settings.rate = rate }
        if let deinterlace { settings.deinterlacing = deinterlace }
        if let background { settings.background = background }
        return settings
    }
}
