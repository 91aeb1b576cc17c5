internal import WayreelCore

/// What a chart takes.
enum ChartLimits {
    /// The furthest from 0 that a value or a time may be; what is larger is no measurement.
    static let magnitude = 1e18
    /// The most samples of a line, and lines, layers or bars of a chart.
    static let samples = 10_000_000
    static let parts = 1000

    static func check(count: Int, of parts: String) throws(MediaError) {
        guard count <= Self.parts else {
            throw chartFault("\(count) \(parts) are more than \(Self.parts)", advice: "draw fewer")
        }
    }

    /// Values, of the part of a chart that has this name.
    static func check(
        _ value: Double, of name: String, in range: ClosedRange<Double> = -magnitude...magnitude
    ) throws(MediaError) {
        guard range.contains(value) else {
            let lower = range.lowerBound == -magnitude ? "" : ", \(range.lowerBound.shortDescription) or more"
            throw chartFault("a value of '\(name)' is a number\(lower), not \(value)", advice: "leave it out")
        }
    }

    /// Seconds, in the order of time.
    static func check(times: [Double], of name: String) throws(MediaError) {
        guard times.count <= samples else {
            throw chartFault("'\(name)' has \(times.count) samples; the limit is \(samples)", advice: "draw fewer")
        }
        var last = 0.0
        for time in times {
            guard time >= last, time <= magnitude else {
                throw chartFault(
                    "the times of '\(name)' rise from 0 and do not go from \(last) to \(time)", advice: "sort them")
            }
            last = time
        }
    }
}
