import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelTones

/// Samples as integers, their dither, and the headers of files.
@Suite struct ToneFileTests {
    private let sine = Tone(.sine(hertz: 1000), level: .peak(-20))

    private func mix(_ tones: [Tone], channels: Int = 1, seconds: Double = 0.1, seed: UInt64 = 1) -> ToneMix {
        ToneMix(tones, channelCount: channels, seconds: seconds, seed: seed)
    }

    /// Rounded to the nearest of 2ⁿ steps, without dither.
    @Test func roundsWithoutDither() throws {
        let samples = integers(try bytes(of: mix([sine]), ToneFile(.raw, hasDither: false)))
        #expect(samples.count == 4800)
        for (index, sample) in samples.enumerated() {
            let value = 3276.8 * sin(2 * .pi * Double(index % 48) / 48)
            #expect(abs(Double(sample) - value) <= 0.5 + 1e-6, "\(index)")
        }
    }

    @Test(arguments: [(ToneSamples.int24, 3), (.int32, 4)]) func widerSamplesAreFiner(
        samples: ToneSamples, size: Int
    ) throws {
        let bytes = try bytes(of: mix([sine]), ToneFile(.raw, samples: samples, hasDither: false))
        #expect(bytes.count == 4800 * size)
        for index in 0..<4800 {
            let word = bytes[index * size..<(index + 1) * size].reversed().reduce(0) { $0 << 8 | Int32($1) }
            let value = Double(word << (32 - 8 * Int32(size))) / 0x1p31
            #expect(abs(value - 0.1 * sin(2 * .pi * Double(index % 48) / 48)) <= 0.51 / pow(2, Double(8 * size - 1)))
        }
    }

    /// Far below a step, dither alone decides: its triangular distribution of ±1 LSB rounds to 0 with the probability 3/4, to
    /// ±1 with 1/8 each.
    @Test func ditherIsTriangular() throws {
        let quiet = Tone(.sine(hertz: 1000), level: .peak(-200))
        let samples = integers(try bytes(of: mix([quiet], seconds: 5), ToneFile(.raw)))
        let count = Double(samples.count)
        for (value, probability) in [(-1, 0.125), (0, 0.75), (1, 0.125)] as [(Int16, Double)] {
            let share = Double(samples.count { $0 == value }) / count
            // Four standard deviations.
            #expect(abs(share - probability) < 4 * (probability * (1 - probability) / count).squareRoot(), "\(value)")
        }
        #expect(samples.allSatisfy { abs($0) <= 1 })
        // Neighbours do not depend on each other.
        let products = zip(samples, samples.dropFirst()).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        #expect(abs(products / count) < 4 * 0.25 / count.squareRoot())
    }

    /// With dither, a tone below one step is still there; without, it is gone.
    @Test func ditherKeepsToneBelowAStep() throws {
        let tone = Tone(.sine(hertz: 1000), level: .peak(-96.33))
        let dithered = integers(try bytes(of: mix([tone], seconds: 4), ToneFile(.raw))).map { Double($0) / 32_768 }
        let found = amplitudes(dithered, bin: 4000)
        #expect(abs(hypot(found.sine, found.cosine).decibels + 96.33) < 0.5)
        let plain = integers(try bytes(of: mix([tone]), ToneFile(.raw, hasDither: false)))
        #expect(plain.allSatisfy { $0 == 0 })
    }

    @Test func silenceIsZeroAndSeedsAreReproducible() throws {
        #expect(try bytes(of: mix([Tone(.silence)]), ToneFile(.raw)).allSatisfy { $0 == 0 })
        let part = Tone(.sine(hertz: 1000), channels: [2], start: 0.05)
        let samples = integers(try bytes(of: mix([part], channels: 2), ToneFile(.raw)))
        #expect(stride(from: 0, to: samples.count, by: 2).allSatisfy { samples[$0] == 0 })
        #expect(samples.prefix(4800).allSatisfy { $0 == 0 })
        let one = try bytes(of: mix([sine]), ToneFile(.raw))
        #expect(try bytes(of: mix([sine]), ToneFile(.raw)) == one)
        #expect(try bytes(of: mix([sine], seed: 2), ToneFile(.raw)) != one)
    }

