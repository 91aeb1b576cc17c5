import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// A file gives the samples that a pipe with its bytes gives, in every container.
@Suite struct FileAndPipeTests {
    private static let more = [
        TimelineTests.Case(name: "long.wav", arguments: "-c:a pcm_s16le -rf64 always"),
        TimelineTests.Case(name: "float.w64", arguments: "-c:a pcm_f32le"),
        TimelineTests.Case(name: "pcm.avi", arguments: "-c:a pcm_s16le"),
        TimelineTests.Case(name: "pcm.mov", arguments: "-c:a pcm_s24le"),
        TimelineTests.Case(name: "pcm.mka", arguments: "-c:a pcm_s24le"),
        TimelineTests.Case(name: "aac.flv", arguments: "-ar 44100 -c:a aac"),
        TimelineTests.Case(name: "alac.caf", arguments: "-c:a alac"),
        TimelineTests.Case(name: "opus.caf", arguments: "-c:a libopus"),
        TimelineTests.Case(name: "mp2.wtv", arguments: "-c:a mp2"),
        TimelineTests.Case(name: "pcm.aiff", arguments: "-c:a pcm_s24be"),
        TimelineTests.Case(name: "pcm.caf", arguments: "-c:a pcm_s24le"),
    ]

    @Test(arguments: TimelineTests.cases + more) func samplesAreEqual(_ example: TimelineTests.Case) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(
                AudioFiles.clicks(at: TimelineTests.positions, count: TimelineTests.count), to: "\(folder)/source.wav")
            try AudioFiles.ffmpeg("-i source.wav \(example.arguments) \(example.name)", in: folder)
            try expectEqual("\(folder)/\(example.name)")
        }
    }

    /// BW64 (ITU-R BS.2088) is RF64 by another name. FFmpeg reads it; its first buffer is followed by other reads.
    @Test(arguments: ["BW64", "RF64"]) func longFormats(name: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.wav"
            try AudioFiles.ffmpeg(
                "-f lavfi -i aevalsrc=t/60:d=60:s=44100 -c:a pcm_s16le -rf64 always a.wav", in: folder)
            var bytes = try Fixture.bytes(path)
            bytes.replaceSubrange(0..<4, with: name.utf8)
            try AudioFiles.write(bytes, to: path)
            let audio = try DecodedAudio(path)
            #expect(audio.count == 60 * 44_100)
            let wrong = audio.channels[0].enumerated().filter { index, sample in
                abs(Double(sample) - Double(index) / 44_100 / 60) > 1e-4
            }
            #expect(wrong.isEmpty)
            try expectEqual(path)
        }
    }

    /// A WAV file that is not read by Wayreel itself, since it has two runs of samples.
    @Test func twoDataChunks() throws {
        try Fixture.withFolder { folder in
            let data = (0..<400_000).flatMap { AudioFiles.little(UInt64($0 % 30_000), 2) }
            let second = Array("data".utf8) + AudioFiles.little(4, 4) + [1, 2, 3, 4]
            let file = AudioFiles.riff(format: 1, channels: 1, rate: 48_000, bits: 16, data: data, after: second)
            try AudioFiles.write(file, to: "\(folder)/a.wav")
            let audio = try DecodedAudio("\(folder)/a.wav")
            try #require(audio.count == 400_002)
            #expect(audio.channels[0][..<400_000].enumerated().allSatisfy { $1 == Float($0 % 30_000) / 32_768 })
            try expectEqual("\(folder)/a.wav")
        }
    }

    /// Left and right in tracks of their own, which are read at the same time.
    @Test(arguments: ["a.avi", "a.mkv"]) func channelsInTracks(name: String) throws {
        try Fixture.withFolder { folder in
            let codec = name == "a.mkv" ? "flac" : "pcm_s16le"
            try AudioFiles.ffmpeg(
                "-f lavfi -i testsrc2=d=1 -f lavfi -i sine=440:d=1,aformat=channel_layouts=FL",
                "-f lavfi -i sine=900:d=1,aformat=channel_layouts=FR -map 0 -map 1 -map 2 -c:a \(codec) \(name)",
                in: folder)
            #expect(try DecodedAudio("\(folder)/\(name)").channels.count == 2)
            try expectEqual("\(folder)/\(name)")
        }
    }

    /// What programs write to a pipe: the sizes in the header are 0 or all ones.
    @Test(arguments: ["wav", "w64", "aiff", "au", "caf", "wav -rf64 always"]) func unknownSizes(format: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.pcm"
            try AudioFiles.ffmpeg(
                "-f lavfi -i sine=d=2,volume=4 -write_bext 0 -f \(format) -seekable 0 file:a.pcm", in: folder)
            let audio = try DecodedAudio(path)
            #expect(audio.count == 88_200 && audio.warnings.isEmpty, "\(audio.count) \(audio.warnings)")
            #expect(audio.channels[0].contains { $0 > 0.45 })
            try expectEqual(path)
        }
    }

    /// A file that ends before the size in its header says.
    @Test(arguments: ["wav", "w64", "caf", "wav -rf64 always"]) func missingEnds(format: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.pcm"
            try AudioFiles.ffmpeg("-f lavfi -i sine=d=2 -c:a pcm_s16le -f \(format) file:a.pcm", in: folder)
            let bytes = try Fixture.bytes(path)
            try AudioFiles.write(Array(bytes.prefix(bytes.count / 2)), to: path)
            let audio = try DecodedAudio(path)
            #expect(audio.warnings.map(\.message).first?.hasPrefix("the file says that it is 2") == true)
            #expect(abs(audio.outcome.absentSamples - 44_100) < 200)
            try expectEqual(path)
        }
    }

    private func expectEqual(_ path: String) throws {
        let file = try DecodedAudio(path)
        let pipe = try NamedPipe(feeding: try Fixture.bytes(path))
        let piped = try withExtendedLifetime(pipe) { try DecodedAudio(pipe.path) }
        #expect(piped.hash == file.hash && piped.count == file.count, "\(piped.count) and \(file.count) samples")
        #expect(piped.warnings == file.warnings)
    }
}
