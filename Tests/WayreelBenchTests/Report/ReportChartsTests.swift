import TestSupport
import Testing
import WayreelBench
import WayreelCore
import WayreelDrawing

@Suite struct ReportChartsTests {
    private typealias Candidate = SampleReport.Candidate

    private func charts(_ results: [SampleReport.Task]) throws -> [String: any Chart] {
        let charts = try SampleReport(results).report.charts()
        return Dictionary(uniqueKeysWithValues: charts.map { ($0.name, $0.chart) })
    }

    @Test func chartsAreNamedForTheirTasks() throws {
        var task = SampleReport.task("capture")
        task.candidates[0].samples = SampleReport.samples(3)
        #expect(
            try charts([task]).keys.sorted() == [
                "capture-memory-over-time", "capture-peers-cpu", "capture-peers-memory", "capture-peers-wall", "memory",
            ])
        let two = try charts([task, SampleReport.task("poster")])
        #expect(Set(two.keys).isSuperset(of: ["peers-wall", "peers-cpu", "peers-memory", "poster-peers-wall"]))
        #expect(try charts([]).isEmpty)
    }

    /// No two charts share a name, and no name leads out of its folder.
    @Test func namesAreThoseOfFiles() throws {
        let names = [
            "../../etc/x", "etc x", "", "/", "peers", "a-peers", "a", "A", "É", String(repeating: "long", count: 99),
        ]
        let charts = try SampleReport(names.map(SampleReport.task)).report.charts()
        #expect(Set(charts.map(\.name)).count == charts.count)
        for chart in charts {
            #expect(chart.name.utf8.count < 100)
            #expect(chart.name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(chart.name)")
        }
    }

    // MARK: Memory over time

    private func memory(_ candidates: [Candidate]) throws -> SeriesChart? {
        let task = SampleReport.Task(suite: "capture", candidates: candidates)
        return try charts([task])["capture-memory-over-time"] as? SeriesChart
    }

    private func sampled(_ count: Int, _ name: String = "wayreel", proportional: Double? = nil) -> Candidate {
        Candidate(name, wall: [100]).with { $0.samples = SampleReport.samples(count, proportional: proportional) }
    }

    @Test(arguments: [0, 1, 2, 3, 50])
    func memoryTakesThreeSamples(count: Int) throws {
        let chart = try memory([sampled(count)])
        #expect((chart != nil) == (count >= 3))
        #expect(chart?.series.map(\.samples.count) ?? [count] == [count])
        #expect(chart?.series[0].samples.first.map { $0.time == 0.05 && $0.value == 10e6 } != false)
    }

    /// Compared values are measured in the same way.
    @Test func memoryIsProportionalWhereAllOfItIs() throws {
        let both = try #require(
            try memory([sampled(9, proportional: 0.5), sampled(5, "peer", proportional: 0.25)]))
        #expect(both.title == "capture: memory over time (proportional set)")
        #expect(both.series.map(\.samples.count) == [8, 4])
        #expect(both.series[0].samples[0].value == 5.5e6)
        let one = try #require(try memory([sampled(9, proportional: 0.5), sampled(5, "peer"), sampled(2, "short")]))
        #expect(one.title == "capture: memory over time (resident set)")
        #expect(one.series.map(\.name) == ["wayreel", "peer"])
        #expect(one.series[0].samples[1].value == 11e6)
    }

    // MARK: Bars

    @Test func barsAreTheSummaries() throws {
        let chart = try #require(try charts([SampleReport.task("capture")])["capture-peers-wall"] as? BarsChart)
        let bars = chart.groups.flatMap(\.bars)
        #expect(bars.map(\.name) == ["wayreel", "vipsthumbnail"])
        #expect(bars.map(\.isHighlighted) == [true, false])
        for (bar, walls) in zip(bars, [SampleReport.ours, SampleReport.theirs]) {
            let summary = try #require(Summary(walls.map { $0 / 1000 }))
            let interval = try #require(summary.interval)
            #expect(bar.value == summary.median && bar.interval == interval.lower...interval.upper)
        }
    }

    @Test func failedCandidatesHaveNoBar() throws {
        var task = SampleReport.task("capture")
        task.candidates[1] = Candidate("vipsthumbnail", wall: [1, 2, 3], failure: "hung")
        let charts = try charts([task, SampleReport.task("poster")])
        for name in ["capture-peers-wall", "capture-peers-cpu", "capture-peers-memory"] {
            let bar = try #require(charts[name] as? BarsChart).groups[0].bars[1]
            #expect(bar.name == "vipsthumbnail" && bar.value == nil && bar.interval == nil && bar.note == "failed")
        }
        let ratios = try #require(charts["peers-wall"] as? BarsChart)
        #expect(ratios.groups.map(\.name) == ["capture", "poster"] && ratios.reference == 1)
        #expect(ratios.groups[0].bars.map(\.value) == [nil] && ratios.groups[0].bars[0].note == "failed")
        let comparison = Comparison(
            baseline: SampleReport.theirs.map { $0 / 1000 }, candidate: SampleReport.ours.map { $0 / 1000 })
        #expect(ratios.groups[1].bars[0].value == comparison.ratio && ratios.groups[1].bars[0].isHighlighted)
    }

    @Test func peakMemoryIsOneBarATask() throws {
        var failed = SampleReport.task("poster")
        failed.candidates[0].failure = "hung"
        let tasks = [SampleReport.task("capture"), failed, SampleReport.Task(suite: "nobody", candidates: [])]
        let chart = try #require(try charts(tasks)["memory"] as? BarsChart)
        #expect(chart.groups[0].bars.map(\.name) == ["capture", "poster"])
        #expect(chart.groups[0].bars.map(\.value) == [32.4e6, nil])
        #expect(chart.groups[0].bars[1].note == "failed")
    }

    // MARK: Invalid charts

    @Test func rejectsInvalidMeasurements() throws {
        var task = SampleReport.task("capture")
        task.candidates[0].samples = SampleReport.samples(3)
        task.candidates[0].samples[1].milliseconds = 0
        let report = try SampleReport([task]).report
        #expect { try report.charts() } throws: { ($0 as? MediaError)?.kind == .parameter }
    }
}
