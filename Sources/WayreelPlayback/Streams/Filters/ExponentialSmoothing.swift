internal import Glibc

/// A first-order low-pass filter for samples at irregular times. It is exact for a value that is constant from the
/// last sample to this one.
///
/// A sample that is not later than the last one has no weight.
struct ExponentialSmoothing: ComponentFilter {
    private let seconds: Double
    private let cycle: Cycle?
    private var last: (time: SensorTime, value: Double)?

    /// `seconds`: the time constant.
    init(_ seconds: Double, _ cycle: Cycle?) {
        self.seconds = seconds
        self.cycle = cycle
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        guard let (lastTime, lastValue) = last else {
            let first = cycle?.wrapped(value) ?? value
            last = (time, first)
            return first
        }
        guard time > lastTime else { return lastValue }
        let weight = -expm1(-time.seconds(since: lastTime) / seconds)
        let step = cycle?.turn(from: lastValue, to: value) ?? value - lastValue
        let next = lastValue + weight * step
        let smoothed = cycle?.wrapped(next) ?? next
        last = (time, smoothed)
        return smoothed
    }
}
