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

    @Test func ratiosNeedPeers() throws {
        let alone = SampleReport.Task(suite: "probe", candidates: [Candidate("wayreel", wall: [1, 2, 3])])
        #expect(try charts([alone]).keys.sorted() == ["memory"])
        #expect(
            try charts([alone, SampleReport.task("capture")]).keys.sorted() == [
                "memory", "peers-cpu", "peers-memory", "peers-wall",
            ])
        #expect(try charts([]).isEmpty)
    }

    @Test func failedCandidatesHaveNoBar() throws {
        var task = SampleReport.task("capture")
        task.candidates[1] = Candidate("vipsthumbnail", wall: [1, 2, 3], failure: "hung")
        let charts = try charts([task, SampleReport.task("poster")])
        for name in ["peers-wall", "peers-cpu", "peers-memory"] {
            let bar = try #require(charts[name] as? BarsChart).groups[0].bars[0]
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
        for index in task.candidates[1].runs.indices { task.candidates[1].runs[index].wallMilliseconds = 1e-300 }
        let report = try SampleReport([task]).report
        #expect { try report.charts() } throws: { ($0 as? MediaError)?.kind == .parameter }
    }
}
