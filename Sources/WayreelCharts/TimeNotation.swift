internal import Glibc
internal import WayreelCore

/// The notation of times on an axis, as short as range and step allow.
package struct TimeNotation: Hashable, Sendable {
    /// Notation: `s`, `min:s`, `h:min` or `h:min:s`.
    package let unit: String
    private let parts: [Int]
    private let places: Int

    /// For multiples of `step` seconds up to `end` seconds.
    package init(end: Double, step: Double) {
        places = step < 1 ? TickSteps.places(for: step) : 0
        switch (end, step) {
        case (..<60, _): (unit, parts) = ("s", [1])
        case (..<3600, _): (unit, parts) = ("min:s", [60, 1])
        case (_, 60...): (unit, parts) = ("h:min", [3600, 60])
        default: (unit, parts) = ("h:min:s", [3600, 60, 1])
        }
    }

    /// Formats a non-negative time; `1:05` for 65 seconds in `min:s`.
    package func text(for seconds: Double) -> String {
        let scale = pow(10, Double(places))
        var rest = Int(min((seconds * scale).rounded(), 1e18))
        let unitCount = Int(scale)
        var texts: [String] = []
        for part in parts {
            let value = rest / (part * unitCount)
            rest -= value * part * unitCount
            texts.append(String(value, paddedTo: texts.isEmpty ? 1 : 2))
        }
        return texts.joined(separator: ":") + (places == 0 ? "" : ".\(String(rest, paddedTo: places))")
    }
}
