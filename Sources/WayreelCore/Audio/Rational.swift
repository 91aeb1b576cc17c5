/// A positive fraction in lowest terms, such as a frame rate or a number of readings per second.
public struct Rational: Hashable, Sendable, CustomStringConvertible {
    public let numerator: Int
    public let denominator: Int

    /// Returns nil if a term is not positive.
    public init?(_ numerator: Int, _ denominator: Int = 1) {
        guard numerator > 0, denominator > 0 else { return nil }
        var (a, b) = (numerator, denominator)
        while b != 0 { (a, b) = (b, a % b) }
        self.init(numerator: numerator / a, denominator: denominator / a)
    }

    private init(numerator: Int, denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Parses `30`, `29.97` (exactly 2997/100) or `30000/1001`; terms below 10⁹.
    public init?(_ text: some StringProtocol) {
        let terms = text.split(separator: "/", omittingEmptySubsequences: false)
        let isWhole = { (digits: Substring.SubSequence) in digits.utf8.allSatisfy { (48...57).contains($0) } }
        if terms.count == 2 {
            guard terms.allSatisfy({ (1...9).contains($0.utf8.count) && isWhole(Substring($0)) }) else { return nil }
            self.init(Int(terms[0])!, Int(terms[1])!)
            return
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Substring($0) }
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && isWhole($0) }),
            parts.reduce(0, { $0 + $1.utf8.count }) <= 9, let digits = Int(parts.joined())
        else { return nil }
        self.init(digits, (0..<(parts.count == 2 ? parts[1].utf8.count : 0)).reduce(1) { scale, _ in scale * 10 })
    }

    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
    public var value: Double { Double(numerator) / Double(denominator) }
}

extension Rational: ExpressibleByIntegerLiteral {
    /// Creates a rate from a positive integer, as in `.rate(60)`.
    public init(integerLiteral value: Int) {
        precondition(value > 0, "a rate is positive")
        self.init(numerator: value, denominator: 1)
    }
}

extension Rational: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a rate") { text in
            // Encoded terms may be longer than those that `init(_:)` parses.
            let terms = text.split(separator: "/").compactMap { Int($0) }
            return Rational(text) ?? (terms.count == 2 ? Rational(terms[0], terms[1]) : nil)
        }
    }

    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}
