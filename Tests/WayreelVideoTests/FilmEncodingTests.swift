internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

@Suite struct FilmEncodingTests {
    /// A plan as simple as can be.
    static func plan(
        _ path: String, size: PixelSize, chain: String? = nil, grid: Rational?, preset: String = "ultrafast",
        shared: String = "", sound: Bool = true
    ) throws -> TranscodePlan {
        let info = try MediaFile(.path(path), watch: TaskWatch()).info
        let rendition = RenditionPlan(
            size: size, chain: chain ?? "scale=\(size.width):\(size.height):flags=bicubic,format=yuv420p", codec: .h264,
            rate: RenditionRate(factor: 23), encoder: "libx264", options: ["preset": preset], threads: 3)
        let timing = FrameTiming(
            grid: grid, timeBase: grid.flatMap { Rational($0.denominator, $0.numerator) } ?? Rational(1, 90_000)!)
        return TranscodePlan(
            source: info,
            picture: info.video.map {
                PicturePlan(
                    stream: $0.index, action: .transcode, reasons: [], timing: timing, sharedChain: shared,
                    renditions: [rendition])
            },
            sound: sound
                ? info.sound.map {
                    SoundPlan(
                        stream: $0.index, track: 1, action: .transcode, reasons: [],
                        sampleRate: $0.format!.sampleRate, channelCount: min(2, $0.format!.channels.count),
                        bitRate: 128_000)
                } : nil)
    }

    static func encode(_ path: String, _ plan: TranscodePlan, to output: String) throws -> FilmEncoding.Outcome {
        let watch = TaskWatch()
        let look = try FrameLook(filters: [], overlays: [], limits: .standard)
        let file = try SeekableOutput(output)
        let outcome = try FilmEncoding(plan, of: .path(path), look: look, limits: .standard, threads: 2).run(
            into: file, watch: watch, progress: { _ in })
        try file.finish()
        return outcome
    }

    @Test func aWholeClip() throws {
        try Fixture.withFolder { folder in
            let path = SampleVideo.path("bunny-720p-vp8.webm")
            let plan = try Self.plan(
                path, size: PixelSize(width: 960, height: 540), grid: 24, preset: "medium")
            let outcome = try Self.encode(path, plan, to: "/tmp/engine.mp4")
            print(outcome)
        }
    }
}
