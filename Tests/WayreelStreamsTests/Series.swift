import Testing
import WayreelStreams

/// The samples of a component, for tests of filters.
struct Series {
    /// In seconds.
    var times: [Double]
    var values: [Double]
    var component: String

    var count: Int { values.count }

    init(_ times: [Double], _ values: [Double], _ component: String = "x") {
        self.times = times
        self.values = values
        self.component = component
    }

    /// Samples at even times from 0 on; `interval`: in seconds.
    init(every interval: Double, _ values: [Double], _ component: String = "x") {
        self.init(values.indices.map { (Double($0) * interval * 1e6).rounded() / 1e6 }, values, component)
    }

    /// The samples of the stream `s`.
    var samples: [SensorSample] {
        get throws {
            try zip(times, values).map { time, value in
                SensorSample(try #require(SensorTime(seconds: time)), stream: "s", values: [component: value])
            }
        }
    }

    /// Returns all that filters make of the samples, to the end.
    func all(_ filters: String...) throws -> [SensorSample] {
        var chain = try SensorFilterChain(try filters.map { try SensorFilter(parsing: $0) })
        var output: [SensorSample] = []
        for sample in try samples { try chain.apply(sample, to: &output) }
        try chain.finish(to: &output)
        return output
    }

    /// Returns the component in the stream `s` after a filter.
    func filtered(_ filter: String) throws -> Series {
        var result = Series([], [], component)
        for sample in try all(filter) where sample.stream == "s" {
            result.times.append(Double(sample.time.microseconds) / 1e6)
            result.values.append(try #require(sample.values[component]))
        }
        return result
    }
}
