internal import CFFmpeg
internal import WayreelCore

extension AVRational {
    /// Converts to the nearest positive ratio whose terms fit into 32 bits.
    init(_ value: Rational) {
        self.init()
        if let n = Int32(exactly: value.numerator), let d = Int32(exactly: value.denominator) {
            (num, den) = (n, d)
        } else {
            av_reduce(&num, &den, Int64(value.numerator), Int64(value.denominator), Int64(Int32.max))
            if num <= 0 { (num, den) = (1, .max) }
        }
    }
}

extension Rational {
    /// Returns nil for a ratio that is not positive.
    init?(_ value: AVRational) { self.init(Int(value.num), Int(value.den)) }

    /// Converts a time base in seconds. A ratio that is not positive counts as one second.
    init(timeBase: AVRational) { self = Rational(timeBase) ?? 1 }
}
