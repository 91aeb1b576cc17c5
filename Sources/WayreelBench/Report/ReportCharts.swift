package import WayreelCore
package import WayreelDrawing

extension BenchReport {
    /// The charts of the report: the peak memory of each task, and ratios to the peers.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package func charts() throws(MediaError) -> [(name: String, chart: any Chart)] {
        let charts = [memoryChart].compactMap(\.self) + ratioCharts
        for chart in charts { try chart.chart.check() }
        return charts
    }

    /// Wayreel's peak memory in each task.
    private var memoryChart: (name: String, chart: any Chart)? {
        let bars = results.compactMap { result in
            result.candidates.first.map { own in
                let summary = own.summary(.memory)
                return BarsChart.Bar(
                    name: result.suite, value: summary?.median,
                    interval: summary?.interval.map { $0.lower...$0.upper }, isHighlighted: true,
                    note: own.failure == nil ? "–" : "failed")
            }
        }
        guard !bars.isEmpty else { return nil }
        let chart = BarsChart(
            title: "Peak memory of each task", measure: .bytes, groups: [BarsChart.Group(bars: bars)])
        return ("memory", chart)
    }

    /// Ratios to the peers, which make tasks of different length comparable. Empty without peers.
    private var ratioCharts: [(name: String, chart: any Chart)] {
        let compared = results.filter { $0.candidates.count > 1 }
        guard !compared.isEmpty else { return [] }
        return BenchFigure.allCases.map { figure in
            let groups = compared.map { result in
                BarsChart.Group(
                    name: result.suite,
                    bars: result.candidates.dropFirst().map { Self.ratio(result.candidates[0], $0, figure) })
            }
            let chart = BarsChart(
                title: "Wayreel ÷ peer: \(figure.name)", measure: .ratio, groups: groups, reference: 1)
            return ("peers-\(figure.rawValue)", chart)
        }
    }

    private static func ratio(
        _ own: BenchCandidate, _ peer: BenchCandidate, _ figure: BenchFigure
    ) -> BarsChart.Bar {
        let comparison = own.comparison(with: peer, figure)
        let note = peer.failure != nil ? "failed" : own.failure != nil ? "Wayreel failed" : "–"
        return BarsChart.Bar(
            name: peer.name, value: comparison?.ratio, interval: comparison?.interval.map { $0.lower...$0.upper },
            isHighlighted: comparison?.verdict == .better, note: note)
    }
}
