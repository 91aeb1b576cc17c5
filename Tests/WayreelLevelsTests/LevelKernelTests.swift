import TestSupport
import Testing
import WayreelKernels

/// The kernels compared with plain loops.
@Suite struct LevelKernelTests {
    static let lengths = Array(0...70) + [127, 128, 129, 255, 1000, 4099]

    /// Returns minimum, maximum and the sum of the squares of the samples with even or odd indices.
    private func plain<Sample: BinaryInteger>(_ samples: ArraySlice<Sample>, half: Int) -> (Double, Double, UInt64) {
        let own = samples.enumerated().filter { $0.offset % 2 == half }.map { Int64($0.element) }
        return (
            Double(own.min() ?? .max), Double(own.max() ?? .min),
            own.reduce(0) { $0 + $1.magnitude * $1.magnitude }
        )
    }

    @Test func sixteenBitsAreExact() {
        var random = SeededRandom(seed: 1)
        let samples = (0..<5000).map { _ in
            [Int16.min, .max, Int16.random(in: .min ... .max, using: &random)].randomElement(using: &random)!
        }
        for length in Self.lengths {
            for offset in 0..<3 {
                var levels = wr_integer_levels()
                wr_begin_integer_levels(&levels)
                let part = samples[offset..<offset + length]
                part.withUnsafeBufferPointer { wr_levels_s16($0.baseAddress, length, &levels) }
                for (half, halves) in [WR_EVEN_HALF, WR_ODD_HALF].enumerated() where length > half {
                    let reading = wr_integer_reading(&levels, halves, 1)
                    let expected = plain(part, half: half)
                    #expect((Double(reading.minimum), Double(reading.maximum)) == (expected.0, expected.1))
                    #expect(reading.energy == Double(expected.2))
                }
            }
        }
    }

    /// A long run of the loudest samples: no intermediate sum overflows.
    @Test func sixteenBitsDoNotOverflow() {
        let samples = [Int16](repeating: .min, count: 9_000_001)
        var levels = wr_integer_levels()
        wr_begin_integer_levels(&levels)
        wr_levels_s16(samples, samples.count, &levels)
        #expect(wr_integer_reading(&levels, WR_EVEN_HALF, 1).energy == 4_500_001 * 0x1p30)
        #expect(wr_integer_reading(&levels, WR_ODD_HALF, 1).energy == 4_500_000 * 0x1p30)
        #expect(wr_integer_reading(&levels, WR_BOTH_HALVES, 0x1p15).energy == 9_000_001)
    }

    @Test func thirtyTwoBitsAreExact() {
        var random = SeededRandom(seed: 2)
        let samples = (0..<5000).map { _ in
            [Int32.min, .max, Int32.random(in: .min ... .max, using: &random), 1].randomElement(using: &random)!
        }
        for length in Self.lengths {
            for offset in 0..<3 {
                var levels = wr_integer_levels()
                wr_begin_integer_levels(&levels)
                let part = samples[offset..<offset + length]
                part.withUnsafeBufferPointer { wr_levels_s32($0.baseAddress, length, &levels) }
                for (half, halves) in [WR_EVEN_HALF, WR_ODD_HALF].enumerated() where length > half {
                    let own = part.enumerated().filter { $0.offset % 2 == half }.map(\.element)
                    let sum = own.reduce(UInt128(0)) { $0 + UInt128($1.magnitude) * UInt128($1.magnitude) }
                    let reading = wr_integer_reading(&levels, halves, 1)
                    #expect(reading.energy == Double(sum))
                    #expect((reading.minimum, reading.maximum) == (Float(own.min()!), Float(own.max()!)))
                }
            }
        }
    }

    @Test func floatsDoNotDependOnBlockSizes() {
        var random = SeededRandom(seed: 3)
        let samples = (0..<5000).map { _ in Float.random(in: -1.5...1.5, using: &random) }
        for length in Self.lengths where length > 1 {
            var whole = wr_float_levels()
            wr_begin_float_levels(&whole)
            wr_levels_f32(samples, length, &whole)
            var cut = wr_float_levels()
            wr_begin_float_levels(&cut)
            var start = 0
            samples.withUnsafeBufferPointer { buffer in
                while start < length {
                    let count = Int.random(in: 1...min(length - start, 40), using: &random)
                    wr_levels_f32(buffer.baseAddress! + start, count, &cut)
                    start += count
                }
            }
            for (half, halves) in [WR_EVEN_HALF, WR_ODD_HALF].enumerated() {
                let reading = wr_float_reading(&whole, halves)
                let own = samples[..<length].enumerated().filter { $0.offset % 2 == half }.map(\.element)
                #expect((reading.minimum, reading.maximum) == (own.min()!, own.max()!))
                let energy = own.reduce(0) { $0 + Double($1) * Double($1) }
                #expect(abs(reading.energy - energy) <= energy * 1e-13)
                let other = wr_float_reading(&cut, halves)
                #expect((other.minimum, other.maximum) == (reading.minimum, reading.maximum))
                #expect(other.energy == reading.energy)
            }
        }
    }

    @Test func wordsAreCutTowardsZero() {
        let floats: [Float] = [0, 0.5, -0.5, 1, -1, 1.5, -1.5, 0.99999, -0.99999, 1 / 32_767.0, -0.9 / 32_767, 3e38]
        var words = [Int16](repeating: 0, count: floats.count)
        wr_words_from_f32(floats, 1, &words, floats.count, 32_767)
        #expect(words == [0, 16_383, -16_383, 32_767, -32_767, 32_767, -32_768, 32_766, -32_766, 1, 0, 32_767])
        let longs: [Int32] = [.min, .max, 65_535, 65_536, -1, -65_536, -65_537]
        wr_words_from_s32(longs, 1, &words, longs.count)
        #expect(words[..<longs.count] == [-32_768, 32_767, 0, 1, -1, -1, -2])
    }

    /// Every sum of up to 64 channels that is close to an integer quotient.
    @Test func quotientsAreThoseOfIntegers() {
        for channels in 1...64 {
            let range = -32_768 * channels...32_767 * channels
            let quotients = (-32_768...32_767).map { $0 * channels }
            let sums = quotients.flatMap { [$0 - 1, $0, $0 + 1] }.filter(range.contains).map { Int32($0) }
            var words = [Int16](repeating: 0, count: sums.count)
            wr_words_from_sums(sums, channels, &words, sums.count)
            #expect(zip(words, sums).allSatisfy { Int32($0) == $1 / Int32(channels) })
        }
    }

    /// Every word combined with some others.
    @Test func meansOfPairsAreCutTowardsZero() {
        let others: [Int16] = [.min, -32_767, -2, -1, 0, 1, 2, 32_766, .max]
        let pairs = others.flatMap { other in (Int16.min...Int16.max).flatMap { [$0, other] } }
        var means = [Int16](repeating: 0, count: pairs.count / 2)
        wr_means_of_pairs(pairs, &means, means.count)
        #expect(means.indices.allSatisfy { Int(means[$0]) == (Int(pairs[2 * $0]) + Int(pairs[2 * $0 + 1])) / 2 })
    }
}
