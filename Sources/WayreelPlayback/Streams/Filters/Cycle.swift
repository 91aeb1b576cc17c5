internal import Glibc

/// The values of a component that begins again after a period, as angles do.
struct Cycle: Sendable {
    let period: Double
    let lowest: Double

    static let degrees = Cycle(period: 360, lowest: 0)

    private static let compass: Set<String> = ["degrees", "heading", "course", "bearing", "azimuth", "yaw"]

    private init(period: Double, lowest: Double) {
        self.period = period
        self.lowest = lowest
    }

    /// That of a component; nil for one that does not begin again. `period`: 0 for that of known components, by their name.
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

    /// The value within `lowest ..< lowest + period`.
    func wrapped(_ value: Double) -> Double {
        let rest = (value - lowest).truncatingRemainder(dividingBy: period)
        let offset = rest < 0 ? rest + period : rest
        // A tiny negative number rounds up to the period.
        return lowest + (offset == period ? 0 : offset)
    }

    /// The shorter way from one value to another.
    func turn(from a: Double, to b: Double) -> Double {
        let turn = (b - a).truncatingRemainder(dividingBy: period)
        return turn >= period / 2 ? turn - period : turn < -period / 2 ? turn + period : turn
    }

    /// The direction of the sum of unit vectors; `fallback` where they cancel out.
    func mean(_ values: some Sequence<Double>, otherwise fallback: Double) -> Double {
        let scale = 2 * Double.pi / period
        let sum = values.reduce(into: SIMD2(0.0, 0.0)) { $0 += SIMD2(cos($1 * scale), sin($1 * scale)) }
        return (sum * sum).sum() < 1e-18 ? wrapped(fallback) : wrapped(atan2(sum.y, sum.x) / scale)
    }
}
