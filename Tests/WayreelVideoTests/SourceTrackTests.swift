internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// The streams of a source that are delivered, and those that no decoder reads.
@Suite struct SourceTrackTests {
    private static func tone(_ channel: Int, of path: String) throws -> Double {
        try Played.tone(of: path, ["-map", "0:a:0", "-af", "pan=mono|c0=c\(channel)"], seconds: 0.25..<0.75)
    }

    /// Replaces the type of a sample entry by another. Six zeros follow it, but not the same type among the brands.
    private static func replace(_ old: String, by new: String, in path: String) throws {
        var bytes = try Fixture.bytes(path)
        let entry = Array(old.utf8) + [UInt8](repeating: 0, count: 6)
        let start = try #require((0..<bytes.count - 10).first { bytes[$0..<$0 + 10].elementsEqual(entry) })
        bytes.replaceSubrange(start..<start + 4, with: new.utf8)
        try OutputFile.write(bytes, to: path)
    }

    /// A mono track for the left and one for the right become stereo.
    @Test func channelsInTracksAreJoined() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/a.mov", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:d=2", "-f", "lavfi", "-i",
                "sine=440:d=2,aformat=channel_layouts=FL", "-f", "lavfi", "-i",
                "sine=900:d=2,aformat=channel_layouts=FR", "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", source,
            ])
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.warnings.isEmpty, "\(done.warnings)")
            let plan = done.video.plan
            #expect(plan.audio.count == 1 && plan.audio[0].track == 1 && plan.audio[0].joinedTracks == [2])
            #expect(plan.audio[0].channelCount == 2 && plan.dropped.isEmpty)
            for (channel, frequency) in [440.0, 900].enumerated() {
                let found = try Self.tone(channel, of: output)
                #expect(abs(found - frequency) < 4, "\(found)")
            }
            let text = try MediaProbe.probe(path: source).description
            #expect(text.contains("one recording: left of stream 1, right of stream 2"), "\(text)")
            // One of them on its own.
            let options = TranscodeOptions(audio: AudioSettings(track: 2))
            let alone = try TranscodeTests.transcode(source, to: "\(folder)/right.mp4", options)
            #expect(alone.video.plan.audio[0].channelCount == 1 && alone.video.plan.audio[0].joinedTracks == nil)
            #expect(abs(try Self.tone(0, of: "\(folder)/right.mp4") - 900) < 4)
        }
    }

    /// A codec that FFmpeg does not decode is named, and such a file plays nowhere.
    @Test func undecodableVideoIsNamed() throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/a.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p", source,
            ])
            try Self.replace("avc1", by: "vvc1", in: source)
            let probe = try MediaProbe.probe(path: source)
            #expect(!probe.isCompliant && probe.obstacles.count == 1)
            #expect(probe.obstacles[0].hasPrefix("its video codec, VVC (H.266), is not supported by FFmpeg"))
            let error = #expect(throws: MediaError.self) {
                _ = try TranscodeTests.transcode(source, to: "\(folder)/out.mp4", TranscodeOptions())
            }
            #expect(error?.kind == .unsupported && error?.reason == probe.obstacles[0])
        }
    }

    /// AV1 with Dolby Vision has a sample entry of its own, and the same data.
    @Test func dolbyVisionAV1IsRead() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/a.mp4", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:d=0.4:r=25", "-c:v", "libaom-av1", "-cpu-used", "8",
                "-pix_fmt", "yuv420p", source,
            ])
            let plain = try MediaProbe.probe(path: source)
            try Self.replace("av01", by: "dav1", in: source)
            let probe = try MediaProbe.probe(path: source)
            #expect(probe.media.streams[0].codec == "av1" && probe == plain)
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.warnings.isEmpty && abs(done.video.seconds - 0.4) < 0.01)
        }
    }

    /// An empty edit of a second, and one of the first two of three seconds: three seconds, of which nothing is missing.
    @Test func emptyAndPartialEdits() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/a.mp4", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=3", "-vf", "setpts=PTS+1/TB", "-fps_mode",
                "passthrough", "-c:v", "libx264", "-pix_fmt", "yuv420p", source,
            ])
            var bytes = try Fixture.bytes(source)
            let start = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("elst".utf8) })
            // Version and flags, the number of edits, the first edit of 12 bytes; the unit is a millisecond.
            bytes.replaceSubrange(start + 24..<start + 28, with: [0, 0, 0x07, 0xD0])
            try OutputFile.write(bytes, to: source)
            let probe = try MediaProbe.probe(path: source)
            #expect(probe.media.seconds == 3 && probe.media.headerSeconds == nil)
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.warnings.isEmpty && abs(done.video.seconds - 3) < 0.05, "\(done.warnings)")
        }
    }
}
