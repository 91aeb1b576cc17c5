internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// As many frames are written as were decoded, except for those that the plan drops.
@Suite struct FrameTallyTests {
    @Test(arguments: [([57], true), ([57, 57], true), ([56], false), ([57, 58], false)])
    func aDifferenceIsToldOf(written: [Int], isRight: Bool) {
        var tally = FrameTally()
        (tally.decoded, tally.dropped, tally.repeated) = (60, 10, 7)
        let task = TaskContext()
        tally.check(written: written, task)
        #expect(task.warnings.isEmpty == isRight)
        guard let warning = task.warnings.first, let count = written.first(where: { $0 != 57 }) else { return }
        #expect(warning.message.contains("57") && warning.message.contains("\(count)"))
    }

    /// The changes to a source, and its resulting number of frames.
    @Test(arguments: [
        ("as it is", 100), ("max-fps", 34), ("range", 50), ("interlaced", 100), ("hls", 100), ("resumable", 100),
    ]) func nothingIsToldOfWhatIsLeftOut(_ change: String, frames: Int) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mkv", "\(folder)/out")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v", "mpeg4", "-q:v", "4", "-bf", "2", source,
            ])
            var options = TranscodeOptions(video: VideoSettings(preset: "ultrafast", alwaysEncodes: true))
            switch change {
            case "max-fps": options.video.maxFrameRate = 10
            case "range": options.range = TimeRange(start: 1, end: 3)
            case "interlaced": options.video.deinterlacing = .always
            case "hls": options.delivery = .hls(HLSOptions())
            case "resumable": options.isResumable = true
            default: break
            }
            let done = try TranscodeTests.transcode(source, to: output, options)
            #expect(done.warnings.isEmpty, "\(done.warnings)")
            #expect(done.video.frames == frames)
        }
    }
}
