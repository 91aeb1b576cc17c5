package import WayreelCore
internal import WayreelCharts
internal import WayreelGauge

extension BenchCharts {
    /// Time and memory against input size. Empty for fewer than two sizes.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package static func charts(of result: ScaleResult) throws(MediaError) -> [Named] {
        guard result.points.count > 1 else { return [] }
        let series = { (name: String, law: PowerLaw?, value: (ScaleResult.Point) -> Double) in
            ScalingChart.Series(
                name: name, points: result.points.map { ScalingChart.Point(size: $0.size, value: value($0)) },
                fit: law.map(ScalingChart.Fit.init))
        }
        let time = ScalingChart.Panel(
            name: "Time", measure: .seconds,
            series: [
                series("wall time", result.wall) { $0.wallSeconds }, series("CPU time", result.cpu) { $0.cpuSeconds },
            ])
        let memory = ScalingChart.Panel(
            name: "Peak memory", measure: .bytes, series: [series("wayreel", result.memory) { $0.peakMemoryBytes }])
        let chart = ScalingChart(title: result.about, size: .count(result.unit), panels: [time, memory])
        try chart.check()
        return [Named("scale-\(result.name)", chart, width: Named.wideWidth)]
    }
}

extension ScalingChart.Fit {
    fileprivate init(_ law: PowerLaw) {
        self.init(
            coefficient: law.coefficient, exponent: law.exponent,
            interval: law.exponentInterval.map { $0.lower...$0.upper })
    }
}

extension ScalingChart: TitledChart {
    func height(width: Int) -> Int { width > BenchCharts.Named.narrowWidth ? 320 : 560 }
}
