internal import Glibc

/// How moments on a time axis are written: with as few parts as their size and distance ask for.
package struct TimeNotation: Hashable, Sendable {
    /// What the parts are: `s`, `min:s`, `h:min` or `h:min:s`.
    package let unit: String
    private let parts: [Int]
    private let places: Int

    /// For moments up to `end` seconds that are multiples of `step` seconds.
    package init(end: Double, step: Double) {
        places = step < 1 ? TickSteps.places(for: step) : 0
        switch (end, step) {
        case (..<60, _): (unit, parts) = ("s", [1])
        case (..<3600, _): (unit, parts) = ("min:s", [60, 1])
        case (_, 60...): (unit, parts) = ("h:min", [3600, 60])
        default: (unit, parts) = ("h:min:s", [3600, 60, 1])
        }
    }

    /// A moment that is not before 0; `1:05` for 65 seconds in `min:s`.
    package func text(for seconds: Double) -> String {
        let scale = pow(10, Double(places))
        var rest = Int(min((seconds * scale).rounded(), 1e18))
        let unitCount = Int(scale)
        var texts: [String] = []
        for part in parts {
            let value = rest / (part * unitCount)
            rest -= value * part * unitCount
            let digits = String(value)
            texts.append(texts.isEmpty || digits.utf8.count > 1 ? digits : "0" + digits)
        }
        let fraction = String(rest)
        let decimals = places == 0 ? "" : "." + String(repeating: "0", count: places - fraction.utf8.count) + fraction
        return texts.joined(separator: ":") + decimals
    }
}
