internal import WayreelCore
internal import WayreelLevels

/// The cost of measuring loudness, including the true peak.
enum LoudnessCost {
    private static let seconds = 120

    /// Returns seconds of CPU time for an hour of 16-bit stereo at 44.1 kHz.
    static func measure() throws -> Double {
        let format = AudioFormat(sampleRate: 44_100, channels: [.left, .right])
        var noise = SystemRandomNumberGenerator()
        let samples = (0..<2 * format.sampleRate).map { _ in Int16.random(in: -20_000...20_000, using: &noise) }
        let meter = try LoudnessMeter(format: format)
        let start = Clock.thread
        for _ in 0..<seconds {
            try samples.withUnsafeBytes { bytes in
                try meter.add(
                    AudioBlock(
                        .int16, count: format.sampleRate, channelCount: 2, planes: [bytes.baseAddress!], start: 0))
            }
        }
        _ = meter.finish().loudness
        return (Clock.thread - start) * 3600 / Double(seconds)
    }
}
