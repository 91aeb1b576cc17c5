import Testing
import WayreelBench
import WayreelCore

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
        return try PageElement.page(page.page)
    }

    @Test func listsTheTasks() throws {
        let page = try page(rows: 3)
        #expect(page.all("h1").map(\.text) == ["plain"])
        let tables = page.all("table")
        // Sums by kind, and the largest memory, with bars of the values that are not 0.
        let heads = ["Kind", "Tasks", "Processor time", "Peak memory of the largest process", "Bytes made"]
        #expect(tables[0].rows == [heads, ["plain", "3", "1.50 s100 %", "5.00 MB100 %", "3.00 kB100 %"]])
        let rows = tables[1].rows
        #expect(rows[0] == ["Task", "Status", "Wall", "CPU", "Peak memory", "In", "Out"])
        #expect(rows[1] == ["plain 0plain", "failed: plain", "–", "–", "–", "2.00 kB", "0 B"])
        #expect(rows[2] == ["plain 1plain", "made", "1.00 s", "500 ms", "5.00 MB", "2.00 kB", "1.00 kB"])
        #expect(rows.count == 4)
    }

    @Test func needsNothingElse() throws {
        let page = try page()
        let names = Set(page.all.map(\.name))
        #expect(names.isDisjoint(with: ["script", "link", "img", "iframe", "object", "image", "use", "a"]))
        for element in page.all {
            #expect(Set(element.attributes.keys).isDisjoint(with: ["src", "srcset", "onload", "style", "data"]))
        }
        #expect(page.all("style").count == 1)
        let style = try #require(page.all("style").first).text
        #expect(!style.contains("url(") && !style.contains("@import"))
        #expect(style.contains("prefers-color-scheme:dark"))
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"& onload=\"x", "'><b>", "]]>", "a\u{0}b\u{1B}[31m\n\u{FFFE}", "&amp;",
        "</style>",
    ])
    func escapes(text: String) throws {
        // The elements are the same for any text.
        let names = { (page: PageElement) in page.all.map(\.name) }
        let page = try page(text)
        #expect(try names(page) == names(self.page()))
        let shown = text.onOneLine.replacing("\u{FFFE}", with: "\u{FFFD}")
        #expect(try #require(page.all("table").last).rows[1].prefix(2) == ["\(shown) 0\(shown)", "failed: \(shown)"])
        #expect(page.text.ranges(of: shown).count >= 8)
    }
}
