internal import WayreelCore

/// Limits of chart data.
enum ChartLimits {
    /// Max magnitude of a value or time.
    static let magnitude = 1e18
    /// Max samples of a line, and max lines, layers or bars of a chart.
    static let samples = 10_000_000
    static let parts = 1000

    static func check(count: Int, of parts: String) throws(MediaError) {
        guard count <= Self.parts else {
            throw chartFault("\(count) \(parts) exceed the limit of \(Self.parts)", advice: "draw fewer")
        }
    }

    /// Checks the values of the series with this name.
    static func check(
        _ value: Double, of name: String, in range: ClosedRange<Double> = -magnitude...magnitude
    ) throws(MediaError) {
        guard range.contains(value) else {
            let lower = range.lowerBound == -magnitude ? "" : ", \(range.lowerBound.shortDescription) or more"
            throw chartFault("a value of '\(name)' must be a number\(lower), not \(value)", advice: "remove it")
        }
    }

    /// Checks times in seconds, in ascending order.
    static func check(times: [Double], of name: String) throws(MediaError) {
        guard times.count <= samples else {
            throw chartFault("'\(name)' has \(times.count) samples; the limit is \(samples)", advice: "draw fewer")
        }
        var last = 0.0
        for time in times {
            guard time >= last, time <= magnitude else {
                throw chartFault(
                    "the times of '\(name)' must rise from 0; they go from \(last) to \(time)", advice: "sort them")
            }
            last = time
        }
    }
}
