internal import Glibc
package import WayreelCore

/// Accumulated statistics of an audio file, from which its loudness and that of several files together are computed.
/// Constant size for any duration.
///
/// A value type: statistics from several threads can be merged on any thread.
package struct LoudnessStatistics: Sendable {
    /// K-weighted mean squares of 400 ms blocks, ten per second.
    private var blocks = EnergyHistogram()
    /// K-weighted mean squares of 3 s.
    private var shortTerms = EnergyHistogram()
    private var momentaryMaximum = 0.0
    private var shortTermMaximum = 0.0
    /// Linear peaks; empty after merging.
    private var channels: [(truePeak: Double, samplePeak: Double)] = []
    private var truePeak = 0.0
    private var samplePeak = 0.0

    package init() {}

    /// Merges the statistics of another file.
    package mutating func merge(_ other: LoudnessStatistics) {
        blocks.merge(other.blocks)
        shortTerms.merge(other.shortTerms)
        momentaryMaximum = max(momentaryMaximum, other.momentaryMaximum)
        shortTermMaximum = max(shortTermMaximum, other.shortTermMaximum)
        truePeak = max(truePeak, other.truePeak)
        samplePeak = max(samplePeak, other.samplePeak)
        channels = []
    }

    mutating func addBlock(_ energy: Double) { blocks.add(energy) }
    mutating func addShortTerm(_ energy: Double) { shortTerms.add(energy) }

    mutating func note(momentary: Double, shortTerm: Double) {
        momentaryMaximum = max(momentaryMaximum, momentary)
        shortTermMaximum = max(shortTermMaximum, shortTerm)
    }

    mutating func addChannel(truePeak: Double, samplePeak: Double) {
        // Interpolation overflows near the limits of Float.
        let truePeak = truePeak.isFinite ? truePeak : samplePeak
        channels.append((truePeak, samplePeak))
        self.truePeak = max(self.truePeak, truePeak)
        self.samplePeak = max(self.samplePeak, samplePeak)
    }

    package var loudness: Loudness {
        let relativeThreshold = blocks.mean().map { lufs($0) - 10 }
        let rangeThreshold = shortTerms.mean().map { lufs($0) - 20 }
        let range = rangeThreshold.flatMap { shortTerms.percentiles([0.1, 0.95], above: $0) }?.map(lufs)
        return Loudness(
            integrated: relativeThreshold.flatMap { blocks.mean(above: $0) }.map(lufs),
            relativeThreshold: relativeThreshold,
            range: range.map { $0[1] - $0[0] }, rangeLow: range?[0], rangeHigh: range?[1],
            rangeThreshold: rangeThreshold,
            momentaryMaximum: finite(lufs(momentaryMaximum)), shortTermMaximum: finite(lufs(shortTermMaximum)),
            truePeak: decibels(truePeak), samplePeak: decibels(samplePeak),
            channels: channels.map {
                Loudness.ChannelPeaks(truePeak: decibels($0.truePeak), samplePeak: decibels($0.samplePeak))
            })
    }

    private func decibels(_ amplitude: Double) -> Double? { finite(20 * log10(amplitude)) }

    private func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
}
