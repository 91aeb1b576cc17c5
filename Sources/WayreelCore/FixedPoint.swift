extension Double {
    /// Formats the number with a fixed number of decimal digits.
    package func formatted(_ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard magnitude * scale < 1e15 else { return String(self) }
        let units = Int((magnitude * scale).rounded())
        let sign = self < 0 && units > 0 ? "-" : ""
        guard digits > 0 else { return sign + String(units) }
        let fraction = String(units % Int(scale))
        return "\(sign)\(units / Int(scale)).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }
}
