package import WayreelCore
internal import WayreelCharts
internal import WayreelDrawing

extension BenchReport {
    /// Returns charts of the peak memory of all tasks, of all tasks against the peers, and then per task of the
    /// peers, CPU and memory over time.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package func charts() throws(MediaError) -> [ReportChart] {
        let charts = ReportCharts(self).all
        for chart in charts { try chart.chart.check() }
        return charts
    }
}
