internal import Glibc
package import WayreelCore

/// What is kept of a sound to tell its loudness, and that of any set it belongs to: of one size whatever the length.
///
/// A value: the statistics of sounds that were measured on several threads may be merged on any.
package struct LoudnessStatistics: Sendable {
    /// K-weighted mean squares of blocks of 400 ms, ten a second.
    private var blocks = EnergyHistogram()
    /// Those of 3 s, likewise.
    private var shortTerms = EnergyHistogram()
    private var momentaryMaximum = 0.0
    private var shortTermMaximum = 0.0
    /// Linear; empty for a set.
    private var channels: [(truePeak: Double, samplePeak: Double)] = []
    private var truePeak = 0.0
    private var samplePeak = 0.0

    package init() {}

    /// Joins the statistics of another sound to these, which become those of a set.
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
        // Interpolating near the limits of Float overflows.
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
