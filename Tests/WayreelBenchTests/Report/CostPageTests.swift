import Testing
import WayreelBench
import WayreelCore
import WayreelDrawing

@Suite struct CostPageTests {
    private func page(_ text: String = "plain", rows: Int = 2) throws -> PageElement {
        let rows = (0..<rows).map { (index: Int) -> CostPage.Row in
            let isFailed = index == 0
            let status = isFailed ? "failed: " + text : "made"
            let memory: Int? = isFailed ? nil : 5_000_000
            return CostPage.Row(
                kind: text, name: "\(text) \(index)", status: status, isFailed: isFailed, wallSeconds: Double(index),
                cpuSeconds: Double(index) / 2, peakMemoryBytes: memory, bytesIn: 2000, bytesOut: 1000 * index)
        }
        let page = CostPage(title: text, lead: text, facts: [(text, text)], rows: rows, notes: [text])
        return try PageElement.page(page.page())
    }

    @Test func listsTheTasks() throws {
        let page = try page(rows: 3)
        #expect(page.all("h1").map(\.text) == ["plain"])
        let rows = try #require(page.all("table").first).rows
        #expect(rows[0] == ["Task", "Status", "Wall", "CPU", "Peak memory", "In", "Out"])
        #expect(rows[1] == ["plain 0plain", "failed: plain", "–", "–", "–", "2.00 kB", "0 B"])
        #expect(rows[2] == ["plain 1plain", "made", "1.00 s", "500 ms", "5.00 MB", "2.00 kB", "1.00 kB"])
        #expect(rows.count == 4)
        // Sums by kind, and the largest memory.
        let labels = page.all("div").compactMap { $0.attributes["role"] == "img" ? $0.attributes["aria-label"] : nil }
        #expect(
            labels == [
                "Processor time: plain 1.50 s", "Peak memory of the largest process: plain 5.00 MB",
                "Bytes made: plain 3.00 kB",
            ])
    }

    @Test func needsNothingElse() throws {
        let page = try page()
        let names = Set(page.all.map(\.name))
        #expect(names.isDisjoint(with: ["script", "link", "img", "iframe", "object", "image", "use", "a"]))
        for element in page.all {
            #expect(Set(element.attributes.keys).isDisjoint(with: ["src", "srcset", "onload", "style", "data"]))
        }
        // Once for all charts.
        #expect(page.all("style").count == 1)
        let style = try #require(page.all("style").first).text
        #expect(!style.contains("url(") && !style.contains("@import"))
        #expect(style.contains(ChartTheme.darkStyleSheet))
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"& onload=\"x", "'><b>", "]]>", "a\u{0}b\u{1B}[31m\n\u{FFFE}", "&amp;",
        "</style>",
    ])
    func escapes(text: String) throws {
        // The elements are the same for any text, except for the number of paths in a chart, which depends on the text.
        let names = { (page: PageElement) in page.all.map(\.name).filter { $0 != "path" } }
        let page = try page(text)
        #expect(try names(page) == names(self.page()))
        let shown = text.onOneLine.replacing("\u{FFFE}", with: "\u{FFFD}")
        #expect(try #require(page.all("table").first).rows[1].prefix(2) == ["\(shown) 0\(shown)", "failed: \(shown)"])
        #expect(page.text.ranges(of: shown).count >= 8)
    }
}
