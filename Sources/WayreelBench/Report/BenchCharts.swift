package import WayreelCore
internal import WayreelDrawing
internal import WayreelCharts

/// Charts of benchmark results.
package enum BenchCharts {
    /// All charts of a report: peak memory of all tasks, all tasks against the peers; then per task the peers, CPU and
    /// memory over time.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package static func charts(of report: BenchReport) throws(MediaError) -> [Named] {
        let charts = ReportCharts(report).all
        for chart in charts { try chart.chart.check() }
        return charts
    }
}
