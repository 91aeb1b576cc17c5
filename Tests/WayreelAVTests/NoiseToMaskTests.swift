internal import Glibc
internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore

/// The noise-to-mask ratio beside its formula, beside numpy, and of what the ffmpeg program encodes.
@Suite struct NoiseToMaskTests {
    /// Normally distributed samples.
    private static func noise(_ deviation: Double, count: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
            return Float(deviation * radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random)))
        }
    }

    private static func ratio(_ original: [Float], _ encoded: [Float], rate: Int = 48_000) throws -> Double {
        var measure = try #require(NoiseToMask(sampleRate: rate))
        measure.add(original, encoded)
        return try #require(measure.ratio)
    }

    @Test func equalAudioHasNoNoise() throws {
        let sound = Self.noise(0.1, count: 20_000, seed: 1)
        var measure = try #require(NoiseToMask(sampleRate: 44_100))
        #expect(measure.frameSize == 2048)
        #expect(measure.ratio == nil && measure.similarity == nil)
        measure.add(sound, sound)
        #expect(measure.ratio == 0)
        #expect(measure.similarity == 1)
        // Silence is nothing to compare.
        var silence = try #require(NoiseToMask(sampleRate: 16_000))
        #expect(silence.frameSize == 512 || silence.frameSize == 1024)
        silence.add(Array(repeating: 0, count: 9000), Array(repeating: 0, count: 9000))
        #expect(silence.similarity == nil)
        #expect(NoiseToMask(sampleRate: 100) == nil)
    }

    /// White noise masks white noise. The magnitudes differ by the part of the noise that is in phase: half of its
    /// power. In every band the mask is the offset below the signal, 3 dB up to 12 Bark and a quarter of a dB per Bark
    /// beyond; spreading a flat spectrum leaves it nearly as it is.
    @Test(arguments: [15.0, 25, 35]) func knownNoise(decibels: Double) throws {
        let original = Self.noise(0.1, count: 200_000, seed: 2)
        let added = Self.noise(0.1 * pow(10, -decibels / 20), count: 200_000, seed: 3)
        let found = try Self.ratio(original, zip(original, added).map { $0 + $1 })
        let offsets = (0..<109).map { $0 <= 48 ? 3 : 0.25 * 0.25 * Double($0) }
        let expected = 0.5 * pow(10, -decibels / 10) * offsets.reduce(0) { $0 + pow(10, $1 / 10) } / 109
        #expect(abs(10 * log10(found / expected)) < 2, "\(found) for \(expected)")
    }

    /// 10 dB less noise are 10 dB less.
    @Test func isProportionalToTheNoise() throws {
        let original = Self.noise(0.1, count: 100_000, seed: 4)
        let added = Self.noise(1, count: 100_000, seed: 5)
        let ratios = try [-30.0, -40, -50].map { level in
            let factor = Float(0.1 * pow(10, level / 20))
            return try Self.ratio(original, zip(original, added).map { $0 + factor * $1 })
        }
        #expect(abs(10 * log10(ratios[0] / ratios[1]) - 10) < 0.3)
        #expect(abs(10 * log10(ratios[1] / ratios[2]) - 10) < 0.3)
    }

    /// A tone hides noise beside it rather than noise far from it.
    @Test func nearNoiseIsMasked() throws {
        let tone = { (hertz: Double, level: Double) in
            (0..<48_000).map { Float(level * sin(2 * .pi * hertz * Double($0) / 48_000)) }
        }
        let original = tone(1000, 0.5)
        let near = try Self.ratio(original, zip(original, tone(1100, 0.005)).map { $0 + $1 })
        let far = try Self.ratio(original, zip(original, tone(5000, 0.005)).map { $0 + $1 })
        #expect(far > 100 * near)
    }

    /// 0 dB are at the SSIM of 0.95 that half of the viewers notice.
    @Test func theScaleIsThatOfImages() throws {
        let original = Self.noise(0.1, count: 50_000, seed: 6)
        let added = Self.noise(0.02, count: 50_000, seed: 7)
        var measure = try #require(NoiseToMask(sampleRate: 48_000))
        measure.add(original, zip(original, added).map { $0 + $1 })
        let (ratio, similarity) = (try #require(measure.ratio), try #require(measure.similarity))
        #expect(abs(similarity - 1 / (1 + ratio / 19)) < 1e-12)
    }

    // MARK: Samples of Media

    private static func floats(_ path: String) throws -> [Float] {
        try Fixture.bytes(path).withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    private static func samples(_ interleaved: [Float], rate: Int, channelCount: Int) throws -> AudioSamples {
        let names: [AudioChannel] = channelCount == 1 ? [.mono] : [.left, .right]
        let samples = try AudioSamples(
            of: AudioFormat(sampleRate: rate, channels: names), sampleRate: rate, channelCount: channelCount)
        try interleaved.withUnsafeBytes { bytes in
            try samples.append(
                AudioBlock(
                    .float32, count: interleaved.count / channelCount, channelCount: channelCount,
                    planes: [bytes.baseAddress!], start: 0))
        }
        try samples.append(nil)
        return samples
    }

    private static let rates = [32_000, 48_000, 64_000, 96_000, 128_000, 192_000]

    /// The more bits, the less noise.
    @Test(arguments: ["Media/story/radio/breakfast.mp3", "Media/story/radio/bird.mp3"])
    func followsTheBitRate(path: String) throws {
        try Fixture.withFolder { folder in
            try SampleVideo.make([
                "-i", "\(Fixture.root)/\(path)", "-t", "15", "-ac", "2", "-ar", "44100", "-f", "f32le",
                "\(folder)/a.f32",
            ])
            let samples = try Self.samples(Self.floats("\(folder)/a.f32"), rate: 44_100, channelCount: 2)
            let found = try Self.rates.map { bitRate in
                try samples.measure(.init(sampleRate: 44_100, channelCount: 2, bitRate: bitRate))
            }
            let similarities = try found.map { try #require($0.similarity) }
            #expect(similarities == similarities.sorted(), "\(similarities)")
            #expect(Set(similarities).count == similarities.count)
            #expect(found.map(\.bytes) == found.map(\.bytes).sorted())
            #expect(similarities.allSatisfy { $0 > 0.2 && $0 < 1 }, "\(similarities)")
        }
    }

    /// The ffmpeg program encodes to MP4 and decodes it, which removes the encoder's delay; numpy compares.
    @Test(
        .enabled(if: References.have("numpy"), "scripts/references installs it"), arguments: [(44_100, 2), (48_000, 1)])
    func agreesWithNumpy(rate: Int, channelCount: Int) throws {
        try Fixture.withFolder { folder in
            let raw = ["-f", "f32le", "-ac", "\(channelCount)", "-ar", "\(rate)"]
            try SampleVideo.make(
                ["-i", "\(Fixture.root)/Media/story/radio/breakfast.mp3", "-ss", "9", "-t", "6"] + raw + [
                    "\(folder)/a.f32"
                ])
            try SampleVideo.make(
                raw + ["-i", "\(folder)/a.f32", "-c:a", "aac", "-b:a", "64k", "-flags", "+bitexact", "\(folder)/a.m4a"])
            try SampleVideo.make(["-i", "\(folder)/a.m4a"] + raw + ["\(folder)/b.f32"])
            let reference = try Command(
                "\(References.folder)/python",
                [
                    "\(Fixture.root)/Tests/WayreelAVTests/References/noise_to_mask.py", "\(folder)/a.f32",
                    "\(folder)/b.f32",
                    "\(rate)", "\(channelCount)",
                ]
            ).run()
            let expected = try #require(Double(reference.text.trimming()), "\(reference.errors)")

            let (original, encoded) = (try Self.floats("\(folder)/a.f32"), try Self.floats("\(folder)/b.f32"))
            var measure = try #require(NoiseToMask(sampleRate: rate))
            for channel in 0..<channelCount {
                let one = stride(from: channel, to: original.count, by: channelCount).map { original[$0] }
                measure.add(one, stride(from: channel, to: encoded.count, by: channelCount).map { encoded[$0] })
            }
            #expect(abs(try #require(measure.ratio) / expected - 1) < 1e-6)

            let samples = try Self.samples(original, rate: rate, channelCount: channelCount)
            let own = try samples.measure(.init(sampleRate: rate, channelCount: channelCount, bitRate: 64_000))
            #expect(abs(try #require(own.similarity) - 1 / (1 + expected / 19)) < 0.002)
        }
    }
}

extension String {
    fileprivate func trimming() -> String { String(split(whereSeparator: \.isWhitespace).first ?? "") }
}
