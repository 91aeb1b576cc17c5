import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// FLAC with frame numbers and varying block sizes, as written by an early encoder (Flake 0.11): timestamps derived
/// from the numbers are wrong.
@Suite struct FLACFrameNumberTests {
    /// Makes a file with one channel at 44.1 kHz. All samples of a frame have one value.
    private static func file(_ frames: [(length: Int, value: Int16)]) -> [UInt8] {
        let lengths = frames.dropLast().map(\.length)
        let total = UInt64(frames.reduce(0) { $0 + $1.length })
        var bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34]
        bytes += big(UInt64(lengths.min() ?? 0), 2) + big(UInt64(lengths.max() ?? 0), 2) + [0, 0, 0, 0, 0, 0]
        // 20 bits of sample rate, 3 of channels - 1, 5 of bits - 1, 36 of samples; no MD5.
        bytes += big(44_100 << 44 | 15 << 36 | total, 8) + [UInt8](repeating: 0, count: 16)
        for (number, frame) in frames.enumerated() {
            // Blocking strategy 0, a length of 16 bits, 44.1 kHz, one channel of 16 bits, the number below 128.
            var header: [UInt8] = [0xFF, 0xF8, 0x79, 0x08, UInt8(number)] + big(UInt64(frame.length - 1), 2)
            header.append(UInt8(checksum(header, 0x07, width: 8)))
            // A constant subframe.
            let whole = header + [0x00] + big(UInt64(UInt16(bitPattern: frame.value)), 2)
            bytes += whole + big(checksum(whole, 0x8005, width: 16), 2)
        }
        return bytes
    }

    static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }

    static func checksum(_ bytes: [UInt8], _ polynomial: UInt64, width: UInt64) -> UInt64 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt64(byte) << (width - 8)) { sum, _ in
                (sum << 1 ^ (sum >> (width - 1) & 1) * polynomial) & (1 << width - 1)
            }
        }
    }

    @Test func samplesAreCounted() throws {
        let frames = (0..<120).map { (length: [4608, 576, 2304, 1152][$0 % 4], value: Int16($0 * 250 - 15_000)) }
        try Fixture.withFolder { folder in
            try AudioFiles.write(Self.file(frames), to: "\(folder)/a.flac")
            let audio = try DecodedAudio("\(folder)/a.flac")
            let expected = frames.flatMap { Array(repeating: Float($0.value) / 32_768, count: $0.length) }
            #expect(audio.count == expected.count && audio.channels[0] == expected)
            #expect(audio.warnings.isEmpty, "\(audio.warnings)")
        }
    }
}
