import TestSupport
import Testing
import WayreelCore
import WayreelLevels

@Suite struct ChannelSelectionTests {
    private static let half = 0.5.squareRoot()
    /// The weights in left and right by ITU-R BS.775.
    static let layouts: [([AudioChannel], left: [Double], right: [Double])] = [
        ([.left, .right, .center], [1, 0, half], [0, 1, half]),
        ([.left, .right, .center, .backCenter], [1, 0, half, 0.5], [0, 1, half, 0.5]),
        ([.left, .right, .backLeft, .backRight], [1, 0, half, 0], [0, 1, 0, half]),
        (
            [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight], [1, 0, half, 0, half, 0],
            [0, 1, half, 0, 0, half]
        ),
        (
            [.left, .right, .center, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight],
            [1, 0, half, 0, half, 0, half, 0], [0, 1, half, 0, 0, half, 0, half]
        ),
        (AudioChannel.unnamed(count: 3), [0.5, 0, 0.5], [0, 1, 0]),
        (AudioChannel.unnamed(count: 4), [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5]),
    ]

    @Test(arguments: layouts, LevelRecorderTests.layouts)
    func moreThanTwoAreMixedDown(
        _ layout: ([AudioChannel], left: [Double], right: [Double]), _ memory: (AudioBlock.SampleType, Bool)
    ) throws {
        var audio = TestAudio.noise(channels: layout.0.count, count: 2500, seed: 21)
        audio.names = layout.0
        let levels = try audio.levels(LevelMeasurement(grid: .samples(100)), memory.0, interleaved: memory.1)
        #expect(levels.format.channels == [.left, .right])
        let stored = audio.stored(memory.0)
        for (channel, shares) in [layout.left, layout.right].enumerated() {
            let mixed = (0..<2500).map { index in
                zip(stored, shares).reduce(0) { $0 + $1.0[index] * $1.1 } / TestAudio.fullScale(memory.0)
            }
            for bucket in 0..<25 {
                let part = mixed[bucket * 100..<bucket * 100 + 100]
                #expect(try abs(Double(levels.values(.minimum, channel: channel)[bucket]) - part.min()!) < 1e-6)
                #expect(try abs(Double(levels.values(.maximum, channel: channel)[bucket]) - part.max()!) < 1e-6)
            }
        }
    }

    @Test(arguments: 1...9)
    func monoIsTheMean(channels: Int) throws {
        let audio = TestAudio.noise(channels: channels, count: 2500, seed: 22)
        var measurement = LevelMeasurement(grid: .samples(100))
        measurement.channels = .mono
        let levels = try audio.levels(measurement, .float32, interleaved: true)
        #expect(levels.format.channels == [.mono])
        let stored = audio.stored(.float32)
        for bucket in 0..<25 {
            let part = (bucket * 100..<bucket * 100 + 100).map { index in
                stored.reduce(0) { $0 + $1[index] } / Double(channels)
            }
            #expect(try abs(Double(levels.values(.minimum, channel: 0)[bucket]) - part.min()!) < 1e-6)
            #expect(try abs(Double(levels.values(.maximum, channel: 0)[bucket]) - part.max()!) < 1e-6)
        }
    }

    @Test func oneAndTwoStayAsTheyAre() throws {
        for names in [[AudioChannel.center], [.mono], [.left, .lowFrequency]] {
            var audio = TestAudio.noise(channels: names.count, count: 10, seed: 1)
            audio.names = names
            for selection in [ChannelSelection.stereo, .all] {
                var measurement = LevelMeasurement(grid: .samples(1))
                measurement.channels = selection
                let levels = try audio.levels(measurement)
                #expect(levels.format.channels == names)
                #expect(try levels.values(.maximum, channel: 0) == audio.samples[0].map(Float.init))
            }
        }
    }

    /// audiowaveform's arithmetic, in integers.
    @Test(arguments: LevelRecorderTests.layouts, [1, 2, 3, 6])
    func sixteenBitsAreWholeNumbers(_ memory: (AudioBlock.SampleType, Bool), channels: Int) throws {
        var audio = TestAudio.noise(channels: channels, count: 3000, seed: 23)
        // Beyond full scale, as floats may be.
        audio.samples[0][7] = 1.25
        audio.samples[0][8] = -1.25
        let words = audio.stored(memory.0).map { channel in
            channel.map { value in
                switch memory.0 {
                case .int16: Int(value)
                case .int32: Int(value) >> 16
                case .float32: Int(max(min((Float(value) * 32_767).rounded(.towardZero), 32_767), -32_768))
                }
            }
        }
        var measurement = LevelMeasurement(grid: .samples(1))
        measurement.int16Rounding = .truncated
        measurement.channels = .all
        let all = try audio.levels(measurement, memory.0, interleaved: memory.1)
        for channel in 0..<channels {
            #expect(try all.values(.minimum, channel: channel).map { Int($0 * 32_768) } == words[channel])
            #expect(try all.values(.maximum, channel: channel).map { Int($0 * 32_768) } == words[channel])
        }
        measurement.channels = .mono
        let mono = try audio.levels(measurement, memory.0, interleaved: memory.1)
        let sums = (0..<3000).map { index in words.reduce(0) { $0 + $1[index] } / channels }
        #expect(try mono.values(.maximum, channel: 0).map { Int($0 * 32_768) } == sums)
        measurement.channels = .stereo
        let stereo = try audio.levels(measurement, memory.0, interleaved: memory.1)
        if channels == 3 {
            // Unnamed channels: the first and the third are left.
            let left = (0..<3000).map { (words[0][$0] + words[2][$0]) / 2 }
            #expect(try stereo.values(.maximum, channel: 0).map { Int($0 * 32_768) } == left)
        }
        for value in try stereo.table[0] { #expect((value * 32_768).rounded() == value * 32_768) }
    }
}
