import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// PCM, raw and in WAV files.
@Suite struct PCMTests {
    /// The values of bytes by the definition of each encoding.
    static let encodings: [(RawAudioFormat.Encoding, [UInt8], [Double])] = [
        (.s8, [0x80, 0xFF, 0x00, 0x7F], [-1, -1 / 128.0, 0, 127 / 128.0]),
        (.u8, [0x00, 0x7F, 0x80, 0xFF], [-1, -1 / 128.0, 0, 127 / 128.0]),
        (.s16le, [0x00, 0x80, 0xFF, 0x7F], [-1, 32_767 / 32_768.0]),
        (.s16be, [0x80, 0x00, 0x7F, 0xFF], [-1, 32_767 / 32_768.0]),
        (.s24le, [0x00, 0x00, 0x80, 0x01, 0x00, 0x00], [-1, 1 / 8_388_608.0]),
        (.s24be, [0x80, 0x00, 0x00, 0x00, 0x00, 0x01], [-1, 1 / 8_388_608.0]),
        (.s32le, [0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x40], [-1, 0.5]),
        (.s32be, [0x80, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00], [-1, 0.5]),
        (.f32le, [0x00, 0x00, 0xC0, 0x3F, 0x00, 0x00, 0x80, 0x7F], [1.5, 0]),
        (.f32be, [0x3F, 0xC0, 0x00, 0x00, 0x7F, 0xC0, 0x00, 0x00], [1.5, 0]),
        (.f64le, [0, 0, 0, 0, 0, 0, 0xF8, 0xBF], [-1.5]),
        (.f64be, [0xBF, 0xF8, 0, 0, 0, 0, 0, 0], [-1.5]),
        // ITU-T G.711, tables 1 and 2: the extreme values and those around zero, in 14 and 13 bits.
        (.mulaw, [0x00, 0x80, 0xFF, 0x7F], [-8031 / 8192.0, 8031 / 8192.0, 0, 0]),
        (.alaw, [0x2A, 0xAA, 0xD5, 0x55], [-4032 / 4096.0, 4032 / 4096.0, 1 / 4096.0, -1 / 4096.0]),
    ]

