/// Units of the SI with prefixes, to bring values to the scale of an axis.
enum SensorUnit {
    private static let bases: Set<String> = ["V", "A", "T", "Pa", "Hz", "W", "m", "s", "g", "N", "J"]
    /// The micro sign, the Greek letter and the letter that stands for them.
    private static let prefixes: [Character: Int] = [
        "n": -9, "µ": -6, "μ": -6, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9,
    ]

    /// The factor that turns values in one unit into values in another, such as 0.001 from `µV` to `mV`; nil for units of
    /// different quantities or unknown ones.
    static func factor(from: String, to: String) -> Double? {
        if from == to { return 1 }
        guard let (base, exponent) = parts(from), let (otherBase, otherExponent) = parts(to), base == otherBase else {
            return nil
        }
        // A division by a power of ten is exact for more numbers than a multiplication by 0.001.
        let powers = (0..<abs(exponent - otherExponent)).reduce(1.0) { power, _ in power * 10 }
        return exponent < otherExponent ? 1 / powers : powers
    }

    private static func parts(_ unit: String) -> (base: String, exponent: Int)? {
        if bases.contains(unit) { return (unit, 0) }
        guard let first = unit.first, let exponent = prefixes[first], bases.contains(String(unit.dropFirst())) else {
            return nil
        }
        return (String(unit.dropFirst()), exponent)
    }
}
