internal import WayreelCore

extension SeededGenerator {
    /// Returns a number that is at least 0 and below 1.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func uniform(in range: Range<Double>) -> Double {
        range.lowerBound + uniform() * (range.upperBound - range.lowerBound)
    }

    /// Returns a number with approximately the standard normal distribution, within -6 ... 6: a sum of twelve uniform
    /// numbers, which avoids functions that machines round differently.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}
