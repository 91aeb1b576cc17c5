package import WayreelCore
internal import WayreelCharts
internal import WayreelGauge

extension ScaleResult {
    /// Time and memory against input size. Empty for fewer than two sizes.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package func charts() throws(MediaError) -> [ReportChart] {
        guard points.count > 1 else { return [] }
        let series = { (name: String, law: PowerLaw?, value: (Point) -> Double) in
            ScalingChart.Series(
                name: name, points: points.map { ScalingChart.Point(size: $0.size, value: value($0)) },
                fit: law.map(ScalingChart.Fit.init))
        }
        let time = ScalingChart.Panel(
            name: "Time", measure: .seconds,
            series: [
                series("wall time", wall) { $0.wallSeconds }, series("CPU time", cpu) { $0.cpuSeconds },
            ])
        let memory = ScalingChart.Panel(
            name: "Peak memory", measure: .bytes, series: [series("wayreel", memory) { $0.peakMemoryBytes }])
        let chart = ScalingChart(title: about, size: .count(unit), panels: [time, memory])
        try chart.check()
        return [ReportChart("scale-\(name)", chart, width: ReportChart.wideWidth)]
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
    func height(width: Int) -> Int { width > ReportChart.narrowWidth ? 320 : 560 }
}
