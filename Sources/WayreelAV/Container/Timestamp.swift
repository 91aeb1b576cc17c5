internal import WayreelCore

/// An exact time in seconds, of either sign: a count of units of a time base, and sums of these.
struct Timestamp: Comparable {
    /// Not in lowest terms.
    private let numerator: Int128
    /// Positive.
    private let denominator: Int128

    static let zero = Timestamp(numerator: 0, denominator: 1)

    private init(numerator: Int128, denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Creates a time of `count` units of `timeBase` seconds.
    init(_ count: Int64, in timeBase: Rational) {
        self.init(numerator: Int128(count) * Int128(timeBase.numerator), denominator: Int128(timeBase.denominator))
    }

    var seconds: Double { Double(numerator) / Double(denominator) }

    static func < (a: Timestamp, b: Timestamp) -> Bool { a.numerator * b.denominator < b.numerator * a.denominator }

    static func == (a: Timestamp, b: Timestamp) -> Bool { a.numerator * b.denominator == b.numerator * a.denominator }

    static func + (a: Timestamp, b: Timestamp) -> Timestamp {
        Timestamp(
            numerator: a.numerator * b.denominator + b.numerator * a.denominator,
            denominator: a.denominator * b.denominator)
    }

    /// Returns (self − origin) · sampleRate, rounded to the nearest integer, halves up. nil beyond ±2⁶⁰, so that
    /// differences of several results do not overflow.
    func samples(since origin: Timestamp, at sampleRate: Int) -> Int? {
        let (scale, isOver) = denominator.multipliedReportingOverflow(by: origin.denominator)
        let (a, isOverA) = numerator.multipliedReportingOverflow(by: origin.denominator)
        let (b, isOverB) = origin.numerator.multipliedReportingOverflow(by: denominator)
        let (difference, isOverC) = a.subtractingReportingOverflow(b)
        let (product, isOverD) = difference.multipliedReportingOverflow(by: 2 * Int128(sampleRate))
        let (sum, isOverE) = product.addingReportingOverflow(scale)
        guard !isOver, !isOverA, !isOverB, !isOverC, !isOverD, !isOverE, scale <= Int128.max / 2 else { return nil }
        let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: 2 * scale)
        return Int(exactly: quotient - (remainder < 0 ? 1 : 0)).flatMap { $0.magnitude < 1 << 60 ? $0 : nil }
    }
}
