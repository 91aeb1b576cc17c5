import TestSupport
import Testing
import WayreelCore
import WayreelLevels

/// The readings in a .dat file, compared with files made by audiowaveform.
@Suite struct AudiowaveformArithmeticTests {
    @Test(arguments: [("z256.b16.split", 256, 16, ChannelSelection.all), ("z64.b8.mono", 64, 8, .mono)])
    func readingsAreThoseOfAudiowaveform(
        golden: String, size: Int, bits: Int, selection: ChannelSelection
    ) throws {
        // 78 bytes of header, then interleaved stereo.
        let samples = try Fixture.bytes(Fixture.media("radio/bunny-4s.wav")).dropFirst(78)
        let file = try Fixture.bytes(Fixture.goldenLevels("bunny-4s.wav.\(golden).dat"))
        var measurement = LevelMeasurement(grid: .samples(size))
        measurement.int16Rounding = .truncated
        measurement.channels = selection
        let recorder = try LevelRecorder(
            measurement, format: AudioFormat(sampleRate: 44_100, channels: [.left, .right]))
        try Array(samples).withUnsafeBytes { bytes in
            try recorder.add(
                AudioBlock(
                    .int16, count: bytes.count / 4, channelCount: 2, planes: [bytes.baseAddress!], start: 0))
        }
        let levels = try recorder.finish()
        let header = selection == .mono ? 20 : 24
        let values: [Int]
        if bits == 8 {
            values = file.dropFirst(header).map { Int(Int8(bitPattern: $0)) }
        } else {
            values = stride(from: header, to: file.count, by: 2).map {
                Int(Int16(bitPattern: UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8))
            }
        }
        let divisor = bits == 8 ? 256 : 1
        let columns = try levels.format.channels.indices.flatMap { channel in
            try [LevelField.minimum, .maximum].map { try levels.values($0, channel: channel) }
        }
        let read = (0..<levels.bucketCount).flatMap { bucket in columns.map { Int($0[bucket] * 32_768) / divisor } }
        #expect(read == values)
    }
}
