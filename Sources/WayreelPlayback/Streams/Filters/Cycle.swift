internal import Glibc

/// The range of a component that wraps around after a period, such as an angle.
struct Cycle: Sendable {
    let period: Double
    let lowest: Double

    static let degrees = Cycle(period: 360, lowest: 0)

    private static let compass: Set<String> = ["degrees", "heading", "course", "bearing", "azimuth", "yaw"]

    private init(period: Double, lowest: Double) {
        self.period = period
        self.lowest = lowest
    }

    /// Creates the cycle of a component, or nil for one that does not wrap around. `period`: 0 for that of a known
    /// component, by its name.
    init?(of component: String, period: Double) {
        if period > 0 {
            (self.period, lowest) = (period, 0)
        } else if Self.compass.contains(component) {
            (self.period, lowest) = (360, 0)
        } else if component == "longitude" {
            (self.period, lowest) = (360, -180)
        } else {
            return nil
        }
    }

    /// Returns the value wrapped to `lowest ..< lowest + period`.
    func wrapped(_ value: Double) -> Double {
        let rest = (value - lowest).truncatingRemainder(dividingBy: period)
        let offset = rest < 0 ? rest + period : rest
        // A tiny negative number rounds up to the period.
        return lowest + (offset == period ? 0 : offset)
    }

    /// Returns the signed difference along the shorter direction from one value to another.
    func turn(from a: Double, to b: Double) -> Double {
        let turn = (b - a).truncatingRemainder(dividingBy: period)
        return turn >= period / 2 ? turn - period : turn < -period / 2 ? turn + period : turn
    }

    /// Returns the circular mean, the direction of the sum of unit vectors, or `fallback` if they cancel out.
    func mean(_ values: some Sequence<Double>, otherwise fallback: Double) -> Double {
        let scale = 2 * Double.pi / period
        let sum = values.reduce(into: SIMD2(0.0, 0.0)) { $0 += SIMD2(cos($1 * scale), sin($1 * scale)) }
        return (sum * sum).sum() < 1e-18 ? wrapped(fallback) : wrapped(atan2(sum.y, sum.x) / scale)
    }
}
