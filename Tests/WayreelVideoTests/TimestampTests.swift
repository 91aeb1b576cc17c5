internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Videos whose packets declare the display order of frames incompletely or not at all.
@Suite struct TimestampTests {
    private static func ffprobe(_ field: String, of path: String) throws -> Int {
        Int(try Played.numbers("stream=\(field)", of: path, streams: "v", ["-count_frames"]).first ?? 0)
    }

    /// The frames that another program decodes are kept, except for a frame at each end whose timestamps collide in
    /// decoding order.
    @Test(arguments: [
        ["mp4", "libxvid", "-bf", "2"], ["avi", "mpeg4", "-bf", "2"], ["mpg", "mpeg1video", "-bf", "2"],
        ["mpg", "mpeg2video", "-bf", "2"], ["mov", "mjpeg"], ["flv", "flv1"],
        ["webm", "libvpx", "-deadline", "realtime"],
    ]) func framesAreKept(_ coding: [String]) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.\(coding[0])", "\(folder)/out.mp4")
            try SampleVideo.make(
                ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-c:v"] + coding.dropFirst() + [source])
            _ = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            let expected = try Self.ffprobe("nb_read_frames", of: source)
            #expect(abs(try Self.ffprobe("nb_read_frames", of: output) - expected) <= 2)
        }
    }

    /// One video tag of FLV has a time that is 5 or 4000 s late. The frames of the output are 40 ms apart, as those of
    /// the source before.
    @Test(arguments: [5000, 4_000_000], [false, true])
    func oneWrongTimeMovesNoOtherFrame(milliseconds: Int, encodes: Bool) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.flv", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-f", "lavfi", "-i", "sine=d=4", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-bf", "2", "-c:a", "aac", source,
            ])
            var bytes = try Fixture.bytes(source)
            // The file header, the size of no tag before it, and then tags: type, 24-bit length, 24-bit time, its high
            // byte, 24-bit stream, content, and the size of the tag in 32 bits.
            var (offset, videoTags) = (13, 0)
            while offset + 11 < bytes.count {
                let number = { (start: Int) in bytes[start..<start + 3].reduce(0) { $0 << 8 | Int($1) } }
                if bytes[offset] == 9 { videoTags += 1 }
                if bytes[offset] == 9, videoTags == 20 {
                    let time = number(offset + 4) + milliseconds
                    bytes.replaceSubrange(
                        offset + 4..<offset + 8, with: [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: time >> $0) })
                    break
                }
                offset += 11 + number(offset + 1) + 4
            }
            try #require(videoTags == 20)
            try OutputFile.write(bytes, to: source)
            let options = TranscodeOptions(video: VideoSettings(alwaysEncodes: encodes))
            let done = try TranscodeTests.transcode(source, to: output, options)
            #expect(done.warnings.isEmpty, "\(done.warnings)")
            let times = try Played.numbers("packet=pts_time", of: output, streams: "v").sorted()
            #expect(times.count == 100)
            #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.002 }, "\(times)")
        }
    }

    /// MPEG-4 with B-frames whose timestamps in Matroska are in decoding order, as FFmpeg copies them from an MP4 file
    /// without composition times.
    @Test func framesNumberedInDecodingOrderAreKept() throws {
        try Fixture.withFolder { folder in
            let (first, source, output) = ("\(folder)/first.mp4", "\(folder)/source.mkv", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-c:v", "libxvid", "-bf", "2", first,
            ])
            try SampleVideo.make(["-i", first, "-c", "copy", source])
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            let expected = try Self.ffprobe("nb_read_frames", of: source)
            #expect(abs(try Self.ffprobe("nb_read_frames", of: output) - expected) <= 2 && done.warnings.isEmpty)
        }
    }

    /// AVI stores no presentation times: the packets of H.264 with B-frames cannot be copied in order.
    @Test func reorderedFramesInAVIAreEncoded() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.avi", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-c:v", "libx264", "-bf", "2", "-pix_fmt",
                "yuv420p", "-bsf:v", "h264_mp4toannexb", source,
            ])
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.video?.action == .transcode)
            // The last frames in display order have no timestamps at all.
            #expect(try Self.ffprobe("nb_read_frames", of: output) == 50 && done.warnings.isEmpty, "\(done.warnings)")
        }
    }
}
