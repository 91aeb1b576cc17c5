internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

@Suite struct SizeLimitTests {
    /// Returns the requested rates for an encoder whose ten seconds of video take `factor` of the requested bytes, plus
    /// 5000 bytes of other data.
    private static func rates(maxBytes: Int, from bitRate: Int, factor: Double, minBytes: Int = 0) throws -> [Int] {
        var asked: [Int] = []
        try SizeLimit(maxBytes: maxBytes).fit(bitRate: bitRate) { (rate) throws(MediaError) in
            asked.append(rate)
            let videoBytes = max(minBytes, Int(Double(rate) * 10 / 8 * factor))
            return ((), bytes: videoBytes + 5000, packetBytes: videoBytes)
        }
        return asked
    }

    @Test func whatFitsIsLeft() throws {
        #expect(try Self.rates(maxBytes: 130_000, from: 100_000, factor: 1) == [100_000])
        #expect(try Self.rates(maxBytes: 130_000, from: 100_000, factor: 0.5) == [100_000])
    }

    @Test(arguments: [1.01, 1.1, 2.5]) func anEncoderThatMissesItsRateIsCorrected(factor: Double) throws {
        let asked = try Self.rates(maxBytes: 130_000, from: 100_000, factor: factor)
        #expect(asked.count == 2)
        // Not far below the available size.
        let videoBytes = Double(asked[1]) * 10 / 8 * factor
        #expect(videoBytes <= 125_000 && videoBytes > 0.97 * 125_000)
    }

