import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// FLAC with samples of 32 bits, which FFmpeg before version 6 does not decode.
@Suite struct LongFLACTests {
    private static let rate = 48_000
    private static let length = 1000

    /// Makes a file of frames with uncompressed samples (RFC 9639, section 9.2.2).
    private static func file(_ samples: [[Int32]]) -> [UInt8] {
        let (channels, count) = (samples.count, samples[0].count)
        let big = { (value: UInt64, count: Int) in
            (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
        }
        var bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34] + big(UInt64(length), 2) + big(UInt64(length), 2) + big(0, 6)
        // 20 bits of sample rate, 3 of channels - 1, 5 of bits - 1, 36 of samples; no MD5.
        bytes += big(UInt64(rate) << 44 | UInt64(channels - 1) << 41 | 31 << 36 | UInt64(count), 8) + big(0, 16)
        for number in 0..<count / length {
            // A length of 16 bits, the rate by code, 32 bits, the number below 128.
            var frame: [UInt8] = [0xFF, 0xF8, 0x7A, UInt8(channels - 1) << 4 | 7 << 1, UInt8(number)]
            frame += big(UInt64(length - 1), 2)
            frame.append(UInt8(FLACFrameNumberTests.checksum(frame, 0x07, width: 8)))
            for channel in samples {
                frame.append(0x02)
                for sample in channel[number * length..<(number + 1) * length] {
                    frame += big(UInt64(UInt32(bitPattern: sample)), 4)
                }
            }
            bytes += frame + big(FLACFrameNumberTests.checksum(frame, 0x8005, width: 16), 2)
        }
        return bytes
    }

    private static let samples: [[Int32]] = (0..<2).map { channel in
        var random = SeededRandom(seed: UInt64(channel))
        return [.min, .max, 0, -1, 1] + (5..<5000).map { _ in Int32.random(in: .min ... .max, using: &random) }
    }

    @Test(arguments: [1, 2]) func samplesAreExact(channels: Int) throws {
        try Fixture.withFolder { folder in
            let samples = Array(Self.samples[..<channels])
            let bytes = Self.file(samples)
            try AudioFiles.write(bytes, to: "\(folder)/a.flac")
            let pipe = try NamedPipe(feeding: bytes)
            for path in ["\(folder)/a.flac", pipe.path] {
                let audio = try withExtendedLifetime(pipe) { try DecodedAudio(path) }
                #expect(audio.channels == samples.map { $0.map { Float(Double($0) / 2_147_483_648) } })
                #expect(audio.warnings.isEmpty && audio.isContiguous)
                #expect(audio.info.codec == "flac" && audio.info.bitDepth == 32)
                #expect(audio.info.expectedSampleCount == 5000)
            }
        }
    }

    /// What cannot be decoded is silence, and the rest keeps its time.
    @Test func damagedFrame() throws {
        try Fixture.withFolder { folder in
            let samples = Array(Self.samples[..<1])
            var bytes = Self.file(samples)
            // Within the second frame: 42 bytes precede the first, of 8 + 1 + 4000 + 2.
            bytes[42 + 4011 + 2000] ^= 0xFF
            try AudioFiles.write(bytes, to: "\(folder)/a.flac")
            let audio = try DecodedAudio("\(folder)/a.flac")
            #expect(audio.count == 5000 && audio.outcome.lostPackets > 0 && audio.warnings.count == 1)
            let expected = samples[0].map { Float(Double($0) / 2_147_483_648) }
            #expect(audio.channels[0][..<1000] == expected[..<1000])
            // The search for the next frame may miss one.
            #expect(audio.channels[0][3000...] == expected[3000...])
        }
    }

    @Test func otherTracksDoNotExist() throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(Self.file(Self.samples), to: "\(folder)/a.flac")
            let error = #expect(throws: MediaError.self) { try DecodedAudio(.path("\(folder)/a.flac"), track: 2) }
            #expect(error?.kind == .parameter)
        }
    }
}