    @Test func overloadsAreClippedAndTold() throws {
        let folder = TemporaryFolder()
        let loud = mix([Tone(.sine(hertz: 1000), level: .peak(6)), sine])
        let warnings = try ToneFile(.raw).write(loud, to: "\(folder.path)/loud.raw")
        #expect(warnings.count == 1 && warnings[0].message.hasSuffix("samples exceed full scale and are clipped"))
        let samples = integers(try Fixture.bytes("\(folder.path)/loud.raw"))
        #expect(samples.max() == .max && samples.min() == .min)
        // A sine at full scale is not above it.
        let full = mix([Tone(.sine(hertz: 1000), level: .rms(0))])
        #expect(try ToneFile(.raw).write(full, to: "\(folder.path)/full.raw").isEmpty)
        #expect(try ToneFile(.raw, samples: .float).write(loud, to: "\(folder.path)/f.raw").count == 1)
    }

    // MARK: Headers

    private func little(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func plainWaveHeader() throws {
        let file = try bytes(of: mix([sine], channels: 2), ToneFile(.wav))
        #expect(file.count == 44 + 4800 * 4)
        #expect(
            text(file[0..<4]) == "RIFF" && little(file[4..<8]) == file.count - 8 && text(file[8..<16]) == "WAVEfmt ")
        let format = [16..<20, 20..<22, 22..<24, 24..<28, 28..<32, 32..<34, 34..<36].map { little(file[$0]) }
        #expect(format == [16, 1, 2, 48_000, 192_000, 4, 16])
        #expect(text(file[36..<40]) == "data" && little(file[40..<44]) == 4800 * 4)
    }

    /// An odd number of bytes is padded (RIFF).
    @Test func extensibleWaveHeaderAndPadding() throws {
        let odd = ToneMix([sine], channelCount: 1, seconds: 0.1 + 1 / 48_000)
        let file = try bytes(of: odd, ToneFile(.wav, samples: .int24))
        let size = 4801 * 3
        #expect(file.count == 68 + size + 1 && file.last == 0)
        #expect(little(file[4..<8]) == file.count - 8 && little(file[16..<20]) == 40 && little(file[20..<22]) == 0xFFFE)
        #expect(little(file[36..<38]) == 22 && little(file[38..<40]) == 24 && little(file[40..<44]) == 4)
        #expect(little(file[44..<46]) == 1 && text(file[60..<64]) == "data" && little(file[64..<68]) == size)
    }

    /// EBU Tech 3306: sizes of 64 bits in a chunk `ds64`.
    @Test func longWavesAreRF64() {
        let frames = 24 * 3600 * 48_000
        let header = ToneHeaders.wave(.int16, (48_000, 2, frames))
        let data = frames * 4
        #expect(text(header[0..<4]) == "RF64" && little(header[4..<8]) == 0xFFFF_FFFF)
        #expect(text(header[8..<16]) == "WAVEds64" && little(header[16..<20]) == 28)
        #expect(little(header[20..<28]) == header.count - 8 + data && little(header[28..<36]) == data)
        #expect(little(header[36..<44]) == frames && little(header[44..<48]) == 0)
        #expect(
            text(header[header.count - 8..<header.count - 4]) == "data" && header.suffix(4) == [255, 255, 255, 255])
        // The largest RIFF file, and the next one.
        let limit = (Int(UInt32.max) - 36) / 4
        #expect(text(ToneHeaders.wave(.int16, (48_000, 2, limit))[0..<4]) == "RIFF")
        #expect(text(ToneHeaders.wave(.int16, (48_000, 2, limit + 1))[0..<4]) == "RF64")
    }

    @Test func refusesWhatFLACLacks() throws {
        let cases: [(ToneSamples, Int, Int)] = [
            (.float, 48_000, 1), (.int32, 48_000, 1), (.int16, 48_000, 9), (.int16, 700_000, 1), (.int16, 65_537, 1),
            (.int16, 655_350, 1),
        ]
        for (samples, rate, channels) in cases {
            let mix = ToneMix([Tone(.whiteNoise)], sampleRate: rate, channelCount: channels, seconds: 0.1)
            let error = try #require(throws: MediaError.self) { try ToneFile(.flac, samples: samples).check(mix) }
            #expect(error.kind == .parameter && error.reason.contains("FLAC"))
        }
    }

    @Test func nothingIsLeftOfACancelledFile() throws {
        let folder = TemporaryFolder()
        let cancellation = Cancellation()
        cancellation.cancel()
        for container in [ToneFile.Container.wav, .caf] {
            let error = try #require(throws: MediaError.self) {
                try ToneFile(container).write(mix([sine]), to: "\(folder.path)/a", cancellation: cancellation)
            }
            #expect(error.kind == .cancelled)
        }
        #expect(Fixture.listing(folder.path).isEmpty)
    }
}
