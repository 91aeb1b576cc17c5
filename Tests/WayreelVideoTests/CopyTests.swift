internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Copied video has the same packets, in the same number.
@Suite struct CopyTests {
    private static func packets(_ path: String) throws -> Double {
        try Played.numbers("stream=nb_read_packets", of: path, streams: "v", ["-count_packets"]).first ?? 0
    }

    @Test(arguments: ["mkv", "mov", "ts"], ["bframes=3:b-adapt=0", "bframes=0", "bframes=5:b-pyramid=normal"])
    func nothingIsLost(_ ending: String, _ coding: String) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.\(ending)", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=3", "-c:v", "libx264", "-pix_fmt", "yuv420p",
                "-x264-params", coding, source,
            ])
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.video?.action == .copy)
            #expect(try Self.packets(output) == Self.packets(source))
            #expect(done.warnings.isEmpty, "\(done.warnings)")
            try Played.expectNoMessages(of: output)
        }
    }

    /// FFmpeg's muxer writes no duration for the last frame of a variable rate.
    @Test(arguments: ["mp4", "mkv"]) func aLastFrameOfUnknownDurationIsShown(_ ending: String) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.\(ending)", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=8.034", "-vf",
                "select='lt(n,60)+eq(n,240)',settb=1/90000", "-vsync", "vfr", "-enc_time_base", "1/90000", "-c:v",
                "libx264", "-pix_fmt", "yuv420p", source,
            ])
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.video?.action == .copy)
            let frames = try Played.numbers(
                "stream=nb_read_frames:format=duration", of: output, ["-count_frames"])
            #expect(frames.first == 61)
            #expect(abs((frames.last ?? 0) - 8.034) < 0.02, "\(frames)")
        }
    }

    @Test func aFileThatBreaksOffIsToldOf() throws {
        try Fixture.withFolder { folder in
            let (whole, part) = ("\(folder)/whole.mp4", "\(folder)/part.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=4", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g",
                "30", "-movflags", "+faststart", whole,
            ])
            let bytes = try Fixture.bytes(whole)
            try OutputFile.write(Array(bytes.prefix(bytes.count * 9 / 10)), to: part)
            let done = try TranscodeTests.transcode(part, to: "\(folder)/out.mp4", TranscodeOptions())
            #expect(!done.warnings.isEmpty)
            try Played.expectNoMessages(of: "\(folder)/out.mp4")
            try OutputFile.write(Array(bytes.prefix(bytes.count / 4)), to: part)
            #expect(throws: MediaError.self) {
                try TranscodeTests.transcode(part, to: "\(folder)/none.mp4", TranscodeOptions())
            }
            #expect(!Fixture.listing(folder).contains("none.mp4"))
        }
    }

    /// Truncated files of containers that store only the total duration: their packets end long before it.
    @Test(arguments: ["mkv", "flv"]) func whatIsCutOffAltogetherIsMissed(_ ending: String) throws {
        try Fixture.withFolder { folder in
            let (whole, part) = ("\(folder)/whole.\(ending)", "\(folder)/part.\(ending)")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=6", "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-g", "15", "-c:a", "aac", whole,
            ])
            let bytes = try Fixture.bytes(whole)
            try OutputFile.write(Array(bytes.prefix(bytes.count / 4)), to: part)
            for encodes in [false, true] {
                var options = TranscodeOptions(video: VideoSettings(preset: "ultrafast", alwaysEncodes: encodes))
                let error = #expect(throws: MediaError.self) {
                    try TranscodeTests.transcode(part, to: "\(folder)/out.mp4", options)
                }
                #expect(error?.reason.contains("is missing") == true && error?.kind == .decoding)
                options.tolerance = DamageTolerance.none
                let taken = try TranscodeTests.transcode(part, to: "\(folder)/out.mp4", options)
                #expect(taken.warnings.contains { $0.message.contains("only 1.") }, "\(taken.warnings)")
                try SampleVideo.run("rm", ["\(folder)/out.mp4"])
            }
            // Audio that continues is not a sign of truncation.
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2", "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-c:a", "aac", "\(folder)/longer.\(ending)",
            ])
            let done = try TranscodeTests.transcode(
                "\(folder)/longer.\(ending)", to: "\(folder)/longer.mp4", TranscodeOptions())
            #expect(done.warnings.isEmpty, "\(done.warnings)")
        }
    }

    /// Writes a video of 320×180, then 640×360 pixels.
    static func makeVaryingSource(_ source: String, _ folder: String) throws {
        var raw: [UInt8] = []
        for size in ["320x180", "640x360"] {
            let part = "\(folder)/\(size).h264"
            try SampleVideo.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=2", "-c:v", "libx264", "-bf", "0", "-pix_fmt",
                "yuv420p", part,
            ])
            raw += try Fixture.bytes(part)
        }
        let (stream, joined) = ("\(folder)/both.h264", "\(folder)/joined.ts")
        try OutputFile.write(raw, to: stream)
        try SampleVideo.ffmpeg(["-r", "25", "-i", stream, "-c", "copy", joined])
        try SampleVideo.ffmpeg(["-i", joined, "-c", "copy", source])
    }

    /// The header declares one size to players. In MP4, only the packets show that there are more.
    @Test(arguments: ["ts", "mkv", "mp4"]) func whatChangesItsSizeIsEncoded(_ ending: String) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.\(ending)", "\(folder)/out.mp4")
            try Self.makeVaryingSource(source, folder)
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.video?.reasons.first?.contains("changes within the stream") == true)
            let widths = try Played.numbers("frame=width", of: output, streams: "v")
            #expect(widths.count == 100 && Set(widths) == [320])
        }
    }

    /// Timestamps in milliseconds are not on a grid of 23.976 fps: other programs would detect a variable rate.
    @Test(arguments: ["0", "0.5"]) func timesThatAreRoundedComeBackOntoTheirGrid(_ start: String) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mkv", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-itsoffset", start, "-f", "lavfi", "-i", "testsrc2=s=160x120:r=24000/1001:d=6", "-f", "lavfi", "-i",
                "sine=d=6", "-c:v", "libx264", "-bf", "4", "-pix_fmt", "yuv420p", "-c:a", "aac", source,
            ])
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.video?.action == .copy && done.warnings.isEmpty, "\(done.warnings)")
            let old = try Played.numbers("frame=pts_time", of: source, streams: "v")
            let new = try Played.numbers("frame=pts_time", of: output, streams: "v")
            #expect(new.count == 144 && old.count == 144)
            #expect(zip(old, new).allSatisfy { abs($0 - $1) < 0.0015 })
            let first = try #require(new.first)
            for (index, time) in new.enumerated() {
                #expect(abs(time - first - Double(index) * 1001 / 24000) < 2e-6)
            }
            try Played.expectNoMessages(of: output)
        }
    }

    /// Copied streams are decoded only if no damage is accepted.
    @Test func damageInWhatIsTakenOverIsFoundWhereAsked() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mp4", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=4", "-f", "lavfi", "-i", "sine=d=4", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-c:a", "aac", source,
            ])
            var options = TranscodeOptions(tolerance: .warning)
            let intact = try TranscodeTests.transcode(source, to: output, options)
            #expect(intact.video.plan.video?.action == .copy && intact.warnings.isEmpty)
            var bytes = try Fixture.bytes(source)
            for offset in bytes.count / 2..<bytes.count / 2 + 2000 where offset % 5 == 0 { bytes[offset] ^= 0x24 }
            try OutputFile.write(bytes, to: source)
            let error = #expect(throws: MediaError.self) {
                try TranscodeTests.transcode(source, to: "\(folder)/none.mp4", options)
            }
            #expect(error?.kind == .decoding && !Fixture.listing(folder).contains("none.mp4"))
            options.tolerance = .standard
            let taken = try TranscodeTests.transcode(source, to: output, options)
            #expect(taken.video.plan.video?.action == .copy)
        }
    }
}
