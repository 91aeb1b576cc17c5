import TestSupport
import Testing
import WayreelBench
import WayreelCore
import WayreelCharts
import WayreelGauge

@Suite struct HTMLReportTests {
    private typealias Candidate = SampleReport.Candidate

    private func page(_ results: [SampleReport.Task]) throws -> PageElement {
        try PageElement.page(HTMLReport.page(SampleReport(results).report))
    }

    private func section(_ page: PageElement, _ name: String) throws -> PageElement {
        try #require(page.all("section").first { $0.children.first?.text == name })
    }

    // MARK: The complete page

    @Test(arguments: [0, 1, 2, 12])
    func holdsEveryTaskAndCandidate(count: Int) throws {
        let names = (0..<count).map { "task-\($0)" }
        let page = try page(names.map(SampleReport.task))
        let overview = try section(page, "Overview")
        #expect(overview.all("tbody").first?.children.count ?? 0 == count)
        for name in names {
            #expect(try #require(overview.all("th").first { $0.text.hasPrefix(name) }).all("a").count == 1)
            let rows = try #require(try section(page, name).all("table").first).rows
            #expect(rows.dropFirst().map(\.[0]) == ["wayreel", "vipsthumbnail"])
        }
        // Every link has a target, and targets are unique.
        let targets = page.all.compactMap { $0.attributes["id"] }
        #expect(Set(targets).count == targets.count)
        #expect(page.all("a").allSatisfy { targets.contains(String($0.attributes["href"]?.dropFirst() ?? "")) })
    }

    @Test func needsNothingElse() throws {
        let page = try page([SampleReport.task("capture"), SampleReport.task("poster")])
        let names = Set(page.all.map(\.name))
        #expect(names.isDisjoint(with: ["script", "link", "img", "iframe", "object", "image", "use"]))
        for element in page.all {
            #expect(Set(element.attributes.keys).isDisjoint(with: ["src", "srcset", "onload", "style", "data"]))
            #expect(element.attributes["href"]?.hasPrefix("#") != false)
        }
        let style = try #require(page.all("style").first).text
        #expect(!style.contains("url(") && !style.contains("@import"))
        // Once for all charts.
        #expect(page.all("style").count == 1)
        #expect(style.contains(ChartTheme.darkStyleSheet))
    }

    @Test func reportsMachineAndDate() throws {
        let head = try #require(try page([]).all("header").first)
        let time = try #require(head.all("time").first)
        #expect(time.text == "2026-11-21 21:04:25 UTC" && time.attributes["datetime"] == "2026-11-21T21:04:25Z")
        for fact in ["1.3.0", "A processor", "2 of 4", "16.0 GB", "Linux 6.1.0", "libjpeg-turbo 2.1.5"] {
            #expect(head.text.contains(fact))
        }
    }

    // MARK: Numbers

    /// The median of 74.3, 95.3, 96.2, 97, 103.1 and 118.4 ms is 96.6; 95 % of the medians of all 6⁶ samples of six of
    /// them are from 84.8 to 110.75. 118.4 and 74.3 are further from the median than 3 · 1.4826 · 3.9, the median
    /// distance. CPU time is three quarters of each plus 2 ms.
    @Test func showsMediansWithTheirIntervals() throws {
        let row = try #require(try section(try page([SampleReport.task("capture")]), "Overview").rows.dropFirst().first)
        #expect(row[1] == "6at 95 %")
        #expect(row[2] == "96.6 ms84.8–111 ms2 outliers")
        #expect(row[3] == "74.3 ms")
        #expect(row[4] == "74.5 ms65.6–85.1 ms2 outliers")
        #expect(row[5] == "32.4 MB32.4–32.4 MB")
        #expect(row[6] == "167 kB")
    }

    @Test func marksTheRunsThatAreOutliers() throws {
        var task = SampleReport.task("capture")
        task.candidates[0] = Candidate("wayreel", wall: [100, 101, 99, 100, 500, 102])
        let runs = try #require(try section(try page([task]), "capture").all("details").first)
        #expect(runs.all("mark").map(\.text) == ["500 ms"])
        #expect(runs.rows.map(\.[1]) == ["wayreel", "100 ms", "101 ms", "99.0 ms", "100 ms", "500 ms", "102 ms"])
    }