    @Test func whatCannotFitFailsAndTellsTheLeast() throws {
        let error = try #require(throws: MediaError.self) {
            _ = try Self.rates(maxBytes: 50_000, from: 30_000, factor: 1, minBytes: 80_000)
        }
        #expect(error.kind == .encoding)
        #expect(error.reason.contains("85000 bytes"))
    }

    /// An encoder that refuses low rates is asked for one between the last two, and the least that it made is named.
    @Test func aRateThatIsRefusedIsNotTheEnd() throws {
        var asked: [Int] = []
        func fit(_ maxBytes: Int, from bitRate: Int) throws {
            asked = []
            try SizeLimit(maxBytes: maxBytes).fit(bitRate: bitRate) { (rate) throws(MediaError) in
                asked.append(rate)
                guard rate >= 6000 else { throw MediaError(.encoding, step: .encode, reason: "too low") }
                return ((), bytes: rate + 30_000, packetBytes: rate / 2)
            }
        }
        try fit(37_000, from: 10_000)
        #expect(asked[1] < 6000 && asked.count == 3 && asked[2] == (10_000 + asked[1]) / 2, "\(asked)")
        let error = try #require(throws: MediaError.self) { try fit(35_500, from: 10_000) }
        let least = (asked.filter { $0 >= 6000 }.min() ?? 0) + 30_000
        #expect(error.reason == "the smallest file is \(least) bytes; the maximum is 35500")
        let refused = try #require(throws: MediaError.self) { try fit(35_500, from: 5000) }
        #expect(refused.reason == "too low" && refused.description.contains("allow more bytes"))
    }

    /// The smallest file of audio alone is that at 32 kbit/s (half of it for one channel), however it is asked for.
    @Test(arguments: [("wav", 1), ("wav", 2), ("m4a", 2)]) func audioAloneStepsDownToTheLeast(
        kind: String, channels: Int
    ) throws {
        try Fixture.withFolder { folder in
            let input = "\(folder)/in.\(kind)"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "anoisesrc=d=6:r=44100:a=0.3", "-ac", "\(channels)",
                "-c:a", kind == "wav" ? "pcm_s16le" : "aac", input,
            ])
            func make(_ rate: RateTarget, _ bitRate: Int = 128_000) throws -> Int {
                let video = VideoSettings(rate: rate, alwaysEncodes: rate == .standard, isDropped: true)
                let options = TranscodeOptions(video: video, audio: AudioSettings(bitRate: bitRate))
                return try TranscodeTests.transcode(input, to: "\(folder)/\(rate).m4a", options).video.bytes
            }
            let least = try make(.standard, 32_000)
            for limit in [least, least + 500, least * 3 / 2, least * 2] {
                let bytes = try make(.maxBytes(limit))
                #expect(bytes <= limit && bytes > limit * 9 / 10, "\(bytes) of \(limit)")
            }
            let error = try #require(throws: MediaError.self) { try make(.maxBytes(least - 1)) }
            #expect(error.reason == "the smallest file is \(least) bytes; the maximum is \(least - 1)")
            #expect(error.description.hasSuffix("; allow \(least) bytes or more"))
        }
    }

    @Test func audioBeyondTheLimitFailsAtOnce() {
        #expect(throws: MediaError.self) { try Self.rates(maxBytes: 4000, from: 30_000, factor: 1) }
    }

    /// Makes noisy frames, whose size depends on the bit rate.
    private static func clip(_ folder: String) throws -> String {
        let path = "\(folder)/in.mkv"
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=160x90:r=12:d=6,noise=alls=20:allf=t:all_seed=1", "-f", "lavfi", "-i",
            "sine=440:r=48000:d=6", "-c:v", "ffv1", "-c:a", "pcm_s16le", path,
        ])
        return path
    }

    @Test(arguments: [(VideoCodec.h264, "veryfast"), (.hevc, "ultrafast"), (.av1, "12")])
    func filesFit(_ codec: VideoCodec, preset: String) throws {
        try Fixture.withFolder { folder in
            var options = TranscodeOptions()
            options.video = VideoSettings(codec: codec, rate: .maxBytes(180_000), preset: preset)
            options.audio.bitRate = 64_000
            let output = "\(folder)/out.mp4"
            let video = try TranscodeTests.transcode(try Self.clip(folder), to: output, options).video
            let bytes = try Fixture.bytes(output).count
            #expect(bytes <= 180_000)
            #expect(bytes == video.bytes)
            // Two passes use the available size.
            if codec == .h264 { #expect(bytes > 150_000) }
            #expect(try Decoded.frames(output).count == 72)
            #expect(Fixture.listing(folder) == ["in.mkv", "out.mp4"])
        }
    }

    @Test func aBudgetThatCannotBeIsRefusedAndLeavesNothing() throws {
        try Fixture.withFolder { folder in
            let options = TranscodeOptions(video: VideoSettings(rate: .maxBytes(20_000)))
            let input = try Self.clip(folder)
            #expect(throws: MediaError.self) {
                try TranscodeTests.transcode(input, to: "\(folder)/out.mp4", options)
            }
            #expect(Fixture.listing(folder) == ["in.mkv"])
        }
    }

    /// A file with an unnecessarily high bit rate is encoded; if that only makes it larger, it is kept as it is.
    @Test func encodingDoesNotMakeMoreThanPlentyLarger() throws {
        try Fixture.withFolder { folder in
            let input = "\(folder)/in.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=12:d=2,noise=alls=60:allf=t", "-pix_fmt", "yuv420p", "-crf",
                "20", "-movflags", "+faststart", input,
            ])
            let larger = try TranscodeTests.transcode(
                input, to: "\(folder)/larger.mp4", TranscodeOptions(video: VideoSettings(rate: .crf(5))))
            #expect(larger.video.plan.video?.action == .copy)
            #expect(larger.video.bytes <= (try Fixture.bytes(input).count) + 500)
            #expect(larger.video.plan.source.streams[0].bitRate ?? 0 > 1_000_000)
            #expect(larger.warnings.contains { $0.message.contains("larger") })
            let always = try TranscodeTests.transcode(
                input, to: "\(folder)/always.mp4",
                TranscodeOptions(video: VideoSettings(rate: .crf(5), alwaysEncodes: true)))
            #expect(always.video.plan.video?.action == .transcode)
            let smaller = try TranscodeTests.transcode(
                input, to: "\(folder)/smaller.mp4", TranscodeOptions(video: VideoSettings(rate: .crf(40))))
            let plan = try #require(smaller.video.plan.video)
            #expect(plan.action == .transcode && plan.reasons.contains { $0.contains("generous") })
        }
    }

    /// A copy whose audio has to be encoded would be larger than the maximum, which is larger than the source.
    @Test func aCopyDoesNotExceedTheMaximum() throws {
        try Fixture.withFolder { folder in
            let (input, output) = ("\(folder)/in.mp4", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=12:d=4,noise=alls=5:allf=t", "-f", "lavfi", "-i",
                "anoisesrc=d=4:a=0.5:r=48000", "-ac", "2", "-pix_fmt", "yuv420p", "-crf", "18", "-c:a", "libopus",
                "-b:a", "12k", "-strict", "-2", "-movflags", "+faststart", input,
            ])
            let maximum = try Fixture.bytes(input).count + 40_000
            var options = TranscodeOptions(video: VideoSettings(rate: .maxBytes(maximum)))
            options.audio.bitRate = 128_000
            let video = try TranscodeTests.transcode(input, to: output, options).video
            try #require(video.bytes > maximum - 40_000)
            #expect(video.bytes <= maximum)
            #expect(video.plan.video?.action == .transcode)
        }
    }
}