    @Test(arguments: encodings)
    func rawSamples(encoding: RawAudioFormat.Encoding, bytes: [UInt8], values: [Double]) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(bytes, to: "\(folder)/a.raw")
            let format = RawAudioFormat(encoding, sampleRate: 8000, channelCount: 1)
            let audio = try DecodedAudio(.raw(path: "\(folder)/a.raw", format))
            #expect(audio.channels == [values.map(Float.init)])
            #expect(audio.info.expectedSampleCount == values.count)
        }
    }

    /// Every code decodes as with FFmpeg's decoder.
    @Test(arguments: RawAudioFormat.Encoding.allCases) func likeFFmpeg(encoding: RawAudioFormat.Encoding) throws {
        try Fixture.withFolder { folder in
            var random = SeededRandom(seed: 3)
            var bytes = (0..<24 * 257).map { _ in UInt8.random(in: 0...255, using: &random) }
            if encoding == .mulaw || encoding == .alaw { bytes = (0...255).map { UInt8($0) } }
            let kind = encoding.rawValue
            if kind.hasPrefix("f") {
                // Only exponents near 1, so that both decoders agree on every value.
                let width = kind.hasPrefix("f32") ? 4 : 8
                for start in stride(from: 0, to: bytes.count, by: width) {
                    bytes[start + (kind.hasSuffix("be") ? 0 : width - 1)] = 0x3F
                }
            }
            try AudioFiles.write(bytes, to: "\(folder)/a.raw")
            try AudioFiles.ffmpeg("-f \(kind) -ar 8000 -ac 1 -i a.raw -c:a pcm_f32le -f caf a.caf", in: folder)
            let raw = RawAudioFormat(encoding, sampleRate: 8000, channelCount: 1)
            let own = try DecodedAudio(.raw(path: "\(folder)/a.raw", raw))
            #expect(own.channels == (try DecodedAudio("\(folder)/a.caf").channels))
        }
    }

    /// A WAV file that is read without FFmpeg has the same samples as a pipe, which is read by FFmpeg.
    @Test(arguments: [
        ("s16le", 1, 16), ("s24le", 1, 24), ("s32le", 1, 32), ("f32le", 3, 32), ("u8", 1, 8), ("f64le", 3, 64),
    ])
    func wavWithoutFFmpeg(name: String, format: Int, bits: Int) throws {
        try Fixture.withFolder { folder in
            var random = SeededRandom(seed: 5)
            var data = (0..<bits / 8 * 2 * 9000).map { _ in UInt8.random(in: 0...255, using: &random) }
            if format == 3 { for i in stride(from: bits / 8 - 1, to: data.count, by: bits / 8) { data[i] = 0x3F } }
            let junk = Array("junk".utf8) + AudioFiles.little(3, 4) + [1, 2, 3, 0]
            let bytes = AudioFiles.riff(
                format: format, channels: 2, rate: 44_100, bits: bits, data: data, before: junk, after: junk)
            try AudioFiles.write(bytes, to: "\(folder)/a.wav")
            let quick = try DecodedAudio("\(folder)/a.wav")
            let pipe = try NamedPipe(feeding: bytes)
            let slow = try withExtendedLifetime(pipe) { try DecodedAudio(pipe.path) }
            #expect(quick.hash == slow.hash && quick.count == 9000 && slow.count == 9000)
            #expect(quick.blockCount < slow.blockCount)
        }
    }

    /// The placeholder sizes of programs that write to a pipe.
    @Test(arguments: [0, Int(UInt32.max)]) func unknownSize(size: Int) throws {
        try Fixture.withFolder { folder in
            let data = [UInt8](repeating: 1, count: 4 * 1000)
            let bytes = AudioFiles.riff(format: 1, channels: 2, rate: 44_100, bits: 16, data: data, dataSize: size)
            try AudioFiles.write(bytes, to: "\(folder)/a.wav")
            #expect(try DecodedAudio("\(folder)/a.wav").count == 1000)
        }
    }

    @Test func truncatedWAVIsReadToItsEnd() throws {
        try Fixture.withFolder { folder in
            let bytes = AudioFiles.wav(count: 48_000) { index, _ in Double(index % 100) / 100 }
            try AudioFiles.write(Array(bytes[..<(44 + 4 * 10_000 + 3)]), to: "\(folder)/a.wav")
            let audio = try DecodedAudio("\(folder)/a.wav")
            #expect(audio.count == 10_000)
            #expect(audio.warnings.map(\.message) == ["the file says that it is 1.0 s long; only 0.208 s are there"])
        }
    }

    /// Half of a file that also has video, whose header declares 8 s.
    @Test(arguments: ["mkv", "avi", "wmv"]) func truncatedVideoLacksAudio(_ kind: String) throws {
        try Fixture.withFolder { folder in
            let clip = "\(folder)/a.\(kind)"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=8", "-f", "lavfi", "-i", "sine=d=8", "-t", "8", clip,
            ])
            #expect(try DecodedAudio(clip).warnings.isEmpty)
            let bytes = try Fixture.bytes(clip)
            try AudioFiles.write(Array(bytes.prefix(bytes.count / 2)), to: clip)
            let messages = try DecodedAudio(clip).warnings.map(\.message)
            #expect(messages.contains { $0.hasPrefix("the file says that it is 8.") }, "\(messages)")
        }
    }

    @Test func emptyWAV() throws {
        try Fixture.withFolder { folder in
            let bytes = AudioFiles.riff(format: 1, channels: 2, rate: 44_100, bits: 16, data: [])
            try AudioFiles.write(bytes, to: "\(folder)/a.wav")
            let error = #expect(throws: MediaError.self) { try DecodedAudio("\(folder)/a.wav") }
            #expect(error?.kind == .decoding && error?.reason.contains("holds no audio") == true)
        }
    }

    /// NaN and infinities become silence on every path that reads floats.
    @Test func floatsAreFinite() throws {
        try Fixture.withFolder { folder in
            let values: [Float] = [0.5, .nan, 2, .infinity, -.infinity, -0.25]
            let data = values.flatMap { AudioFiles.little(UInt64($0.bitPattern), 4) }
            let expected: [Float] = [0.5, 0, 2, 0, 0, -0.25]
            try AudioFiles.write(
                AudioFiles.riff(format: 3, channels: 1, rate: 8000, bits: 32, data: data), to: "\(folder)/a.wav")
            let wide = values.flatMap { AudioFiles.little(Double($0).bitPattern, 8) }
            try AudioFiles.write(
                AudioFiles.riff(format: 3, channels: 1, rate: 8000, bits: 64, data: wide), to: "\(folder)/b.wav")
            try AudioFiles.ffmpeg("-i a.wav -c copy c.mka", in: folder)
            for name in ["a.wav", "b.wav", "c.mka"] {
                let audio = try DecodedAudio("\(folder)/\(name)")
                #expect(audio.channels == [expected] && audio.outcome.notFinite == 3, "\(name)")
                #expect(audio.warnings.count == 1)
            }
        }
    }

    @Test(arguments: [
        "s16le", "s16le:44100", "s17le:44100:2", "s16le:0:2", "s16le:44100:0", "s16le:-1:2", "s16le:1e9:2", "",
    ])
    func wrongRawFormats(text: String) {
        let error = #expect(throws: MediaError.self) { try RawAudioFormat(parsing: text) }
        #expect(error?.kind == .parameter && error?.advice != nil)
    }

    @Test func rawFormatRoundTrip() throws {
        let format = try RawAudioFormat(parsing: "f64be:384000:64")
        #expect(format == RawAudioFormat(.f64be, sampleRate: 384_000, channelCount: 64))
        #expect(format.description == "f64be:384000:64")
    }
}
