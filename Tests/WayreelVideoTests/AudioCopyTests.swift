internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

/// Audio is copied only if it can be decoded.
@Suite struct AudioCopyTests {
    static func makeSource(_ path: String) throws {
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=6", "-f", "lavfi", "-i",
            "aevalsrc=0.3*sin(2*PI*t*(300+50*t))|0.2*sin(2*PI*t*700):d=6", "-c:v", "libx264", "-pix_fmt", "yuv420p",
            "-g", "25", "-c:a", "aac", "-b:a", "96k", path,
        ])
    }

    /// Returns the messages of the ffmpeg program when it decodes the audio.
    private static func decoderMessages(_ path: String) throws -> String {
        try SampleVideo.ffmpeg(["-i", path, "-map", "0:a", "-f", "null", "-"]).errors
    }

    /// Inverts bits of the audio packets at `indices` of the file at `path`.
    static func damage(_ path: String, packets indices: (Int) -> Bool) throws {
        var bytes = try Fixture.bytes(path)
        let packets = try Played.lines("packet=size,pos", of: path, streams: "a").map {
            $0.split(separator: ",").compactMap { Int($0) }
        }
        for (index, packet) in packets.enumerated() where indices(index) && packet.count == 2 {
            for offset in stride(from: 0, to: packet[0], by: 7) { bytes[packet[1] + offset] ^= 0x55 }
        }
        try OutputFile.write(bytes, to: path)
        try #require(!decoderMessages(path).isEmpty)
    }

    @Test func damagedPacketsAreEncodedAnew() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mp4", "\(folder)/out.mp4")
            try Self.makeSource(source)
            try Self.damage(source) { $0 % 10 == 5 }
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.video?.action == .copy && done.video.plan.defaultAudio?.action == .transcode)
            #expect(done.warnings.contains { $0.step == .audio && $0.message.contains("re-encoded") })
            #expect(try Self.decoderMessages(output).isEmpty)
            let length = try Played.numbers("stream=duration", of: output, streams: "a").first
            #expect(abs((length ?? 0) - 6) < 0.05)
        }
    }

    /// Frame headers of ADTS that FFmpeg's muxer refuses: without a container, and in a transport stream.
    @Test(arguments: ["aac", "ts"]) func damagedFrameHeadersAreEncodedAnew(type: String) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.\(type)", "\(folder)/out.mp4")
            try Self.makeSource("\(folder)/whole.mp4")
            try SampleVideo.make(
                ["-i", "\(folder)/whole.mp4", "-c", "copy"] + (type == "aac" ? ["-vn"] : []) + [source])
            var bytes = try Fixture.bytes(source)
            if type == "aac" {
                for start in [20_000, 40_000] {
                    bytes.replaceSubrange(start..<start + 300, with: repeatElement(0, count: 300))
                }
            } else {
                // The audio has the second PID; headers of frames are anywhere in its packets.
                let packets = stride(from: 0, to: bytes.count, by: 188).filter {
                    bytes[$0 + 1] & 0x1F == 1 && bytes[$0 + 2] == 1
                }
                for start in packets.dropFirst(50).prefix(5) {
                    bytes.replaceSubrange(start + 20..<start + 180, with: repeatElement(0, count: 160))
                }
            }
            try OutputFile.write(bytes, to: source, ifExists: .replace)
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.defaultAudio?.action == .transcode)
            #expect(done.warnings.contains { $0.step == .audio && $0.message.contains("re-encoded") })
            #expect(try Self.decoderMessages(output).isEmpty)
        }
    }

    /// Audio is checked while copying if frames are copied too, and before if they are encoded.
    @Test(arguments: [160, 80]) func aSingleDamagedPacketIsFound(width: Int) throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mp4", "\(folder)/out.mp4")
            try Self.makeSource(source)
            try Self.damage(source) { $0 == 200 }
            let screen = PixelSize(width: width, height: width * 96 / 160)
            let done = try TranscodeTests.transcode(
                source, to: output, TranscodeOptions(framing: Framing(screen: screen, fit: .contain)))
            #expect(done.video.plan.video?.action == (width == 160 ? .copy : .transcode))
            #expect(done.video.plan.defaultAudio?.action == .transcode)
            #expect(done.warnings.count { $0.message.contains("re-encoded") } == 1, "\(done.warnings)")
            #expect(try Self.decoderMessages(output).isEmpty)
        }
    }

    /// The AudioSpecificConfig of an LC stream of two channels at 44.1 kHz is 12 10; 12 08 declares one channel.
    @Test func aHeaderOfOtherChannelsIsNotTakenOver() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mp4", "\(folder)/out.mp4")
            try Self.makeSource(source)
            var bytes = try Fixture.bytes(source)
            let config = try #require(bytes.firstRange(of: [5, 0x80, 0x80, 0x80, 5, 0x12, 0x10]))
            bytes[config.upperBound - 1] = 0x08
            try OutputFile.write(bytes, to: source)
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.defaultAudio?.action != .copy)
            #expect(done.warnings.contains { $0.step == .audio }, "\(done.warnings)")
            #expect(try Self.decoderMessages(output).isEmpty)
        }
    }

    @Test func whatIsWholeIsTakenOver() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mp4", "\(folder)/out.mp4")
            try Self.makeSource(source)
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.video.plan.defaultAudio?.action == .copy && done.warnings.isEmpty, "\(done.warnings)")
        }
    }
}
