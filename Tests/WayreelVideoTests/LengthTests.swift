internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// The length declared by a file, and the part of it that exists.
@Suite struct LengthTests {
    private static let source = [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=24", "-f", "lavfi", "-i", "sine=d=24", "-c:v", "libx264",
        "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac",
    ]

    private static func fast(encodes: Bool = true) -> TranscodeOptions {
        TranscodeOptions(video: VideoSettings(preset: "ultrafast", alwaysEncodes: encodes))
    }

    /// Overwrites the 32-bit length in a header of MP4, in any unit.
    private static func setLength(_ box: String, to length: [UInt8], in bytes: inout [UInt8]) throws {
        let starts = bytes.indices.dropLast(28).filter {
            bytes[$0..<$0 + 4].elementsEqual(box.utf8) && bytes[$0 + 4] == 0
        }
        try #require(!starts.isEmpty)
        // Version and flags, two times, the units per second.
        for start in starts { bytes.replaceSubrange(start + 20..<start + 24, with: length) }
    }

    /// Segments from the middle of a stream keep their original times. The output begins with the first of them.
    @Test(arguments: [false, true]) func aPartOfAStreamIsWhole(encodes: Bool) throws {
        try Fixture.withFolder { folder in
            try SampleVideo.ffmpeg(
                Self.source + [
                    "-f", "hls", "-hls_time", "4", "-hls_segment_type", "fmp4", "-hls_list_size", "0",
                    "-hls_segment_filename", "\(folder)/%d.m4s", "\(folder)/list.m3u8",
                ])
            let (clip, output) = ("\(folder)/clip.mp4", "\(folder)/out.mp4")
            let parts = try ["init.mp4", "4.m4s", "5.m4s"].map { try Fixture.bytes("\(folder)/\($0)") }
            try OutputFile.write(Array(parts.joined()), to: clip)
            let done = try TranscodeTests.transcode(clip, to: output, Self.fast(encodes: encodes))
            #expect(done.warnings.isEmpty, "\(done.warnings)")
            #expect(abs(done.video.seconds - 8) < 0.1)
            let reported = try Self.startsAndFrames(of: output)
            #expect(reported[0][1] == 200)
            #expect(reported[0][0] < 0.05 && abs(reported[1][0] - reported[0][0]) < 0.03, "\(reported)")
        }
    }

    /// A recording of a stream that has been running for a while keeps the times of the stream, and its declared length
    /// counts from 0.
    @Test(arguments: [
        ("a.mkv", ["-c", "copy"]), ("a.webm", ["-c:v", "libvpx", "-c:a", "libopus"]),
        ("a.wmv", ["-c:v", "wmv2", "-c:a", "wmav2"]),
    ])
    func aLateStartIsNotPartOfTheLength(name: String, codecs: [String]) throws {
        try Fixture.withFolder { folder in
            let (whole, late, output) = ("\(folder)/whole.mkv", "\(folder)/\(name)", "\(folder)/out.mp4")
            try SampleVideo.make(Self.source + ["-t", "4", whole])
            try SampleVideo.make(["-i", whole] + codecs + ["-output_ts_offset", "100", late])
            let probe = try MediaProbe.probe(path: late)
            #expect(abs((probe.media.seconds ?? 0) - 4) < 0.15)
            let done = try TranscodeTests.transcode(late, to: output, Self.fast())
            #expect(done.warnings.isEmpty, "\(done.warnings)")
            let reported = try Self.startsAndFrames(of: output)
            #expect(try reported[0][1] == Self.startsAndFrames(of: late)[0][1])
            #expect(reported.flatMap { $0.prefix(1) }.allSatisfy { $0 < 0.1 }, "\(reported)")
        }
    }

    /// Returns the start in seconds and the number of frames of video and audio, counted by ffprobe.
    private static func startsAndFrames(of path: String) throws -> [[Double]] {
        let lines = try Played.lines("stream=start_time,nb_read_frames", of: path, ["-count_frames"])
        let reported = lines.map { $0.split(separator: ",").compactMap { Double($0) } }
        try #require(reported.count == 2 && reported.allSatisfy { $0.count == 2 })
        return reported
    }

    /// The header of an otherwise complete file declares a length of hours.
    @Test(arguments: [("mdhd", "frag_keyframe+empty_moov"), ("mvhd", "faststart")])
    func aLengthThatIsWrongIsNoLoss(_ box: String, _ kind: String) throws {
        try Fixture.withFolder { folder in
            let (clip, output) = ("\(folder)/clip.mp4", "\(folder)/out.mp4")
            try SampleVideo.make(Self.source + ["-movflags", kind, clip])
            var bytes = try Fixture.bytes(clip)
            try Self.setLength(box, to: [0x7f, 0xff, 0xff, 0xff], in: &bytes)
            try OutputFile.write(bytes, to: clip)
            let done = try TranscodeTests.transcode(clip, to: output, Self.fast())
            #expect(done.video.frames == 600)
            #expect(!done.warnings.isEmpty && done.warnings.allSatisfy { $0.message.contains("only 24") })
            #expect(!Fixture.listing(folder).contains("out.mp4.parts"))
        }
    }

