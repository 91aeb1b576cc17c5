/// A histogram of delays. The buckets are 1/32 of their value wide, or a nanosecond.
public struct Lateness: Sendable, Encodable {
    public private(set) var count = 0
    /// The largest delay in seconds.
    public private(set) var maximum = 0.0
    private var buckets = [Int](repeating: 0, count: 64 * 32)

    public init() {}

    /// Adds a delay; negative `nanoseconds` count as 0.
    mutating func add(_ nanoseconds: Int64) {
        let value = UInt64(max(0, nanoseconds))
        count += 1
        maximum = max(maximum, Double(value) / 1e9)
        buckets[Self.bucket(of: value)] += 1
    }

    /// Returns a quantile of the delays in seconds; `part` is 0 to 1. Returns nil if there are no delays.
    public func quantile(_ part: Double) -> Double? {
        guard count > 0 else { return nil }
        let wanted = max(1, Int((Double(count) * part).rounded(.up)))
        var sum = 0
        for (index, number) in buckets.enumerated() {
            sum += number
            if sum >= wanted { return min(Double(Self.upperEnd(of: index)) / 1e9, maximum) }
        }
        return maximum
    }

    /// Returns the bucket of a value: below 32, each value has its own bucket; above, each power of two has 32.
    private static func bucket(of value: UInt64) -> Int {
        guard value >= 32 else { return Int(value) }
        let shift = 58 - value.leadingZeroBitCount
        return 32 * shift + Int(value >> UInt64(shift))
    }

    private static func upperEnd(of bucket: Int) -> UInt64 {
        guard bucket >= 64 else { return UInt64(bucket) }
        let shift = UInt64(bucket / 32 - 1)
        return (UInt64(bucket % 32 + 32 + 1) << shift) - 1
    }

    private enum CodingKeys: CodingKey {
        case count, p50Milliseconds, p99Milliseconds, maxMilliseconds
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encodeIfPresent(quantile(0.5).map { $0 * 1000 }, forKey: .p50Milliseconds)
        try container.encodeIfPresent(quantile(0.99).map { $0 * 1000 }, forKey: .p99Milliseconds)
        try container.encode(maximum * 1000, forKey: .maxMilliseconds)
    }
}
