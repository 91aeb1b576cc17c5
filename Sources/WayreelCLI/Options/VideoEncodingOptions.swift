internal import ArgumentParser
internal import WayreelMedia

/// Video codec, rate control and copying.
struct VideoEncodingOptions: ParsableArguments {
    @Option(help: "Video codec: h264, hevc or av1. (default: h264)")
    var codec: VideoCodec?

    @Option(
        parsing: .unconditional,
        help: "Constant rate factor; lower is better and larger. (default: 23; 28 for HEVC, 35 for AV1)")
    var crf: Double?

    @Option(help: "Encoder preset: veryfast, medium, slow, … for x264 and x265, 0 to 12 for AV1.")
    var preset: String?

    @Option(
        help: """
            Find the CRF for a quality, on samples of the video: low, medium, high, or SSIM × 100 from \
            90 to 99.9.
            """)
    var quality: QualityTarget?

    @Option(parsing: .unconditional, help: "Max output size, video in two passes: 8MB or 8000000.")
    var maxBytes: ByteCount?

    @Option(
        parsing: .unconditional,
        help: """
            Max frame rate: 30, 29.97, 30000/1001, up to 120, for HLS up to 60. (default: the source's, up to 60)
            """)
    var maxFps: Rational?

    @Option(help: "Deinterlacing: automatic, always or never. (default: automatic, for frames flagged as interlaced)")
    var deinterlace: VideoSettings.Deinterlacing?

    @Flag(inversion: .prefixedNo, help: "Copy compliant streams without re-encoding.")
    var copy = true

    @Flag(help: "Drop the video: the output is its audio alone, .m4a or .mp4.")
    var noVideo = false

    func validate() throws {
        let given = [("--crf", crf != nil), ("--quality", quality != nil), ("--max-bytes", maxBytes != nil)]
            .filter(\.1).map(\.0)
        if given.count > 1 { throw ValidationError("\(given.joined(separator: " and ")) are mutually exclusive") }
    }

    var rate: RateTarget? {
        crf.map { .crf($0) } ?? quality.map { .quality($0) } ?? maxBytes.map { .maxBytes($0.value) }
    }

    func settings(background: RGBColor?, filters: [Filter], overlays: [Overlay]) -> VideoSettings {
        var settings = VideoSettings(filters: filters, overlays: overlays, alwaysEncodes: !copy, isDropped: noVideo)
        settings.preset = preset
        settings.maxFrameRate = maxFps
        if let codec { settings.codec = codec }
        if let rate { settings.rate = rate }
        if let deinterlace { settings.deinterlacing = deinterlace }
        if let background { settings.background = background }
        return settings
    }
}
