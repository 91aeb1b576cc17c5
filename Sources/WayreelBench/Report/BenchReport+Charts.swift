package import WayreelCore
internal import WayreelCharts
internal import WayreelDrawing

extension BenchReport {
    /// Peak memory of all tasks, all tasks against the peers; then per task the peers, CPU and memory over time.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package func charts() throws(MediaError) -> [ReportChart] {
        let charts = ReportCharts(self).all
        for chart in charts { try chart.chart.check() }
        return charts
    }
}
