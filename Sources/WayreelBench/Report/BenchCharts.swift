package import WayreelCore
internal import WayreelDrawing
internal import WayreelCharts

/// What was measured, as charts.
package enum BenchCharts {
    /// All of a report: peak memory of all tasks, all tasks beside the peers; then of each task the peers, processor use and
    /// memory over time.
    ///
    /// Throws a `parameter` error where a figure is none that can be drawn.
    package static func charts(of report: BenchReport) throws(MediaError) -> [Named] {
        let charts = ReportCharts(report).all
        for chart in charts { try chart.chart.check() }
        return charts
    }
}
