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

/// A histogram of energies from −70 LUFS (the absolute gate of BS.1770) in bins of 0.01 LU that also keep the sum of
/// their energies. A mean above a gate is exact except for the bin that contains the gate, for any duration, in 150 kB.
struct EnergyHistogram: Sendable {
    private struct Bin {
        var count = 0
        var energy = 0.0

        var mean: Double { energy / Double(count) }
    }

    private static let lowest = -70.0
    private static let binsPerUnit = 100.0
    /// Bins up to +25 LUFS; louder floating-point audio goes to the last bin.
    private var bins = [Bin](repeating: Bin(), count: 9500)
    private var occupied = 0..<0

    mutating func add(_ energy: Double) {
        let loudness = lufs(energy)
        guard loudness >= Self.lowest else { return }
        let index = Self.bin(of: loudness, among: bins.count)
        bins[index].count += 1
        bins[index].energy += energy
        note(index..<index + 1)
    }

    mutating func merge(_ other: EnergyHistogram) {
        for index in other.occupied {
            bins[index].count += other.bins[index].count
            bins[index].energy += other.bins[index].energy
        }
        note(other.occupied)
    }

    /// Returns the mean of the energies at or above the absolute gate and above an optional `threshold` in LUFS; nil if
    /// there are none.
    func mean(above threshold: Double = lowest) -> Double? {
        var (count, energy) = (0, 0.0)
        for index in indices(above: threshold) {
            count += bins[index].count
            energy += bins[index].energy
        }
        return count > 0 ? energy / Double(count) : nil
    }

    /// Returns percentiles (0 to 1) of the energies above `threshold`; nil if there are none. Uses the nearest rank of
    /// n − 1, as in the reference of Tech 3342.
    func percentiles(_ shares: [Double], above threshold: Double) -> [Double]? {
        let indices = indices(above: threshold)
        let count = indices.reduce(0) { $0 + bins[$1].count }
        guard count > 0 else { return nil }
        return shares.map { share in
            var rank = Int((Double(count - 1) * share).rounded())
            for index in indices {
                rank -= bins[index].count
                if rank < 0 { return bins[index].mean }
            }
            return 0
        }
    }

    /// Returns the non-empty bins from the one that contains `threshold`, which counts only if its mean is above.
    private func indices(above threshold: Double) -> [Int] {
        let first = Self.bin(of: threshold, among: bins.count)
        return occupied.filter { index in
            bins[index].count > 0 && (index > first || index == first && lufs(bins[index].mean) >= threshold)
        }
    }

    private mutating func note(_ indices: Range<Int>) {
        guard !indices.isEmpty else { return }
        occupied =
            occupied.isEmpty
            ? indices
            : min(occupied.lowerBound, indices.lowerBound)..<max(occupied.upperBound, indices.upperBound)
    }

    private static func bin(of loudness: Double, among count: Int) -> Int {
        Int(min(max((loudness - lowest) * binsPerUnit, 0), Double(count - 1)))
    }
}

/// Conversion between loudness and K-weighted mean square (BS.1770-4, annex 1).
func lufs(_ energy: Double) -> Double { 10 * log10(energy) - 0.691 }
func energy(lufs loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }

extension Loudness {
    /// The figures of a document with their names.
    var figures: [NamedFigure] {
        [
            NamedFigure("integratedLUFS", integrated), NamedFigure("rangeLU", range),
            NamedFigure("momentaryMaximumLUFS", momentaryMaximum),
            NamedFigure("shortTermMaximumLUFS", shortTermMaximum),
            NamedFigure("truePeakDBTP", truePeak), NamedFigure("samplePeakDBFS", samplePeak),
        ]
    }
}
