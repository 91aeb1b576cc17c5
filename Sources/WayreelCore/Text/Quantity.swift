/// The unit of a large number: bytes or pixels.
package enum Quantity {
    case bits, bytes, pixels

    /// Powers of 1000 (IEC 80000-13) and, for bytes, powers of 1024 with an i.
    private var units: [(suffix: String, factor: Double)] {
        let thousands = [("k", 1e3), ("m", 1e6), ("g", 1e9), ("", 1)]
        return switch self {
        case .bytes:
            [("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824)] + thousands.map { ($0 + "b", $1) } + thousands
        case .pixels: thousands.map { ($0 + "p", $1) } + thousands
        case .bits: thousands
        }
    }

    /// Parses `200000`, `200kB`, `200 KB`, `1.5MB`, `512KiB` or `150MP`, ignoring case and rounding down; 1 to 10¹².
    package func parse(_ text: String) -> Int? {
        let lowercase = text.lowercased()
        guard let unit = units.first(where: { lowercase.hasSuffix($0.suffix) }) else { return nil }
        let digits = lowercase.dropLast(unit.suffix.count)
        guard digits.utf8.allSatisfy({ "0123456789. ".utf8.contains($0) }),
            let number = Double(digits.hasSuffix(" ") ? digits.dropLast() : digits),
            (1...1e12).contains(number * unit.factor)
        else { return nil }
        return Int(number * unit.factor)
    }
}
