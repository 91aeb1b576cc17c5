import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct BarsChartTests {
    private let blue = "#0b66c3"
    private let grey = "#8a97a5"

    private func chart(_ bars: [BarsChart.Bar], reference: Double? = nil) -> BarsChart {
        BarsChart(title: "t", measure: .ratio, groups: [.init(bars: bars)], reference: reference)
    }

    @Test func barsAreAsLongAsTheirValues() throws {
        let values = [4.0, 1, 0.5, 2.75, 0]
        let bars = values.map { BarsChart.Bar(name: "b", value: $0) }
        let drawn = try #require(try chart(bars).svg()).filled(grey).sorted { $0.minY < $1.minY }
        #expect(drawn.count == values.count)
        let unit = (drawn[0].maxX - drawn[0].minX) / 4
        for (bar, value) in zip(drawn, values) {
            #expect(abs(bar.maxX - bar.minX - value * unit) < 0.02)
            #expect(abs(bar.minX - drawn[0].minX) < 0.011)
        }
        // Bars are one below the other, with equal heights and distances.
        for (a, b) in zip(drawn, drawn.dropFirst()) {
            #expect(a.maxY < b.minY)
            #expect(abs(b.minY - a.minY - (drawn[1].minY - drawn[0].minY)) <= 1)
        }
    }

    @Test func whiskersAndTheReferenceAreToScale() throws {
        let bars = [
            BarsChart.Bar(name: "a", value: 2, interval: 1.5...3),
            BarsChart.Bar(name: "b", value: 4, isHighlighted: true),
        ]
        let file = try #require(try chart(bars, reference: 1).svg())
        let ours = file.filled(blue)[0]
        let unit = (ours.maxX - ours.minX) / 4
        let whisker = try #require(file.stroked("#1b2430").first)
        #expect(abs(whisker.minX - ours.minX - 1.5 * unit) <= 0.51)
        #expect(abs(whisker.maxX - ours.minX - 3 * unit) <= 0.51)
        let theirs = file.filled(grey)[0]
        #expect(abs((whisker.minY + whisker.maxY) / 2 - (theirs.minY + theirs.maxY) / 2) <= 0.51)
        #expect(whisker.minY > theirs.minY && whisker.maxY < theirs.maxY)
        let reference = try #require(file.filled("#1b2430").first { $0.maxX - $0.minX == 1 })
        #expect(abs((reference.minX + reference.maxX) / 2 - ours.minX - unit) <= 0.51)
        #expect(reference.minY < theirs.minY && reference.maxY > ours.maxY)
    }

    @Test func highlightsWayreel() throws {
        let file = try #require(try ChartSamples.bars(3, 4).svg(width: 600, height: 400))
        #expect(file.filled(blue).count == 3)
        #expect(file.filled(grey).count == 9)
    }

    /// An image of the requested height shows all bars; a lower one shows as many as fit.
    @Test(arguments: [(1, 1), (1, 5), (3, 4), (10, 10)])
    func allBarsFitIntoTheirHeight(groups: Int, bars: Int) throws {
        let chart = ChartSamples.bars(groups, bars)
        let height = chart.height(textSize: 12)
        var image = ChartImage(size: PixelSize(width: 600, height: height))
        image.textSize = 12
        let file = try #require(SVGFile(try chart.bytes(image)))
        #expect(file.filled(blue, grey).count == groups * bars)
        image.size = PixelSize(width: 600, height: height / 2)
        #expect(try #require(SVGFile(try chart.bytes(image))).filled(blue, grey).count < max(groups * bars, 2))
    }

    @Test func whatHasNoValueHasNoBar() throws {
        let bars = [BarsChart.Bar(name: "a", value: 1), .init(name: "b", value: nil, note: "failed")]
        #expect(try #require(try chart(bars).svg()).filled(grey).count == 1)
        #expect(chart(bars).summary == "a 1.00×, b failed")
    }

    @Test func describesItself() {
        #expect(
            ChartSamples.bars(2, 2).summary
                == "task 0: peer 0 100 ms, peer 1 200 ms; task 1: peer 0 200 ms, peer 1 400 ms")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e19])
    func rejects(value: Double) {
        let charts = [chart([.init(name: "a", value: value)]), chart([.init(name: "a", value: 1)], reference: value)]
        for chart in charts {
            #expect { try chart.bytes() } throws: { ($0 as? MediaError)?.kind == .parameter }
        }
    }

    @Test func rejectsInfiniteIntervals() {
        for interval in [-1...2, 0...Double.infinity] {
            #expect { try chart([.init(name: "a", value: 1, interval: interval)]).bytes() } throws: {
                ($0 as? MediaError)?.kind == .parameter
            }
        }
    }
}