    @Test func comparesInTheComparisonsWords() throws {
        let section = try section(try page([SampleReport.task("capture")]), "capture")
        let table = try #require(section.all("table").first { $0.rows[0].count == 4 })
        #expect(table.rows[0] == ["wayreel", "Wall time", "CPU time", "Peak memory"])
        #expect(table.rows[1][0] == "÷\u{A0}vipsthumbnail")
        // The ratios of the rounds are 0.476, 0.508, 0.511, 0.526, 0.545 and 0.610; 95 % of the medians of all 6⁶
        // samples of six of them are from 0.492 to 0.578.
        #expect(table.rows[1][1] == "0.52 × (0.49–0.58), better")
        #expect(table.rows[1][3] == "1.00 × (1.00–1.00), no difference found")
    }

    /// A round in which one figure is missing does not change the comparison of the others.
    @Test func comparesTheSameRounds() throws {
        var task = SampleReport.task("capture")
        for (index, bytes) in [nil, 20, 30, 40, 50, 60].enumerated() {
            task.candidates[0].runs[index].peakMemoryBytes = bytes
            task.candidates[1].runs[index].peakMemoryBytes = bytes.map { $0 * 2 } ?? 1
        }
        let section = try section(try page([task]), "capture")
        let table = try #require(section.all("table").first { $0.rows[0].count == 4 })
        #expect(table.rows[1][3] == "0.50 × (0.50–0.50 at 94 %), better")
    }

    @Test func oneRunHasNoInterval() throws {
        var task = SampleReport.task("capture")
        task.candidates = [Candidate("wayreel", wall: [96.2]), Candidate("vipsthumbnail", wall: [192.4])]
        let page = try page([task])
        #expect(try section(page, "Overview").rows[1][1...3] == ["1", "96.2 ms", "96.2 ms"])
        #expect(try section(page, "capture").text.contains("0.50 ×, too few runs"))
    }

    @Test func noRunsAreNoFigures() throws {
        var task = SampleReport.task("capture")
        task.candidates = [Candidate("wayreel", wall: []), Candidate("vipsthumbnail", wall: [])]
        let page = try page([task, SampleReport.Task(suite: "nobody", candidates: [])])
        #expect(try section(page, "Overview").rows.dropFirst().map(\.[1]) == ["no runs", "not measured"])
    }

    // MARK: Missing values

    @Test func namesFailures() throws {
        var task = SampleReport.task("capture")
        task.candidates[1] = Candidate("vipsthumbnail", wall: [1, 2, 3], failure: "exited with status 1: no room")
        task.absent = ["gm: gm is not installed"]
        var other = SampleReport.task("poster")
        other.candidates[0] = Candidate("wayreel", wall: [], failure: "exceeded the timeout and was ended")
        let page = try page([task, other])
        #expect(try section(page, "Overview").rows[2][1] == "failed exceeded the timeout and was ended")
        #expect(try section(page, "Overview").text.contains("Not compared: 1 that failed"))
        let capture = try section(page, "capture")
        #expect(capture.rows[2] == ["vipsthumbnail", "failed exited with status 1: no room"])
        #expect(capture.text.contains("gm: gm is not installed"))
        #expect(capture.text.contains("not compared: vipsthumbnail failed"))
        #expect(try section(page, "poster").text.contains("not compared: wayreel failed"))
        #expect(!capture.text.contains(", better") && !capture.text.contains("2.00 ms"))
    }

