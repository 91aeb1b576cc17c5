package import WayreelGauge

/// The growth of a task's cost with its input size.
package struct ScaleResult: Sendable, Codable {
    package struct Point: Hashable, Sendable, Codable {
        package var size: Double
        /// Medians in seconds and bytes.
        package var wallSeconds: Double
        package var cpuSeconds: Double
        package var peakMemoryBytes: Double
    }

    package var name: String
    package var about: String
    package var unit: String
    package var points: [Point]
    /// Errors of failed sizes.
    package var failures: [String]
    /// Power laws of the cost; nil for fewer than two points.
    package var wall: PowerLaw?
    package var cpu: PowerLaw?
    package var memory: PowerLaw?

    package init(_ series: ScaleSeries, _ report: BenchReport) {
        (name, about, unit) = (series.name, series.about, series.unit)
        points = []
        failures = []
        for (size, result) in zip(series.sizes, report.results) {
            guard let wall = result.own.summary(.wall), let cpu = result.own.summary(.cpu),
                let memory = result.own.summary(.memory)
            else {
                failures.append("\(result.suite): \(result.own.failure ?? "no figures")")
                continue
            }
            points.append(
                Point(
                    size: size, wallSeconds: wall.median, cpuSeconds: cpu.median, peakMemoryBytes: memory.median))
        }
        let sizes = points.map(\.size)
        wall = PowerLaw(x: sizes, y: points.map(\.wallSeconds))
        cpu = PowerLaw(x: sizes, y: points.map(\.cpuSeconds))
        memory = PowerLaw(x: sizes, y: points.map(\.peakMemoryBytes))
    }
}
