/// Drops values outside of a range.
struct Limit: ComponentFilter {
    let range: ClosedRange<Double>

    func next(_ value: Double, at time: SensorTime) -> Double? { range.contains(value) ? value : nil }
}

/// Limits values to a range.
struct Clamp: ComponentFilter {
    let range: ClosedRange<Double>

    func next(_ value: Double, at time: SensorTime) -> Double? {
        min(max(value, range.lowerBound), range.upperBound)
    }
}
