internal import WayreelCharts
internal import WayreelGauge

/// Charts of Wayreel against peers.
extension ReportCharts {
    /// Wayreel's peak memory in each task.
    static func memory(_ results: [BenchResult]) -> ReportChart? {
        let bars = results.compactMap { result in
            result.candidates.first.map { bar($0, .memory, name: result.suite, isHighlighted: true) }
        }
        guard !bars.isEmpty else { return nil }
        let chart = BarsChart(
            title: "Peak memory of each task", measure: .bytes, groups: [BarsChart.Group(bars: bars)])
        return ReportChart("memory", chart, width: ReportChart.wideWidth)
    }

    /// All candidates of a task.
    static func peers(of result: BenchResult, _ name: String) -> [ReportChart] {
        guard result.candidates.count > 1 else { return [] }
        return BenchFigure.allCases.map { figure in
            let bars = result.candidates.enumerated().map { index, candidate in
                bar(candidate, figure, name: candidate.name, isHighlighted: index == 0)
            }
            let chart = BarsChart(
                title: "\(result.suite): \(figure.name)", measure: figure.chartMeasure,
                groups: [BarsChart.Group(bars: bars)])
            return ReportChart(
                "\(name)-peers-\(figure.rawValue)", chart, width: ReportChart.narrowWidth, caption: figure.title)
        }
    }

    private static func bar(
        _ candidate: BenchCandidate, _ figure: BenchFigure, name: String, isHighlighted: Bool
    ) -> BarsChart.Bar {
        let summary = candidate.summary(figure)
        return BarsChart.Bar(
            name: name, value: summary?.median, interval: summary?.interval.map { $0.lower...$0.upper },
            isHighlighted: isHighlighted, note: candidate.failure == nil ? "–" : "failed")
    }

    /// Ratios to the peers for all tasks, so that tasks of different length are comparable. Empty for fewer than two
    /// tasks with peers.
    static func peers(_ results: [BenchResult]) -> [ReportChart] {
        let compared = results.filter { $0.candidates.count > 1 }
        guard compared.count > 1 else { return [] }
        return BenchFigure.allCases.map { figure in
            let groups = compared.map { result in
                BarsChart.Group(
                    name: result.suite,
                    bars: result.candidates.dropFirst().map { ratio(result.candidates[0], $0, figure) })
            }
            let chart = BarsChart(
                title: "\(figure.title): Wayreel ÷ peer", measure: .ratio, groups: groups, reference: 1)
            return ReportChart("peers-\(figure.rawValue)", chart, width: ReportChart.narrowWidth)
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
