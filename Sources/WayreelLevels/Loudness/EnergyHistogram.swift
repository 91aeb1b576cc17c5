internal import Glibc

/// How often which energy occurred, from −70 LUFS (the absolute gate of BS.1770), in bins of 0.01 LU that also keep the
/// sum of their energies: a mean above a gate is exact but for the one bin that the gate cuts, whatever the length of the
/// sound, in 150 kB.
struct EnergyHistogram: Sendable {
    private struct Bin {
        var count = 0
        var energy = 0.0

        var mean: Double { energy / Double(count) }
    }

    private static let lowest = -70.0
    private static let binsPerUnit = 100.0
    /// Up to +25 LUFS; what is louder, as floating-point samples can be, falls into the last.
    private var bins = [Bin](repeating: Bin(), count: 9500)
    private var occupied = 0..<0

    mutating func add(_ energy: Double) {
        let loudness = lufs(energy)
        guard loudness >= Self.lowest else { return }
        let place = Self.bin(of: loudness, among: bins.count)
        bins[place].count += 1
        bins[place].energy += energy
        note(place..<place + 1)
    }

    mutating func merge(_ other: EnergyHistogram) {
        for place in other.occupied {
            bins[place].count += other.bins[place].count
            bins[place].energy += other.bins[place].energy
        }
        note(other.occupied)
    }

    /// The mean of the energies at or above the absolute gate, and above a `threshold` in LUFS where one is given; nil where
    /// there are none.
    func mean(above threshold: Double = lowest) -> Double? {
        var (count, energy) = (0, 0.0)
        for place in places(above: threshold) {
            count += bins[place].count
            energy += bins[place].energy
        }
        return count > 0 ? energy / Double(count) : nil
    }

    /// The energies above `threshold` that stand at these shares, 0 to 1, of their order; nil where there are none. As
    /// Tech 3342's reference computes them: the nearest rank of n − 1.
    func percentiles(_ shares: [Double], above threshold: Double) -> [Double]? {
        let places = places(above: threshold)
        let count = places.reduce(0) { $0 + bins[$1].count }
        guard count > 0 else { return nil }
        return shares.map { share in
            var rank = Int((Double(count - 1) * share).rounded())
            for place in places {
                rank -= bins[place].count
                if rank < 0 { return bins[place].mean }
            }
            return 0
        }
    }

    /// The bins that hold anything, from the one that `threshold` cuts on: that one only if its mean is above.
    private func places(above threshold: Double) -> [Int] {
        let first = Self.bin(of: threshold, among: bins.count)
        return occupied.filter { place in
            bins[place].count > 0 && (place > first || place == first && lufs(bins[place].mean) >= threshold)
        }
    }

    private mutating func note(_ places: Range<Int>) {
        guard !places.isEmpty else { return }
        occupied =
            occupied.isEmpty
            ? places
            : min(occupied.lowerBound, places.lowerBound)..<max(occupied.upperBound, places.upperBound)
    }

    private static func bin(of loudness: Double, among count: Int) -> Int {
        Int(min(max((loudness - lowest) * binsPerUnit, 0), Double(count - 1)))
    }
}

/// The loudness of a K-weighted mean square (BS.1770-4, annex 1), and back.
func lufs(_ energy: Double) -> Double { 10 * log10(energy) - 0.691 }
func energy(lufs loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }
