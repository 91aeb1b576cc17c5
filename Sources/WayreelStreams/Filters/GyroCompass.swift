/// A heading that is updated by a gyroscope and calibrated by a compass.
///
/// The compass jitters but does not drift; the gyroscope drifts but does not jitter. The first heading comes from the
/// compass, and from then on the gyroscope's rate turns it. At the end of each interval, the heading is corrected by
/// the mean of the compass's deviations from it in that interval, if their standard deviation shows a stable compass,
/// or else as soon as it does. If the gyroscope is missing for more than a second, the heading is the compass's.
struct GyroCompass: SensorFilterStep {
    private let target: SensorFilter.Target
    private let gyroscope: (stream: String, component: String)
    private let scale: Double
    private let interval: Double
    private let stable: Double

    /// The current heading; nil before the first compass value, and while the gyroscope is missing.
    private var heading: Double?
    private var rate: (time: SensorTime, degrees: Double)?
    private var calibrated: SensorTime?
    private var deviations: [(time: SensorTime, degrees: Double)] = []

    private static let cycle = Cycle.degrees
    /// The longest time between samples of the gyroscope that is integrated, in seconds.
    private static let longestGap = 1.0

    init(
        _ target: SensorFilter.Target, gyroscope: (stream: String, component: String), scale: Double, interval: Double,
        stable: Double
    ) {
        self.target = target
        self.gyroscope = gyroscope
        self.scale = scale
        self.interval = interval
        self.stable = stable
    }

    mutating func apply(_ sample: inout SensorSample, _ others: inout [SensorSample]) -> SensorFilterOutcome {
        if sample.stream == gyroscope.stream, let value = sample.values[gyroscope.component] {
            turn(value * scale, at: sample.time)
        }
        for name in sample.values.names where target.includes(name, of: sample.stream) {
            // The gyroscope itself may be in the same stream.
            if sample.stream == gyroscope.stream, name == gyroscope.component { continue }
            if let value = sample.values[name] { sample.values[name] = fused(value, at: sample.time) }
        }
        return .pass
    }

    /// Integrates the gyroscope's rate in degrees a second.
    private mutating func turn(_ degrees: Double, at time: SensorTime) {
        if let last = rate {
            let seconds = time.seconds(since: last.time)
            guard seconds > 0 else { return }
            if seconds > Self.longestGap {
                heading = nil
            } else if let known = heading {
                heading = Self.cycle.wrapped(known + (last.degrees + degrees) / 2 * seconds)
            }
        }
        rate = (time, degrees)
    }

    /// Returns the fused heading that replaces the compass's value.
    private mutating func fused(_ compass: Double, at time: SensorTime) -> Double {
        let isTurning = rate.map { abs(time.seconds(since: $0.time)) <= Self.longestGap } ?? false
        guard isTurning, let known = heading else {
            heading = isTurning ? Self.cycle.wrapped(compass) : nil
            (calibrated, deviations) = (time, [])
            return Self.cycle.wrapped(compass)
        }
        deviations.append((time, Self.cycle.turn(from: known, to: compass)))
        let since = calibrated.map { time.seconds(since: $0) } ?? 0
        guard since >= interval else { return known }
        deviations.removeAll { time.seconds(since: $0.time) > interval }
        let mean = deviations.reduce(0) { $0 + $1.degrees } / Double(deviations.count)
        let variance =
            deviations.reduce(0) { $0 + ($1.degrees - mean) * ($1.degrees - mean) } / Double(deviations.count)
        guard variance <= stable * stable else { return known }
        let next = Self.cycle.wrapped(known + mean)
        heading = next
        (calibrated, deviations) = (time, [])
        return next
    }
}
