internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

@Suite struct ResumeTests {
    /// Makes 35 s of video with variable timestamps, which x264 does not fit into the size at the first attempt.
    private static func makeSource(_ path: String) throws {
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=128x96:r=30:d=35,select='not(eq(mod(n,7),3))'", "-f", "lavfi", "-i",
            "sine=d=35", "-vsync", "vfr", "-c:v", "mpeg4", "-q:v", "6", "-bf", "2", "-c:a", "flac", path,
        ])
    }

    private static let options = TranscodeOptions(video: VideoSettings(preset: "veryfast"), isResumable: true)

    /// Cancels a transcode when it has reached `instant`, in seconds of output. Returns the thrown error.
    @discardableResult private static func interrupt(
        _ source: String, to output: String, _ options: TranscodeOptions, after instant: Double
    ) -> MediaError? {
        let cancellation = Cancellation()
        return #expect(throws: MediaError.self) {
            try TranscodePipeline(options).run(source, to: output, task: TaskContext(cancellation: cancellation)) {
                if $0.seconds > instant { cancellation.cancel() }
            }
        }
    }

    /// Resumes the run to its end. Returns the first reported progress.
    @discardableResult private static func goOn(
        _ source: String, to output: String, _ options: TranscodeOptions
    ) throws -> TaskProgress? {
        var first: TaskProgress?
        _ = try TranscodePipeline(options).run(source, to: output, task: TaskContext()) { first = first ?? $0 }
        return first
    }

    @Test(arguments: [12.0, 31.0]) func anInterruptedTranscodeComesToTheSameBytes(_ instant: Double) throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mkv"
            try Self.makeSource(source)
            try TranscodeTests.transcode(source, to: "\(folder)/whole.mp4", Self.options)

            Self.interrupt(source, to: "\(folder)/resumed.mp4", Self.options, after: instant)
            #expect(!Fixture.listing(folder).contains("resumed.mp4"))
            let kept = Fixture.listing("\(folder)/resumed.mp4.parts").filter { $0.hasSuffix(".packets") }
            #expect(kept.count >= Int(instant / 10) && kept.contains("0-0.packets"))

            let first = try Self.goOn(source, to: "\(folder)/resumed.mp4", Self.options)
            #expect(first?.seconds ?? 0 > 9, "the first part is not made again")
            #expect(first?.speed == 0, "what was done before is no part of the speed")
            #expect(try Fixture.bytes("\(folder)/resumed.mp4") == Fixture.bytes("\(folder)/whole.mp4"))
            #expect(!Fixture.listing(folder).contains("resumed.mp4.parts"))
            try Played.expectNoMessages(of: "\(folder)/resumed.mp4")
        }
    }

    /// A resumed run reports the damage of finished chunks and applies the tolerance to it.
    @Test func damageIsNotForgotten() throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mkv"
            try Self.makeSource(source)
            // About 4 s after the beginning.
            var bytes = try Fixture.bytes(source)
            for offset in bytes.count / 9..<bytes.count / 9 + 3000 where offset % 3 == 0 { bytes[offset] ^= 0x5a }
            try OutputFile.write(bytes, to: source)
            let whole = try TranscodeTests.transcode(source, to: "\(folder)/whole.mp4", Self.options)
            // The number of frames that decoders mark as damaged depends on the timing of their threads.
            let damage = "damaged frames"
            #expect(whole.warnings.contains { $0.message.hasPrefix(damage) })

            for instant in [12.0, 31] {
                Self.interrupt(source, to: "\(folder)/resumed.mp4", Self.options, after: instant)
                let resumed = try TranscodeTests.transcode(source, to: "\(folder)/resumed.mp4", Self.options)
                #expect(resumed.warnings.contains { $0.message.hasPrefix(damage) }, "\(resumed.warnings)")
                #expect(try Fixture.bytes("\(folder)/resumed.mp4") == Fixture.bytes("\(folder)/whole.mp4"))
            }
            // Refused, and refused again from the finished chunks; a tolerant run then uses these chunks.
            var strict = Self.options
            strict.tolerance = .warning
            for _ in 0..<2 {
                let error = #expect(throws: MediaError.self) {
                    try TranscodeTests.transcode(source, to: "\(folder)/strict.mp4", strict)
                }
                #expect(
                    error?.kind == .decoding && error?.advice?.description.contains("finished parts are in") == true)
                #expect(!Fixture.listing(folder).contains("strict.mp4"))
            }
            let taken = try Self.goOn(source, to: "\(folder)/strict.mp4", Self.options)
            #expect(taken?.seconds ?? 0 > 30)
            #expect(Fixture.listing(folder).sorted() == ["resumed.mp4", "source.mkv", "strict.mp4", "whole.mp4"])
        }
    }

    /// A video has the overlay of one run, not of two.
    @Test func anotherOverlayBeginsAnew() throws {
        try Fixture.withFolder { folder in
            let (source, badge) = ("\(folder)/source.mkv", "\(folder)/badge.png")
            try Self.makeSource(source)
            let paint = { (color: String) throws in
                let color = "color=\(color):s=32x32"
                try SampleVideo.make(["-y", "-f", "lavfi", "-i", color, "-frames:v", "1", badge])
            }
            try paint("red")
            var options = Self.options
            options.video.overlays = [.image(ImageOverlay(path: badge))]
            Self.interrupt(source, to: "\(folder)/resumed.mp4", options, after: 12)
            try paint("blue")
            try Self.goOn(source, to: "\(folder)/resumed.mp4", options)
            try TranscodeTests.transcode(source, to: "\(folder)/whole.mp4", options)
            #expect(try Fixture.bytes("\(folder)/resumed.mp4") == Fixture.bytes("\(folder)/whole.mp4"))
        }
    }

    /// Ten seconds are not a whole number of frames: no chunk has a single frame, and no frame is lost or out of order.
    @Test(arguments: ["30000/1001", "24000/1001", "60000/1001"]) func partsOfUnevenRatesFollowEachOther(
        _ rate: String
    ) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mkv", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=128x96:r=\(rate):d=32", "-c:v", "ffv1", source,
            ])
            let options = TranscodeOptions(
                video: VideoSettings(preset: "veryfast", alwaysEncodes: true), isResumable: true)
            let done = try TranscodeTests.transcode(source, to: output, options)
            let counted = try Played.numbers("stream=nb_read_frames", of: output, ["-count_frames"])
            let frames = try #require(Rational(rate)).value * 32
            #expect(counted.first == frames.rounded(.up))
            #expect(done.video.frames == Int(frames.rounded(.up)))
            try Played.expectNoMessages(of: output)
        }
    }

    /// Two concatenated recordings: the time at which a chunk begins occurs twice in the file.
    @Test func timesThatComeTwiceAreNotMixedUp() throws {
        try Fixture.withFolder { folder in
            let (half, source) = ("\(folder)/half.ts", "\(folder)/source.ts")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=25", "-c:v", "libx264", "-preset", "ultrafast", "-g",
                "50", "-pix_fmt", "yuv420p", half,
            ])
            let bytes = try Fixture.bytes(half)
            try OutputFile.write(bytes + bytes, to: source)
            try TranscodeTests.transcode(source, to: "\(folder)/whole.mp4", Self.options)
            for instant in [22.0, 42] {
                Self.interrupt(source, to: "\(folder)/resumed.mp4", Self.options, after: instant)
                let first = try Self.goOn(source, to: "\(folder)/resumed.mp4", Self.options)
                #expect(first?.seconds ?? 0 > instant - 13, "finished parts are not made again")
                #expect(try Fixture.bytes("\(folder)/resumed.mp4") == Fixture.bytes("\(folder)/whole.mp4"))
            }
        }
    }

    // MARK: HLS

    /// 27 s: two complete chunks of 12 s and the rest, in two renditions whose rates are capped, with a preview.
    private static func packageOptions(_ codec: VideoCodec, preset: String) -> TranscodeOptions {
        TranscodeOptions(
            video: VideoSettings(codec: codec, preset: preset),
            delivery: .hls(HLSOptions(ladder: LadderRung.ladder("320x240@300,160x120@100"))), isResumable: true)
    }

    private static func files(of package: String) -> [String] {
        Fixture.listing(package).flatMap { name in
            name.contains(".") ? [name] : Fixture.listing("\(package)/\(name)").map { "\(name)/\($0)" }
        }
    }

    @Test(arguments: [(VideoCodec.h264, "veryfast"), (.hevc, "ultrafast"), (.av1, "12")])
    func anInterruptedPackageComesToTheSameFiles(_ codec: VideoCodec, _ preset: String) throws {
        let options = Self.packageOptions(codec, preset: preset)
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mkv"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=27", "-f", "lavfi", "-i", "sine=d=27", "-c:v", "mpeg4",
                "-q:v", "4", "-c:a", "flac", source,
            ])
            try TranscodeTests.transcode(source, to: "\(folder)/whole", options)

            let failure = Self.interrupt(source, to: "\(folder)/resumed/", options, after: 20)
            #expect(failure?.advice?.description.contains("the next run resumes from there") == true)
            let kept = Fixture.listing("\(folder)/resumed.parts")
            #expect(["0-0.packets", "0-1.packets", "0.thumbnails"].allSatisfy(kept.contains))

            let first = try Self.goOn(source, to: "\(folder)/resumed/", options)
            #expect(first?.seconds ?? 0 > 11.9, "the first part is not made again")
            let files = Self.files(of: "\(folder)/whole")
            #expect(files.count > 20 && files == Self.files(of: "\(folder)/resumed"))
            for file in files {
                let (resumed, whole) = ("\(folder)/resumed/\(file)", "\(folder)/whole/\(file)")
                #expect(try Fixture.bytes(resumed) == Fixture.bytes(whole), "\(file)")
            }
            #expect(Fixture.listing(folder) == ["resumed", "source.mkv", "whole"])
            try Played.expectNoMessages(of: "\(folder)/resumed/master.m3u8", ["-map", "0"])
        }
    }
}
