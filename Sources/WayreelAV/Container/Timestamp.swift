internal import CFFmpeg

/// A fraction of any sign, as timestamps in seconds are: not in its lowest terms.
struct Timestamp: Comparable {
    let numerator: Int128
    /// Above zero.
    let denominator: Int128

    static let zero = Timestamp(numerator: 0, denominator: 1)

    private init(numerator: Int128, denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// A time base that is no fraction above zero is taken for a second.
    init(_ base: AVRational) {
        let isValid = base.num > 0 && base.den > 0
        numerator = isValid ? Int128(base.num) : 1
        denominator = isValid ? Int128(base.den) : 1
    }

    /// `count` units of a time base.
    init(_ count: Int64, times base: Timestamp) {
        self.init(numerator: Int128(count) * base.numerator, denominator: base.denominator)
    }

    var value: Double { Double(numerator) / Double(denominator) }

    static func < (a: Timestamp, b: Timestamp) -> Bool { a.numerator * b.denominator < b.numerator * a.denominator }

    static func + (a: Timestamp, b: Timestamp) -> Timestamp {
        Timestamp(
            numerator: a.numerator * b.denominator + b.numerator * a.denominator,
            denominator: a.denominator * b.denominator)
    }

    static func == (a: Timestamp, b: Timestamp) -> Bool { a.numerator * b.denominator == b.numerator * a.denominator }

    /// (self − other) · factor, to the nearest whole number, halves up; nil where that is beyond ±2⁶⁰, so that the
    /// differences of several do not overflow.
    func distance(from other: Timestamp, times factor: Int) -> Int? {
        let (scale, isOver) = denominator.multipliedReportingOverflow(by: other.denominator)
        let (a, isOverA) = numerator.multipliedReportingOverflow(by: other.denominator)
        let (b, isOverB) = other.numerator.multipliedReportingOverflow(by: denominator)
        let (difference, isOverC) = a.subtractingReportingOverflow(b)
        let (product, isOverD) = difference.multipliedReportingOverflow(by: 2 * Int128(factor))
        let (sum, isOverE) = product.addingReportingOverflow(scale)
        guard !isOver, !isOverA, !isOverB, !isOverC, !isOverD, !isOverE, scale <= Int128.max / 2 else { return nil }
        let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: 2 * scale)
        return Int(exactly: quotient - (remainder < 0 ? 1 : 0)).flatMap { $0.magnitude < 1 << 60 ? $0 : nil }
    }
}
