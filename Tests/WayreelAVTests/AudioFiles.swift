import Glibc
import TestSupport

/// Creates audio files for tests.
enum AudioFiles {
    /// Makes a 16-bit WAV file. `sample` returns the sample of a channel at an index.
    static func wav(
        rate: Int = 48_000, channels: Int = 2, count: Int, _ sample: (_ index: Int, _ channel: Int) -> Double
    ) -> [UInt8] {
        let data = (0..<count).flatMap { index in
            (0..<channels).flatMap { channel in
                little(UInt64(UInt16(bitPattern: Int16((sample(index, channel) * 32_767).rounded()))), 2)
            }
        }
        return riff(
            format: 1, channels: channels, rate: rate, bits: 16, data: data)
    }

    /// Makes a RIFF file of `data`. Format 1 is integer PCM, 3 floating-point.
    static func riff(
        format: Int, channels: Int, rate: Int, bits: Int, data: [UInt8], dataSize: Int? = nil, before: [UInt8] = [],
        after: [UInt8] = []
    ) -> [UInt8] {
        let frame = channels * bits / 8
        let header =
            Array("fmt ".utf8) + little(16, 4) + little(UInt64(format), 2) + little(UInt64(channels), 2)
            + little(UInt64(rate), 4) + little(UInt64(rate * frame), 4) + little(UInt64(frame), 2)
            + little(UInt64(bits), 2)
        let body =
            Array("WAVE".utf8) + header + before + Array("data".utf8) + little(UInt64(dataSize ?? data.count), 4) + data
            + (data.count % 2 == 1 ? [0] : []) + after
        return Array("RIFF".utf8) + little(UInt64(body.count), 4) + body
    }

    /// Makes a WAV file of PCM with a WAVE_FORMAT_EXTENSIBLE header, whose `validBits` may be fewer than its bits.
    static func extensible(
        channels: Int, rate: Int, bits: Int, validBits: Int, blockBytes: Int? = nil, data: [UInt8]
    ) -> [UInt8] {
        let frame = blockBytes ?? channels * bits / 8
        // KSDATAFORMAT_SUBTYPE_PCM.
        let subtype: [UInt8] = [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        let header =
            Array("fmt ".utf8) + little(40, 4) + little(0xFFFE, 2) + little(UInt64(channels), 2)
            + little(UInt64(rate), 4) + little(UInt64(rate * frame), 4) + little(UInt64(frame), 2)
            + little(UInt64(bits), 2) + little(22, 2) + little(UInt64(validBits), 2) + little(0, 4) + subtype
        let body = Array("WAVE".utf8) + header + Array("data".utf8) + little(UInt64(data.count), 4) + data
        return Array("RIFF".utf8) + little(UInt64(body.count), 4) + body
    }

    static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// Makes clicks at the samples `positions` on faint noise. They are bell-shaped and some ten samples wide, so that
    /// codecs preserve their peaks.
    static func clicks(at positions: [Int], rate: Int = 48_000, channels: Int = 2, count: Int) -> [UInt8] {
        var random = SeededRandom(seed: 7)
        let noise = (0..<count).map { _ in Double.random(in: -0.002...0.002, using: &random) }
        return wav(rate: rate, channels: channels, count: count) { index, _ in
            positions.reduce(noise[index]) { sum, position in
                let distance = Double(index - position) / 6
                return abs(distance) < 6 ? sum + 0.8 * exp(-distance * distance / 2) : sum
            }
        }
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(description: "\(path) cannot be written") }
        defer { fclose(file) }
        bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    }

    /// Makes a file by the `ffmpeg` program.
    static func ffmpeg(_ arguments: String..., in folder: String) throws {
        try SampleVideo.make(arguments.flatMap { $0.split(separator: " ").map(String.init) }, in: folder)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
