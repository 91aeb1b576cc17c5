internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Pictures that are taken over are the same packets, and as many.
@Suite struct CopyTests {
    private static func packets(_ path: String) throws -> Int {
        let counted = try SampleVideo.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-count_packets", "-show_entries", "stream=nb_read_packets",
                "-of",
                "csv=p=0", path,
            ])
        return Int(counted.text.split(whereSeparator: \.isWhitespace).first ?? "") ?? 0
    }

    @Test(arguments: ["mkv", "mov", "ts"], ["bframes=3:b-adapt=0", "bframes=0", "bframes=5:b-pyramid=normal"])
    func nothingIsLost(_ ending: String, _ coding: String) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.\(ending)", "\(folder)/out.mp4")
            try SampleVideo.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=3", "-c:v", "libx264", "-pix_fmt", "yuv420p",
                "-x264-params", coding, source,
            ])
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.picture?.action == .copy)
            #expect(try Self.packets(output) == Self.packets(source))
            #expect(done.warnings.isEmpty, "\(done.warnings)")
            let played = try SampleVideo.ffmpeg(["-v", "warning", "-xerror", "-i", output, "-f", "null", "-"])
            #expect(played.errors.isEmpty)
        }
    }

    /// FFmpeg's muxer gives the last picture of a rate that varies no length.
    @Test(arguments: ["mp4", "mkv"]) func aLastPictureOfUnknownLengthIsShown(_ ending: String) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.\(ending)", "\(folder)/out.mp4")
            try SampleVideo.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=8.034", "-vf",
                "select='lt(n,60)+eq(n,240)',settb=1/90000", "-vsync", "vfr", "-enc_time_base", "1/90000", "-c:v",
                "libx264", "-pix_fmt", "yuv420p", source,
            ])
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.picture?.action == .copy)
            let frames = try SampleVideo.run(
                "ffprobe",
                [
                    "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames:format=duration", "-of",
                    "csv=p=0", output,
                ]
            ).text.split(whereSeparator: \.isWhitespace)
            #expect(frames.first == "61")
            #expect(abs((frames.last.flatMap { Double($0) } ?? 0) - 8.034) < 0.02, "\(frames)")
        }
    }

    @Test func aFileThatBreaksOffIsToldOf() throws {
        try Fixture.withFolder { folder in
            let (whole, part) = ("\(folder)/whole.mp4", "\(folder)/part.mp4")
            try SampleVideo.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=4", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g",
                "30",
                "-movflags", "+faststart", whole,
            ])
            let bytes = try Fixture.bytes(whole)
            try OutputFile.write(Array(bytes.prefix(bytes.count * 9 / 10)), to: part)
            let done = try TranscodeTests.transcode(part, to: "\(folder)/out.mp4", TranscodeOptions())
            #expect(!done.warnings.isEmpty)
            let played = try SampleVideo.ffmpeg([
                "-v", "warning", "-xerror", "-i", "\(folder)/out.mp4", "-f", "null", "-",
            ])
            #expect(played.errors.isEmpty)
            try OutputFile.write(Array(bytes.prefix(bytes.count / 4)), to: part)
            #expect(throws: MediaError.self) {
                try TranscodeTests.transcode(part, to: "\(folder)/none.mp4", TranscodeOptions())
            }
            #expect(!Fixture.listing(folder).contains("none.mp4"))
        }
    }
}
