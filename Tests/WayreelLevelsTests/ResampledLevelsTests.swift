import TestSupport
import Testing
import WayreelCore
import WayreelLevels

/// Levels at another sample rate, compared with samples resampled by the ffmpeg program.
@Suite struct ResampledLevelsTests {
    /// Returns the largest difference between the minima and maxima of all buckets and those of ffmpeg's samples, in
    /// 16-bit steps.
    private static func difference(
        of path: String, rate: Int, samplesPerBucket: Int, in folder: String
    ) throws -> Double {
        try SampleVideo.make(["-i", path, "-ar", "\(rate)", "-f", "f32le", "-c:a", "pcm_f32le", "\(folder)/samples"])
        let encoding = LevelsEncoding(.json, grid: .samples(samplesPerBucket), channels: .all)
        let audio = try LevelsPipeline(LevelsOptions([.data(encoding)], sampleRate: rate)).measure(path)
        let levels = audio.levels[0]
        let channelCount = levels.format.channels.count
        #expect(audio.format.sampleRate == rate && levels.format.sampleRate == rate)
        let samples = try Fixture.bytes("\(folder)/samples").withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
        let count = samples.count / channelCount
        #expect(audio.sampleCount == count, "\(audio.sampleCount) samples, and \(count) of ffmpeg")
        var error = 0.0
        for channel in 0..<channelCount {
            let (smallest, largest) = (
                try levels.values(.minimum, channel: channel), try levels.values(.maximum, channel: channel)
            )
            for bucket in 0..<levels.bucketCount {
                let range = bucket * samplesPerBucket..<min(count, (bucket + 1) * samplesPerBucket)
                let part = range.map { samples[$0 * channelCount + channel] }
                let (low, high) = (abs(smallest[bucket] - (part.min() ?? 9)), abs(largest[bucket] - (part.max() ?? 9)))
                error = max(error, Double(low), Double(high))
            }
        }
        return error * 32_768
    }

    /// Opus stores the sample rate of its input, at which libsndfile decodes it; FFmpeg decodes at 48 kHz.
    @Test(arguments: [8000, 16_000, 24_000]) func opusAtTheRateOfItsInput(_ rate: Int) throws {
        try Fixture.withFolder { folder in
            let audio = Fixture.media("radio/bunny-4s.wav")
            try SampleVideo.make(["-i", audio, "-ar", "\(rate)", "-c:a", "libopus", "-b:a", "64k", "\(folder)/a.opus"])
            let difference = try Self.difference(of: "\(folder)/a.opus", rate: rate, samplesPerBucket: 100, in: folder)
            #expect(difference < 1)
        }
    }

    @Test(arguments: ["wav", "flac", "mp3", "ogg"]) func supportsEveryFormat(_ kind: String) throws {
        try Fixture.withFolder { folder in
            let path = Fixture.media("radio/bunny-4s.\(kind)")
            let difference = try Self.difference(of: path, rate: 22_050, samplesPerBucket: 256, in: folder)
            #expect(difference < 1.5)
        }
    }

    /// Channels are not mixed, for any layout.
    @Test(arguments: ["5.1", "5.1(side)", "7.1", "3.0"]) func allChannels(_ layout: String) throws {
        let count = ["5.1": 6, "5.1(side)": 6, "7.1": 8, "3.0": 3][layout] ?? 0
        try Fixture.withFolder { folder in
            let tones = (0..<count).map { "0.\($0 + 1)*sin(\(300 * ($0 + 1))*t)" }.joined(separator: "|")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "aevalsrc=\(tones):c=\(layout):s=48000:d=1", "-c:a", "pcm_f32le",
                "\(folder)/a.wav",
            ])
            let difference = try Self.difference(of: "\(folder)/a.wav", rate: 32_000, samplesPerBucket: 320, in: folder)
            #expect(difference < 1)
        }
    }

    /// A tone keeps its peaks, computed by formula.
    @Test func aToneKeepsItsLevel() throws {
        try Fixture.withFolder { folder in
            try SampleVideo.make([
                "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*500*t):s=44100:d=2", "-c:a", "pcm_s24le", "\(folder)/a.wav",
            ])
            let encoding = LevelsEncoding(.json, grid: .samples(160))
            let pipeline = try LevelsPipeline(LevelsOptions([.data(encoding)], sampleRate: 16_000))
            let audio = try pipeline.measure("\(folder)/a.wav")
            #expect(abs(audio.duration - 2) < 0.001)
            // Whole periods of 32 samples with a peak in each; the ends ring.
            let peaks = try audio.levels[0].values(.maximum, channel: 0)
            #expect(peaks.count == 200 && peaks[2..<198].allSatisfy { abs($0 - 0.5) < 0.0005 })
        }
    }

    @Test func rejectsWhatCannotBe() throws {
        for rate in [0, -1, 999, 768_001] {
            let error = #expect(throws: MediaError.self) { try LevelsPipeline(LevelsOptions(sampleRate: rate)) }
            #expect(error?.kind == .parameter)
        }
        try Fixture.withFolder { folder in
            let audio = Fixture.media("radio/bunny-4s.wav")
            let levels = try LevelsPipeline(LevelsOptions([.data(LevelsEncoding(.dat))])).measure(audio).encoded()
            try OutputFile.write(levels, to: "\(folder)/a.dat")
            let error = #expect(throws: MediaError.self) {
                try LevelsPipeline(LevelsOptions(sampleRate: 8000)).measure("\(folder)/a.dat")
            }
            #expect(error?.kind == .parameter && error?.advice?.description.contains("sampleRate") == true)
        }
    }

    /// The file's header declares an hour; the file contains a second.
    @Test func reportsTheDecodedDuration() throws {
        try Fixture.withFolder { folder in
            try SampleVideo.make(["-f", "lavfi", "-i", "sine=d=60", "-c:a", "flac", "\(folder)/whole.flac"])
            let bytes = try Fixture.bytes("\(folder)/whole.flac")
            try OutputFile.write(Array(bytes.prefix(bytes.count / 60)), to: "\(folder)/a.flac")
            let error = #expect(throws: MediaError.self) {
                try LevelsPipeline(LevelsOptions()).measure("\(folder)/a.flac")
            }
            #expect(error?.kind == .decoding && error?.advice?.description.hasPrefix("use tolerance .none") == true)
            let words = try #require(error?.reason.split(separator: " ").map(String.init))
            let found = try #require(Double(words[1]))
            #expect(words[0] == "only" && words[2...5] == ["s", "of", "60.000", "s"], "\(words)")
            let there = try LevelsPipeline(LevelsOptions(tolerance: .none)).measure("\(folder)/a.flac")
            #expect(abs(there.duration - found) < 0.001 && (0.1...10).contains(found))
        }
    }
}
