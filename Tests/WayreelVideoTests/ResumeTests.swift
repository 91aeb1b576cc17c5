internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

@Suite struct ResumeTests {
    /// 35 s of pictures with times that vary, which x264 does not make fit at once.
    private static func makeSource(_ path: String) throws {
        try SampleVideo.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=128x96:r=30:d=35,select='not(eq(mod(n,7),3))'", "-f", "lavfi", "-i",
            "sine=d=35", "-vsync", "vfr", "-c:v", "mpeg4", "-q:v", "6", "-bf", "2", "-c:a", "flac", path,
        ])
    }

    private static var options: TranscodeOptions {
        var options = TranscodeOptions(isResumable: true)
        options.picture.preset = "veryfast"
        return options
    }

    @Test(arguments: [12.0, 31.0]) func anInterruptedTranscodeComesToTheSameBytes(_ instant: Double) throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mkv"
            try Self.makeSource(source)
            try TranscodeTests.transcode(source, to: "\(folder)/whole.mp4", Self.options)

            let cancellation = Cancellation()
            #expect(throws: MediaError.self) {
                try TranscodePipeline(Self.options).run(
                    source, to: "\(folder)/resumed.mp4", watch: TaskWatch(cancellation: cancellation)
                ) { state in
                    if state.seconds > instant { cancellation.cancel() }
                }
            }
            #expect(!Fixture.listing(folder).contains("resumed.mp4"))
            let kept = Fixture.listing("\(folder)/resumed.mp4.parts").filter { $0.hasSuffix(".packets") }
            #expect(kept.count >= Int(instant / 10) && kept.contains("0.packets"))

            var first: Double?
            _ = try TranscodePipeline(Self.options).run(source, to: "\(folder)/resumed.mp4", watch: TaskWatch()) {
                first = first ?? $0.seconds
            }
            #expect(first ?? 0 > 9, "the first part is not made again")
            #expect(try Fixture.bytes("\(folder)/resumed.mp4") == Fixture.bytes("\(folder)/whole.mp4"))
            #expect(!Fixture.listing(folder).contains("resumed.mp4.parts"))
            let played = try SampleVideo.ffmpeg([
                "-v", "warning", "-xerror", "-i", "\(folder)/resumed.mp4", "-f", "null", "-",
            ])
            #expect(played.errors.isEmpty)
        }
    }
}
