/// A set of small numbers as a bit set that grows to its largest member.
struct Flags: Hashable, Sendable, Codable {
    private var words: [UInt64] = []

    init() {}

    init(from decoder: any Decoder) throws { words = try decoder.singleValueContainer().decode([UInt64].self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(words)
    }

    func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 == 1
    }

    /// Inserts a number and returns true if it was not in the set before.
    @discardableResult
    mutating func insert(_ number: Int) -> Bool {
        while words.count <= number >> 6 { words.append(0) }
        let bit = UInt64(1) << UInt64(number & 63)
        defer { words[number >> 6] |= bit }
        return words[number >> 6] & bit == 0
    }

    /// Returns the first number of a range that is not in the set.
    func firstMissing(in range: Range<Int>) -> Int? {
        var number = range.lowerBound
        while number < range.upperBound {
            guard number >> 6 < words.count else { return number }
            let rest = ~words[number >> 6] >> UInt64(number & 63)
            if rest != 0 {
                let found = number + rest.trailingZeroBitCount
                return found < range.upperBound ? found : nil
            }
            number = (number >> 6 + 1) << 6
        }
        return nil
    }

    func containsAll(_ range: Range<Int>) -> Bool { firstMissing(in: range) == nil }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
}
