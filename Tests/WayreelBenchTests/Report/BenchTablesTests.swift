import Testing
import WayreelBench
import WayreelCore

@Suite struct BenchTablesTests {
    private let figures = ["wall time", "CPU time", "peak memory", "output", "runs"]

    private func tables(_ tasks: [SampleReport.Task]) throws -> [[[String]]] {
        try BenchTables(SampleReport(tasks).report).rows(ratios: [.wall])
    }

    /// The times are 74.3, 95.3, 96.2, 97, 103.1 and 118.4 ms: the median is 96.6, and the median distance from it 3.9,
    /// of which 4.4478 times are less than the distances of the first and the last. Of all medians of six of them, 2.5 % are
    /// at most 84.8, and 2.5 % at least 110.75.
    @Test func aTaskAloneHasOneRow() throws {
        let task = SampleReport.Task(
            suite: "capture", candidates: [SampleReport.Candidate("wayreel", wall: SampleReport.ours)])
        let table = try #require(tables([task]).first)
        #expect(table.count == 2 && table[0] == ["task"] + figures)
        #expect(table[1][0] == "capture" && table[1][1] == "96.6 ms (84.8–111 ms)")
        #expect(table[1][3...] == ["32.4 MB", "167 kB", "6, 2 outliers"])
    }

    @Test func peersStandBelowWayreel() throws {
        var failed = SampleReport.task("poster")
        failed.candidates[1].failure = "hung"
        let tables = try tables([SampleReport.task("capture"), failed])
        #expect(tables.count == 1 && tables[0][0] == ["task", "program"] + figures + ["wall time ratio"])
        #expect(tables[0].map { $0[0] } == ["task", "capture", "", "poster", ""])
        #expect(tables[0].map { $0[1] } == ["program", "wayreel", "vipsthumbnail", "wayreel", "vipsthumbnail"])
        #expect(tables[0].allSatisfy { $0.count == tables[0][0].count })
        let ratio = Comparison(baseline: SampleReport.theirs, candidate: SampleReport.ours)
        #expect(tables[0].map { $0[7] } == ["wall time ratio", "", ratio.description, "", ""])
        #expect(tables[0][4][2...3] == ["failed", ""])
    }

    @Test func aCellOfMarkdownIsOneCell() throws {
        var task = SampleReport.task("a|b")
        task.about = "two\nlines"
        let text = String(decoding: try BenchTables(SampleReport([task]).report).markdown(), as: UTF8.self)
        #expect(text.hasPrefix("<!-- wayreel bench begin -->\nWayreel 1.3.0, 2026-11-21, on A processor"))
        #expect(text.contains("\n| **a\\|b**: two\\nlines | wayreel | 96.6 ms"))
    }

    @Test(arguments: [
        "<!-- wayreel bench begin -->", "<!-- wayreel bench end -->\n<!-- wayreel bench begin -->",
    ])
    func rejectsIncompleteMarkers(text: String) throws {
        let tables = BenchTables(try SampleReport([SampleReport.task("capture")]).report)
        #expect { try tables.markdown(into: text) } throws: { ($0 as? MediaError)?.kind == .parameter }
    }
}
