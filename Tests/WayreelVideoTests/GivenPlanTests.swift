internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

/// A plan that is given is carried out as it is, or refused.
@Suite struct GivenPlanTests {
    private func run(
        _ input: String, to output: String, _ options: TranscodeOptions, plan: TranscodePlan
    ) throws -> (video: TranscodedVideo, warnings: [MediaWarning]) {
        let task = TaskContext()
        let video = try TranscodePipeline(options).run(input, to: output, plan: plan, task: task, progress: { _ in })
        return (video, task.warnings)
    }

    private func expectRefusal(
        of plan: TranscodePlan, _ input: String, _ options: TranscodeOptions, word: String, in folder: String
    ) throws {
        let before = Fixture.listing(folder)
        let error = try #require(throws: MediaError.self) {
            _ = try run(input, to: "\(folder)/refused.mp4", options, plan: plan)
        }
        #expect(error.kind == .parameter && error.code == .planOutdated && error.subject == input)
        #expect(error.reason.contains(word) && !error.description.contains("\n"), "\(error)")
        #expect(Fixture.listing(folder) == before)
    }

    /// The audio is decoded while the video is copied, and before the video is encoded.
    @Test(arguments: [160, 80]) func damagedAudioIsNotEncodedInstead(width: Int) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mp4", "\(folder)/out.mp4")
            try AudioCopyTests.makeSource(source)
            try AudioCopyTests.damage(source) { $0 == 200 }
            let options = TranscodeOptions(
                framing: Framing(screen: PixelSize(width: width, height: width * 96 / 160), fit: .contain))
            let plan = try TranscodePlan.plan(path: source, options)
            #expect(plan.defaultAudio?.action == .copy && plan.constraints == nil)
            try expectRefusal(of: plan, source, options, word: "damaged audio", in: folder)

            // A plan that knows of the damage can be carried out, with the result of a transcode without a plan.
            let plain = try TranscodeTests.transcode(source, to: output, options)
            #expect(plain.video.plan.source == plan.source)
            #expect(plain.video.plan.constraints?.damagedAudio.keys.sorted() == [1])
            let known = try TranscodePlan(of: plan.source, options, plain.video.plan.constraints)
            #expect(known == plain.video.plan)
            let planned = try run(source, to: "\(folder)/planned.mp4", options, plan: known)
            #expect(planned.video.plan == known)
            #expect(!planned.warnings.contains { $0.message.contains("re-encoded") }, "\(planned.warnings)")
            #expect(try Fixture.bytes(output) == Fixture.bytes("\(folder)/planned.mp4"))
        }
    }

    @Test func varyingFramesAreNotEncodedInstead() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mp4", "\(folder)/out.mp4")
            try CopyTests.makeVaryingSource(source, folder)
            let plan = try TranscodePlan.plan(path: source)
            #expect(plan.video?.action == .copy)
            try expectRefusal(of: plan, source, TranscodeOptions(), word: "changes within the stream", in: folder)

            let plain = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(plain.video.plan.constraints == PlanConstraints(framesVary: true))
            let planned = try run(
                source, to: "\(folder)/planned.mp4", TranscodeOptions(), plan: plain.video.plan)
            #expect(planned.video.plan == plain.video.plan)
            #expect(try Fixture.bytes(output) == Fixture.bytes("\(folder)/planned.mp4"))
        }
    }

    /// Noise of more than the generous 1 Mb/s, which a CRF of 1 makes several times as large.
    @Test func aLargerResultIsKept() throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mp4"
            try SampleVideo.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-vf", "noise=alls=60:allf=t", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-g", "25", "-b:v", "2M", "-maxrate", "2M", "-bufsize", "2M", source,
            ])
            let options = TranscodeOptions(video: VideoSettings(rate: .crf(1), preset: "ultrafast"))
            let plan = try TranscodePlan.plan(path: source, options)
            #expect(plan.video?.action == .transcode)
            let planned = try run(source, to: "\(folder)/planned.mp4", options, plan: plan)
            #expect(planned.video.plan == plan && planned.warnings.isEmpty, "\(planned.warnings)")
            #expect(try planned.video.bytes > Fixture.bytes(source).count)

            // Without a plan, the smaller copy is delivered.
            let plain = try TranscodeTests.transcode(source, to: "\(folder)/plain.mp4", options)
            #expect(plain.video.plan.video?.action == .copy)
            #expect(plain.video.plan.constraints == PlanConstraints(ignoresBitRate: true))
            #expect(plain.video.bytes < planned.video.bytes)
            #expect(plain.warnings.map(\.message) == ["encoding would make the file larger; the streams are copied"])
        }
    }
}
