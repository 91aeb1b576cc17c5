internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

@Suite struct CRFSearchTests {
    /// Returns SSIM of the luma of two files, measured by the ffmpeg program.
    private static func similarity(_ first: String, _ second: String) throws -> Double {
        var arguments = ["-nostdin", "-hide_banner", "-i", first, "-i", second]
        arguments += [
            "-lavfi", "[0:v]settb=1/12,setpts=N[a];[1:v]settb=1/12,setpts=N[b];[a][b]ssim", "-f", "null", "-",
        ]
        let outcome = try SampleVideo.run("ffmpeg", arguments)
        let text = try #require(outcome.errors.split(separator: " ").last { $0.hasPrefix("Y:") })
        return try #require(Double(text.dropFirst(2)))
    }

    @Test(arguments: [
        (VideoCodec.h264, "veryfast", 97.0), (.h264, "veryfast", 93), (.hevc, "ultrafast", 96), (.av1, "12", 96),
    ])
    func theWholeIsAsGoodAsAskedFor(_ codec: VideoCodec, preset: String, target: Double) throws {
        try Fixture.withFolder { folder in
            let (input, output) = ("\(folder)/in.mkv", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-i", SampleVideo.path("bunny-720p-h264-5.1.mp4"), "-vf", "scale=320:180,fps=12", "-t", "4", "-an",
                "-c:v", "ffv1", "-pix_fmt", "yuv420p", "-color_primaries", "bt709", "-color_trc", "bt709",
                "-colorspace", "bt709", input,
            ])
            var options = TranscodeOptions()
            options.video = VideoSettings(codec: codec, rate: .quality(.ssim(target)), preset: preset)
            let video = try TranscodeTests.transcode(input, to: output, options).video
            let reached = try Self.similarity(output, input) * 100
            #expect(reached > target - 0.5 && reached < target + 1.2, "reached \(reached)")
            let plan = try #require(video.plan.video)
            #expect(plan.renditions[0].rate.crf != nil)
            #expect(plan.reasons.contains { $0.contains("CRF") })
        }
    }

    /// The examined excerpts are in the plain parts of a video, a quarter of it each; noise fills the rest.
    @Test(arguments: [false, true]) func aWholeThatIsWorseThanItsSamplesIsToldOf(isResumable: Bool) throws {
        try Fixture.withFolder { folder in
            let (input, output) = ("\(folder)/in.mkv", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=12:d=24,noise=c0s=60:c0f=t:enable='gt(abs(mod(t,6)-3),1.5)'",
                "-c:v", "ffv1", "-pix_fmt", "yuv420p", "-color_primaries", "bt709", "-color_trc", "bt709",
                "-colorspace", "bt709", input,
            ])
            let options = TranscodeOptions(
                video: VideoSettings(rate: .quality(.ssim(97)), preset: "ultrafast"), isResumable: isResumable)
            let done = try TranscodeTests.transcode(input, to: output, options)
            let reached = try Self.similarity(output, input) * 100
            try #require(reached < 96.5)
            let warning = try #require(done.warnings.last { $0.step == .quality })
            #expect(warning.message.contains(" 97 "))
            let numbers = warning.message.split(separator: " ").compactMap {
                Double($0.filter { $0 != "," })
            }
            let reported = try #require(numbers.first)
            #expect(abs(reported - reached) < 0.5, "\(warning.message), \(reached)")
        }
    }
}
