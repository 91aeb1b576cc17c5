internal import WayreelCharts
internal import WayreelGauge

/// Wayreel beside other programs.
extension ReportCharts {
    /// Peak memory of ours in each task.
    static func memory(_ results: [BenchResult]) -> BenchCharts.Named? {
        let bars = results.compactMap { result in
            result.contenders.first.map { bar($0, .memory, name: result.suite, isHighlighted: true) }
        }
        guard !bars.isEmpty else { return nil }
        let chart = BarsChart(
            title: "Peak memory of each task", measure: .bytes, groups: [BarsChart.Group(bars: bars)])
        return BenchCharts.Named("memory", chart, width: BenchCharts.Named.wideWidth)
    }

    /// What all contenders of a task took.
    static func peers(of result: BenchResult, _ name: String) -> [BenchCharts.Named] {
        guard result.contenders.count > 1 else { return [] }
        return BenchFigure.allCases.map { figure in
            let bars = result.contenders.enumerated().map { index, contender in
                bar(contender, figure, name: contender.name, isHighlighted: index == 0)
            }
            let chart = BarsChart(
                title: "\(result.suite): \(figure.name)", measure: figure.chartMeasure,
                groups: [BarsChart.Group(bars: bars)])
            return BenchCharts.Named(
                "\(name)-peers-\(figure.rawValue)", chart, width: BenchCharts.Named.narrowWidth, caption: figure.title)
        }
    }

    private static func bar(
        _ contender: BenchContender, _ figure: BenchFigure, name: String, isHighlighted: Bool
    ) -> BarsChart.Bar {
        let summary = contender.summary(figure)
        return BarsChart.Bar(
            name: name, value: summary?.median, interval: summary?.interval.map { $0.lower...$0.upper },
            isHighlighted: isHighlighted, note: contender.failure == nil ? "–" : "failed")
    }

    /// Tasks of very different length side by side: what ours took, divided by what each peer took, which stays small where ours
    /// is much better. None of fewer than two tasks with peers.
    static func peers(_ results: [BenchResult]) -> [BenchCharts.Named] {
        let compared = results.filter { $0.contenders.count > 1 }
        guard compared.count > 1 else { return [] }
        return BenchFigure.allCases.map { figure in
            let groups = compared.map { result in
                BarsChart.Group(
                    name: result.suite,
                    bars: result.contenders.dropFirst().map { ratio(result.contenders[0], $0, figure) })
            }
            let chart = BarsChart(
                title: "\(figure.title): ours ÷ the peer's", measure: .ratio, groups: groups, reference: 1)
            return BenchCharts.Named("peers-\(figure.rawValue)", chart, width: BenchCharts.Named.narrowWidth)
        }
    }

    private static func ratio(
        _ own: BenchContender, _ peer: BenchContender, _ figure: BenchFigure
    ) -> BarsChart.Bar {
        let comparison = own.comparison(with: peer, figure)
        let note = peer.failure != nil ? "failed" : own.failure != nil ? "ours failed" : "–"
        return BarsChart.Bar(
            name: peer.name, value: comparison?.ratio, interval: comparison?.interval.map { $0.lower...$0.upper },
            isHighlighted: comparison?.verdict == .better, note: note)
    }
}
