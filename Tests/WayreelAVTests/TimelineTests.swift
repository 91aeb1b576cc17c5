import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// Clicks keep their times in every codec and container.
@Suite struct TimelineTests {
    static let positions = [4800, 24_000, 48_001, 91_234]
    static let count = 96_000

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let arguments: String
        /// The allowed error of a click, in samples.
        var tolerance = 0
        /// Undeclared encoder delay, in samples.
        var delay = 0
        var rate = 48_000
        /// The allowed error of the length, in samples.
        var lengthTolerance = 0
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "click.wav", arguments: "-c:a pcm_s16le"),
        Case(name: "click.w64", arguments: "-c:a pcm_s24le"),
        Case(name: "click.aiff", arguments: "-c:a pcm_s16be"),
        Case(name: "click.caf", arguments: "-c:a pcm_f32le"),
        Case(name: "click.au", arguments: "-c:a pcm_s16be"),
        Case(name: "click.flac", arguments: "-c:a flac"),
        Case(name: "click.wv", arguments: "-c:a wavpack"),
        Case(name: "click.mka", arguments: "-c:a flac"),
        Case(name: "alac.m4a", arguments: "-c:a alac"),
        Case(name: "tta.tta", arguments: "-c:a tta"),
        Case(name: "click.mp3", arguments: "-c:a libmp3lame -b:a 128k", tolerance: 2),
        Case(name: "vbr.mp3", arguments: "-c:a libmp3lame -q:a 4", tolerance: 2),
        Case(name: "low.mp3", arguments: "-ar 24000 -c:a libmp3lame -b:a 64k", tolerance: 2, rate: 24_000),
        Case(name: "aac.m4a", arguments: "-c:a aac -b:a 128k", tolerance: 2),
        Case(name: "aac.mov", arguments: "-c:a aac -b:a 128k", tolerance: 2),
        Case(name: "click.opus", arguments: "-c:a libopus -b:a 96k", tolerance: 3),
        Case(name: "opus.webm", arguments: "-c:a libopus -b:a 96k", tolerance: 3, lengthTolerance: 24),
        Case(name: "opus.mp4", arguments: "-c:a libopus -b:a 96k", tolerance: 3),
        Case(name: "click.ogg", arguments: "-c:a libvorbis -q:a 4", tolerance: 2),
        Case(name: "vorbis.webm", arguments: "-c:a libvorbis -q:a 4", tolerance: 2, lengthTolerance: 1024),
        Case(name: "flac.ogg", arguments: "-c:a flac"),
        Case(name: "adpcm.wav", arguments: "-c:a adpcm_ima_wav", tolerance: 3, lengthTolerance: 2048),
        // These containers do not declare the encoder delay: 256 samples for AC-3, 481 for MP2, 1024 for AAC. They end
        // with the last frame.
        Case(name: "ac3.mp4", arguments: "-c:a ac3 -b:a 192k", tolerance: 2, lengthTolerance: 1536),
        Case(name: "click.ac3", arguments: "-c:a ac3 -b:a 192k", tolerance: 2, delay: 256, lengthTolerance: 2048),
        Case(name: "click.mp2", arguments: "-c:a mp2 -b:a 192k", tolerance: 2, delay: 481, lengthTolerance: 2048),
        Case(name: "click.aac", arguments: "-c:a aac -b:a 128k", tolerance: 2, delay: 1024, lengthTolerance: 3072),
        Case(name: "click.wma", arguments: "-c:a wmav2 -b:a 128k", tolerance: 48, lengthTolerance: 2048),
        Case(name: "aac.mkv", arguments: "-c:a aac -b:a 128k", tolerance: 2, delay: 1024, lengthTolerance: 2048),
        Case(name: "aac.ts", arguments: "-c:a aac -b:a 128k", tolerance: 2, delay: 1024, lengthTolerance: 3072),
    ]

    @Test(arguments: cases) func clicksKeepTheirTimes(_ example: Case) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(AudioFiles.clicks(at: Self.positions, count: Self.count), to: "\(folder)/source.wav")
            try AudioFiles.ffmpeg("-i source.wav \(example.arguments) \(example.name)", in: folder)
            let audio = try DecodedAudio("\(folder)/\(example.name)")
            #expect(audio.info.format.sampleRate == example.rate)
            #expect(audio.isContiguous)
            #expect(audio.outcome.sampleCount == audio.count)
            #expect(audio.outcome.lostPackets == 0 && audio.outcome.gaps == 0)
            #expect(audio.warnings == [])
            let scale = 48_000 / example.rate
            #expect(abs(audio.count - (Self.count / scale)) <= example.lengthTolerance, "length \(audio.count)")
            for position in Self.positions {
                let expected = position / scale + example.delay
                let found = audio.peak(near: expected, channel: 1) ?? -1
                #expect(abs(found - expected) <= example.tolerance, "found at \(found) instead of \(expected)")
            }
        }
    }

    static let offsets = [
        // FFmpeg writes the empty edit of MP4 in milliseconds.
        ("off.mp4", "-c:v mpeg4 -c:a aac", 48), ("off.mkv", "-c:v mpeg4 -c:a flac", 0),
        ("off.ts", "-c:v mpeg2video -c:a mp2", 481 + 2),
    ]

    /// A track that starts half a second after video is preceded by silence.
    @Test(arguments: offsets) func lateTrack(example: (name: String, arguments: String, tolerance: Int)) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(AudioFiles.clicks(at: Self.positions, count: Self.count), to: "\(folder)/source.wav")
            try AudioFiles.ffmpeg(
                "-f lavfi -i testsrc=d=3:s=64x64:r=25 -itsoffset 0.5 -i source.wav -map 0 -map 1", example.arguments,
                example.name, in: folder)
            for workers in [1, 2] {
                let audio = try DecodedAudio("\(folder)/\(example.name)", workers: workers, chunkLength: 5)
                #expect(audio.warnings == [] && audio.outcome.gaps == 0)
                #expect(audio.channels[0][..<20_000].allSatisfy { $0 == 0 })
                for position in Self.positions {
                    let found = audio.peak(near: position + 24_000) ?? -1
                    #expect(abs(found - position - 24_000) <= example.tolerance, "found at \(found)")
                }
            }
        }
    }

    /// The first packet has a timestamp that is five seconds late.
    @Test(arguments: ["libmp3lame", "aac", "flac"]) func wrongFirstTimestamp(codec: String) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(AudioFiles.clicks(at: Self.positions, count: Self.count), to: "\(folder)/source.wav")
            try AudioFiles.ffmpeg(
                "-f lavfi -i testsrc=d=2:s=64x64:r=25 -i source.wav -map 0 -map 1 -c:v mpeg4 -c:a \(codec) whole.mkv",
                in: folder)
            let wrong = "setts=pts=if(eq(N\\,0)\\,PTS+5/TB\\,PTS)"
            try AudioFiles.ffmpeg("-i whole.mkv -c copy -bsf:a \(wrong) wrong.mkv", in: folder)
            let healthy = try DecodedAudio("\(folder)/whole.mkv")
            for workers in [1, 2] {
                let audio = try DecodedAudio("\(folder)/wrong.mkv", workers: workers, chunkLength: 5)
                #expect(audio.warnings == [] && audio.outcome.gaps == 0)
                #expect(abs(audio.count - healthy.count) <= 48)
                for position in Self.positions {
                    let (expected, found) = (healthy.peak(near: position), audio.peak(near: position))
                    #expect(abs(try #require(found) - #require(expected)) <= 48)
                }
            }
        }
    }

    /// In MP4 and Matroska, silence precedes a single late track; in other containers its start is 0.
    @Test(arguments: [("a.mkv", "flac", 24_000), ("a.mp4", "alac", 24_000), ("a.ts", "mp2", 481)])
    func lateAlone(example: (name: String, codec: String, delay: Int)) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(AudioFiles.clicks(at: Self.positions, count: Self.count), to: "\(folder)/source.wav")
            try AudioFiles.ffmpeg("-itsoffset 0.5 -i source.wav -c:a \(example.codec) \(example.name)", in: folder)
            let audio = try DecodedAudio("\(folder)/\(example.name)")
            for position in Self.positions {
                #expect(abs((audio.peak(near: position + example.delay) ?? -1) - position - example.delay) <= 2)
            }
        }
    }

    /// Gaps are filled with silence.
    @Test(arguments: ["mka", "ts", "ogg"]) func gapIsFilled(kind: String) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(AudioFiles.clicks(at: Self.positions, count: Self.count), to: "\(folder)/source.wav")
            let codec = ["mka": "flac", "ts": "mp2", "ogg": "libopus -page_duration 20000"][kind] ?? ""
            let path = "\(folder)/a.\(kind)"
            if kind == "ogg" {
                // Pages of one packet of 20 ms are removed.
                try AudioFiles.ffmpeg("-i source.wav -c:a \(codec) whole.ogg", in: folder)
                let bytes = try Fixture.bytes("\(folder)/whole.ogg")
                let pages = bytes.indices.filter { bytes[$0...].starts(with: "OggS".utf8) }
                try AudioFiles.write(Array(bytes[..<pages[32]] + bytes[pages[44]...]), to: path)
            } else {
                try AudioFiles.ffmpeg(
                    "-i source.wav -af aselect=not(between(t\\,0.6\\,0.9)) -c:a \(codec)", path, in: folder)
            }
            let delay = kind == "ts" ? 481 : 0
            for workers in [1, 2] {
                let audio = try DecodedAudio(path, workers: workers, chunkLength: 4)
                #expect(audio.outcome.gaps == 1 && audio.warnings.count == 1 && audio.isContiguous)
                #expect(audio.outcome.filledSamples > 10_000 && audio.outcome.filledSamples < 15_000)
                for position in Self.positions {
                    let found = audio.peak(near: position + delay) ?? -1
                    #expect(abs(found - position - delay) <= 60, "found at \(found)")
                }
            }
        }
    }

    /// The channels of 5.1 are those that the container declares.
    @Test(arguments: ["a.wav", "a.flac", "a.ogg", "a.opus", "a.m4a"]) func surround(name: String) throws {
        try Fixture.withFolder { folder in
            let order: [AudioChannel] = [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight]
            let source = AudioFiles.wav(channels: 6, count: 48_000) { index, channel in
                abs(index - 6000 * (channel + 1)) < 40 ? 0.7 : 0
            }
            try AudioFiles.write(source, to: "\(folder)/source.wav")
            let layout = name == "a.ogg" || name == "a.opus" ? "5.1" : "5.1(side)"
            let codec = name == "a.ogg" ? "-c:a libvorbis" : name == "a.opus" ? "-c:a libopus -mapping_family 1" : ""
            try AudioFiles.ffmpeg(
                "-channel_layout \(layout) -i source.wav", codec.isEmpty ? "-ac 6" : codec, name, in: folder)
            let audio = try DecodedAudio("\(folder)/\(name)")
            try #require(audio.info.format.channels.count == 6)
            for (channel, speaker) in audio.info.format.channels.enumerated() {
                let isBack = [AudioChannel.backLeft: AudioChannel.sideLeft, .backRight: .sideRight]
                let expected = try #require(order.firstIndex(of: isBack[speaker] ?? speaker))
                // Codecs filter the low-frequency channel, which delays it.
                let position = 6000 * (expected + 1)
                let loud = audio.channels[channel].indices.filter { abs(audio.channels[channel][$0]) > 0.2 }
                #expect(loud.allSatisfy { abs($0 - position) < 1500 }, "\(speaker)")
            }
        }
    }
}