    /// Matroska and FLV declare the length in the header as a 64-bit floating-point number, here of ten hours.
    @Test(arguments: [
        ("clip.webm", ["-c:v", "libvpx", "-c:a", "libopus"], [0x44, 0x89, 0x88]),
        ("clip.flv", [], Array("duration".utf8) + [0]),
    ])
    func aLengthThatIsWrongInAWholeFileIsNoLoss(name: String, codecs: [String], key: [UInt8]) throws {
        try Fixture.withFolder { folder in
            let (clip, output) = ("\(folder)/\(name)", "\(folder)/out.mp4")
            try SampleVideo.make(Self.source + codecs + ["-t", "4", clip])
            var bytes = try Fixture.bytes(clip)
            let start = try #require(bytes.indices.first { bytes[$0...].starts(with: key) }) + key.count
            let hours = withUnsafeBytes(of: Double(name.hasSuffix("flv") ? 36_000 : 36_000_000).bitPattern.bigEndian) {
                Array($0)
            }
            bytes.replaceSubrange(start..<start + 8, with: hours)
            try OutputFile.write(bytes, to: clip)
            let done = try TranscodeTests.transcode(clip, to: output, Self.fast())
            #expect(done.video.frames == 100)
            #expect(done.warnings.contains { $0.message.contains("it is 36000 s long; only 4") }, "\(done.warnings)")
            #expect(!Fixture.listing(folder).contains("out.mp4.parts"))
            // Half of the file with the same header, alone and followed by zeros, is not whole.
            let half = bytes.count / 2
            for rest in [0, bytes.count - half] {
                try OutputFile.write(Array(bytes.prefix(half)) + [UInt8](repeating: 0, count: rest), to: clip)
                #expect(throws: MediaError.self) { try TranscodeTests.transcode(clip, to: output, Self.fast()) }
            }
        }
    }

    /// Audio alone is as long as ffprobe says, whether it is encoded or copied.
    @Test(arguments: ["wav", "mp3", "m4a"]) func audioAloneHasItsLength(_ kind: String) throws {
        try Fixture.withFolder { folder in
            let (sound, output) = ("\(folder)/in.\(kind)", "\(folder)/out.m4a")
            try SampleVideo.make(["-f", "lavfi", "-i", "sine=d=7.3", sound])
            let made = try TranscodeTests.transcode(
                sound, to: output, TranscodeOptions(video: VideoSettings(isDropped: true))
            ).video
            let length = try #require(try Played.numbers("format=duration", of: output).first)
            #expect(abs(made.seconds - length) < 0.05 && abs(length - 7.3) < 0.1, "\(made.seconds) of \(length)")
        }
    }

    /// A file cut in the middle is reported as too short.
    @Test(arguments: ["faststart", "empty_moov+frag_custom"])
    func whatIsCutOffIsMissing(_ kind: String) throws {
        try Fixture.withFolder { folder in
            let (clip, output) = ("\(folder)/clip.mp4", "\(folder)/out.mp4")
            try SampleVideo.make(Self.source + ["-movflags", kind, clip])
            let bytes = try Fixture.bytes(clip)
            try OutputFile.write(Array(bytes.prefix(bytes.count / 2)), to: clip)
            let error = #expect(throws: MediaError.self) {
                try TranscodeTests.transcode(clip, to: output, Self.fast())
            }
            #expect(error?.reason.contains("of the video is missing") == true, "\(String(describing: error))")
        }
    }

    /// Half a file is reported as half, although a subtitle track might be longer than the video (Matroska), or FFmpeg
    /// ignores the declared length of a file whose end is missing (AVI, ASF).
    @Test(arguments: [
        ("clip.mkv", ["-c:s", "subrip"]), ("clip.avi", ["-sn", "-c:v", "mpeg4", "-c:a", "mp3"]),
        ("clip.wmv", ["-sn", "-c:v", "wmv2", "-c:a", "wmav2"]),
    ])
    func halfAFileIsHalfMissing(name: String, codecs: [String]) throws {
        try Fixture.withFolder { folder in
            let (clip, output, cues) = ("\(folder)/\(name)", "\(folder)/out.mp4", "\(folder)/cues.srt")
            try OutputFile.write(Array("1\n00:00:01,000 --> 00:00:02,000\nWater\n".utf8), to: cues)
            let inputs = Array(Self.source.prefix(8)) + ["-i", cues, "-map", "0", "-map", "1", "-map", "2"]
            try SampleVideo.make(inputs + Self.source.dropFirst(8) + codecs + ["-t", "8", clip])
            let whole = try TranscodeTests.transcode(clip, to: output, Self.fast())
            #expect(whole.warnings.isEmpty, "\(whole.warnings)")
            let bytes = try Fixture.bytes(clip)
            try OutputFile.write(Array(bytes.prefix(bytes.count / 2)), to: clip)
            let error = #expect(throws: MediaError.self) {
                try TranscodeTests.transcode(clip, to: output, Self.fast())
            }
            #expect(error?.reason.contains("of the video is missing") == true, "\(String(describing: error))")
        }
    }

    /// FFmpeg gives a stream of one frame in Matroska the length of the file.
    @Test func oneFrameAndLongAudio() throws {
        try Fixture.withFolder { folder in
            let (clip, output) = ("\(folder)/clip.mkv", "\(folder)/out.mp4")
            try SampleVideo.make(["-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=0.1", "\(folder)/one.mp4"])
            try SampleVideo.make(["-f", "lavfi", "-i", "sine=d=6", "-c:a", "aac", "\(folder)/tone.m4a"])
            try SampleVideo.make(
                ["-i", "\(folder)/one.mp4", "-i", "\(folder)/tone.m4a", "-map", "0", "-map", "1", "-c", "copy", clip])
            let done = try TranscodeTests.transcode(clip, to: output, Self.fast())
            #expect(done.video.frames == 1 && done.warnings.isEmpty, "\(done.warnings)")
        }
    }
}
