internal import Glibc
internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// What cheaper encodings are expected to weigh.
@Suite struct TranscodeQualitiesTests {
    private static func measured(_ path: String, _ options: TranscodeOptions) throws -> TranscodeQualities {
        try #require(
            try TranscodeQualities.measured(
                of: MediaInput(path, raw: nil), options, threads: 1, task: TaskContext(seconds: 300)))
    }

    private static func fast(_ delivery: TranscodeOptions.Delivery = .mp4) -> TranscodeOptions {
        TranscodeOptions(video: VideoSettings(preset: "ultrafast"), delivery: delivery)
    }

    private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3"]
    private static let sound = ["-f", "lavfi", "-i", "sine=d=3"]

    /// Overwrites the length in a Matroska header: an element with the number 0x4489 and 8 bytes, in milliseconds.
    private static func declare(_ milliseconds: Double, in path: String) throws {
        var bytes = try Fixture.bytes(path)
        let start = try #require(
            bytes.indices.dropLast(11).first { bytes[$0..<$0 + 3].elementsEqual([0x44, 0x89, 0x88]) })
        let pattern = withUnsafeBytes(of: milliseconds.bitPattern.bigEndian) { Array($0) }
        bytes.replaceSubrange(start + 3..<start + 11, with: pattern)
        try OutputFile.write(bytes, to: path, ifExists: .replace)
    }

    /// A container that declares hours and holds three seconds weighs three seconds.
    @Test(arguments: [2 * 3600e3, 100 * 3600e3], ["video", "hls", "audio"])
    func aDeclaredLengthIsNotTaken(milliseconds: Double, kind: String) throws {
        try Fixture.withFolder { folder in
            let clip = "\(folder)/clip.mkv"
            if kind == "audio" {
                try SampleVideo.make(Self.sound + ["-c:a", "pcm_s16le", clip])
            } else {
                try SampleVideo.make(Self.picture + Self.sound + ["-c:v", "mpeg4", "-c:a", "aac", clip])
            }
            var options = Self.fast(kind == "hls" ? .hls(HLSOptions()) : .mp4)
            if kind == "audio" { options.video = VideoSettings(isDropped: true) }
            let honest = try Self.measured(clip, options)
            try Self.declare(milliseconds, in: clip)
            let found = try Self.measured(clip, options)
            #expect(abs(found.seconds - 3) < 0.2)
            #expect(found.readings.count > 3)
            #expect(abs(Double(found.readings[0].bytes) / Double(honest.readings[0].bytes) - 1) < 0.1)
        }
    }

    /// A length that no file has is refused or unknown; nothing is counted with it.
    @Test(arguments: [Double.nan, .infinity, -1, 1e300, 1e15]) func anImpossibleLengthIsNoLength(_ length: Double)
        throws
    {
        try Fixture.withFolder { folder in
            let clip = "\(folder)/clip.mkv"
            try SampleVideo.make(Self.picture + ["-c:v", "mpeg4", clip])
            try Self.declare(length, in: clip)
            do {
                let found = try TranscodeQualities.measured(
                    of: MediaInput(clip, raw: nil), Self.fast(), threads: 1, task: TaskContext(seconds: 300))
                if let found { #expect(abs(found.seconds - 3) < 0.2) }
            } catch let error as MediaError { #expect([.limit, .decoding].contains(error.kind), "\(error)") }
        }
    }

    /// Audio is expected at the size that it then has, its index included.
    @Test func theSizeOfAudioIsThatOfTheFile() throws {
        try Fixture.withFolder { folder in
            let (sound, output) = ("\(folder)/in.wav", "\(folder)/out.m4a")
            try SampleVideo.make(["-f", "lavfi", "-i", "anoisesrc=d=12:a=0.3", "-ac", "2", sound])
            var options = TranscodeOptions(video: VideoSettings(isDropped: true))
            let found = try Self.measured(sound, options)
            for bitRate in [32_000, 64_000] {
                options.audio.bitRate = bitRate
                let bytes = try TranscodeTests.transcode(sound, to: output, options).video.bytes
                let expected = try #require(found.readings.first { $0.rate == .audio(bitRate: bitRate) }).bytes
                #expect(abs(Double(expected) / Double(bytes) - 1) < 0.02, "\(expected), made \(bytes)")
                unlink(output)
            }
        }
    }

    /// The audio of a range is measured in that range: noise there, silence before it.
    @Test func theAudioOfARangeIsMeasuredWithinIt() throws {
        try Fixture.withFolder { folder in
            let (clip, output) = ("\(folder)/in.mkv", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "color=s=64x64:r=5:d=60", "-f", "lavfi", "-i",
                "anoisesrc=d=60:a=0.3:r=48000,volume=0:enable='lt(t,30)'", "-c:v", "ffv1", "-c:a", "flac", clip,
            ])
            var options = Self.fast()
            options.range = TimeRange(start: 30, end: 60)
            let found = try Self.measured(clip, options)
            let reading = try #require(found.readings.last)
            guard case .crf(let crf) = reading.rate else {
                Issue.record("\(reading.rate)")
                return
            }
            options.video.rate = .crf(crf)
            let bytes = try TranscodeTests.transcode(clip, to: output, options).video.bytes
            #expect(abs(Double(reading.bytes) / Double(bytes) - 1) < 0.05, "\(reading.bytes), made \(bytes)")
        }
    }

    /// The ffmpeg program encodes the whole at two CRF values. One of them is measured, the other interpolated.
    @Test func agreesWithEncodingTheWhole() throws {
        try Fixture.withFolder { folder in
            let clip = "\(folder)/clip.mkv"
            try SampleVideo.make([
                "-i", SampleVideo.path("bunny-720p-h264-5.1.mp4"), "-t", "3", "-vf", "scale=320:180", "-an", "-c:v",
                "ffv1", "-pix_fmt", "yuv420p", clip,
            ])
            let found = try Self.measured(clip, Self.fast())
            for crf in [28.5, 31] {
                let reading = try #require(found.readings.first { $0.rate == .crf(crf) })
                let made = "\(folder)/\(crf).mp4"
                try SampleVideo.make([
                    "-i", clip, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "\(crf)", made,
                ])
                let bytes = try Fixture.bytes(made).count
                #expect(abs(Double(reading.bytes) / Double(bytes) - 1) < 0.05, "CRF \(crf)")
                let judged = try SampleVideo.run(
                    "ffmpeg",
                    ["-nostdin", "-i", made, "-i", clip, "-lavfi", "[0:v][1:v]ssim", "-f", "null", "-"])
                let text = try #require(judged.errors.split(separator: " ").last { $0.hasPrefix("Y:") })
                #expect(abs(reading.similarity - (try #require(Double(text.dropFirst(2))))) < 0.005, "CRF \(crf)")
            }
        }
    }
}
