internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

@Suite struct TranscodeTests {
    @discardableResult
    static func transcode(
        _ input: String, to output: String, poster: String? = nil, _ options: TranscodeOptions
    ) throws -> (video: TranscodedVideo, warnings: [MediaWarning]) {
        let watch = TaskWatch()
        let video = try TranscodePipeline(options).run(
            input, to: output, posterPath: poster, watch: watch, progress: { _ in })
        return (video, watch.warnings)
    }

    @Test(arguments: [
        "bunny-720p-vp8.webm", "bunny-720p-h264-5.1.mp4", "hlg10-hevc.mp4", "portrait-4k60-vfr.mp4", "portrait.mp4",
        "rotate-and-reflect.mp4",
    ])
    func everySamplePlaysInAnotherProgram(_ name: String) throws {
        var options = TranscodeOptions()
        options.framing.screen = PixelSize(width: 480, height: 320)
        options.picture.preset = "ultrafast"
        let output = "/tmp/engine-\(name).mp4"
        let done = try Self.transcode(SampleVideo.path(name), to: output, options)
        print(name, done.video.frames, done.video.seconds, done.video.bytes, done.warnings.map(\.description))
        let played = try SampleVideo.ffmpeg(["-v", "warning", "-xerror", "-i", output, "-f", "null", "-"])
        #expect(played.errors.isEmpty)
    }
}