    @Test func reportsUnavailableFiguresOnce() throws {
        var tasks = ["capture", "poster"].map(SampleReport.task)
        let lack = SampleReport.Lack(figure: "energyJoules", reason: "no such file")
        for task in tasks.indices {
            for index in tasks[task].candidates.indices { tasks[task].candidates[index].unavailable = [lack] }
        }
        tasks[1].candidates[0].unavailable.append(SampleReport.Lack(figure: "samples", reason: "too short"))
        let rows = try section(try page(tasks), "Not measured").rows
        #expect(
            rows.dropFirst() == [["energy", "no such file", "all"], ["samples over time", "too short", "poster"]])
    }

    // MARK: Steps

    @Test func listsStepsWithTheirShares() throws {
        var task = SampleReport.task("capture")
        task.steps = SampleReport.Steps([("decode", 0.6), ("encode", 0.2), ("filter", 0), (StepCosts.rest, 0.2)])
        task.steps?.steps[2].wallMilliseconds = 0.001
        let table = try #require(
            try section(try page([task]), "capture").all("table").first { $0.rows[0][0] == "Step" })
        #expect(
            table.rows.dropFirst() == [
                ["decode", "60.0", "60.0 %", "100"], ["encode", "20.0", "20.0 %", "100"],
                [StepCosts.rest, "20.0", "20.0 %", "–"], ["whole process", "90.0", "", "100"],
            ])
        #expect(
            try section(try page([task]), "capture").all("figcaption").contains { $0.text == "CPU use over time" }
        )
        // Each has the colour of its layer.
        #expect(table.all("span").compactMap { $0.attributes["class"] } == (0..<3).map { "key layer-\($0)" })
    }

    // MARK: Earlier reports

    @Test func showsWhatHasChanged() throws {
        var faster = SampleReport.task("capture")
        faster.candidates[0] = Candidate("wayreel", wall: SampleReport.ours.map { $0 / 2 })
        let now = try SampleReport(["capture", "<poster>"].map(SampleReport.task)).report
        let changes = Regressions(now, against: try SampleReport([faster]).report, tolerance: 0).rows
        let page = try PageElement.page(HTMLReport.page(now, comparison: changes))
        let rows = try section(page, "Changes").rows
        #expect(rows[1][0] == "capture" && rows[1][1] == "2.00 × (2.00–2.00), worse")
        #expect(rows[2] == ["<poster>", "not in the baseline"])
    }

    @Test(arguments: [0, 1, 6])
    func showsHowACostGrows(sizes: Int) throws {
        let series = try ScaleSeries.named("capture")
        let report = try SampleReport(
            (0..<sizes).map { index in
                SampleReport.Task(
                    suite: "size",
                    candidates: [Candidate("wayreel", wall: [100, 101, 102].map { $0 * Double(index + 1) })])
            }
        ).report
        let page = try PageElement.page(HTMLReport.page(ScaleResult(series, report), of: report))
        let rows = try section(page, "How it grows: \(series.about)").all("table")[0].rows
        #expect(rows.count == sizes + 2)
        #expect(page.all("figure").count == (sizes > 1 ? 1 : 0))
    }

    // MARK: Untrusted texts

    @Test(arguments: [
        "<script>alert(1)</script>", "\"& onload=\"x", "'><b>", "]]>", "a\u{0}b\u{1B}[31m\n\u{FFFE}", "&amp;",
        "</style>",
    ])
    func escapes(text: String) throws {
        let page = try PageElement.page(HTMLReport.page(filled(with: text).report))
        let plain = try PageElement.page(HTMLReport.page(filled(with: "plain").report))
        // The elements are the same for any text, except for the number of paths in a chart, which depends on the text.
        let names = { (page: PageElement) in page.all.map(\.name).filter { $0 != "path" } }
        #expect(names(page) == names(plain))
        let shown = text.onOneLine.replacing("\u{FFFE}", with: "\u{FFFD}")
        #expect(try section(page, shown).rows.contains { $0[0] == shown && $0[1] == "failed \(shown)" })
        // Shell quoting changes some commands.
        #expect(page.text.ranges(of: shown).count >= 10)
    }

    /// Returns a report with `text` in every place that may contain external text.
    private func filled(with text: String) -> SampleReport {
        var sample = SampleReport([SampleReport.task(text)])
        (sample.wayreel, sample.date, sample.machine.processor) = (text, text, text)
        sample.machine.libraries = [text: text]
        (sample.results[0].about, sample.results[0].input.name, sample.results[0].absent) = (text, text, [text])
        sample.results[0].candidates[0].name = text
        sample.results[0].candidates[0].command = [text, text]
        sample.results[0].candidates[0].samples = SampleReport.samples(4)
        sample.results[0].candidates[0].unavailable = [SampleReport.Lack(figure: "energyJoules", reason: text)]
        sample.results[0].candidates[1] = Candidate(text, wall: [], failure: text)
        sample.results[0].steps = SampleReport.Steps([(text, 1), ("other", 1)])
        return sample
    }
}
