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

    private func expectEqual(_ path: String) throws {
        let file = try DecodedAudio(path)
        let pipe = try NamedPipe(feeding: try Fixture.bytes(path))
        let piped = try withExtendedLifetime(pipe) { try DecodedAudio(pipe.path) }
        #expect(piped.hash == file.hash && piped.count == file.count, "\(piped.count) and \(file.count) samples")
        #expect(piped.warnings == file.warnings)
    }
}
