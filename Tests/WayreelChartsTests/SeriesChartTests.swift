import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct SeriesChartTests {
    private typealias Sample = SeriesChart.Sample

    private func chart(_ values: [(Double, Double)]) -> SeriesChart {
        SeriesChart(
            title: "t", measure: .bytes,
            series: [.init(name: "a", samples: values.map { Sample(time: $0, value: $1) })])
    }

    private let blue = "#0b66c3"

    /// Times and values are to scale.
    @Test func linesAreToScale() throws {
        let samples = [(0.0, 0.0), (1, 40e6), (2.5, 10e6), (7, 100e6), (10, 55e6)]
        let line = try #require(try chart(samples).svg()?.stroked(blue).first).parts[0]
        #expect(line.count == samples.count)
        let (width, height) = (line[4].x - line[0].x, (line[0].y - line[3].y) / 100e6)
        for (point, sample) in zip(line, samples) {
            #expect(abs(point.x - line[0].x - sample.0 / 10 * width) < 0.02)
            #expect(abs(line[0].y - point.y - sample.1 * height) < 0.02)
        }
    }

    /// The grid has lines at 0, 20, … 100 MB and every 2 s.
    @Test func gridIsToScale() throws {
        let file = try #require(try chart([(0, 0), (10, 100e6)]).svg())
        let line = file.stroked(blue)[0].parts[0]
        let grid = file.filled("#e6eaef")[0].parts
        let rows = grid.filter { abs($0[0].y - $0[2].y) < 1.5 }.map { $0[0].y }.sorted(by: >)
        let columns = grid.filter { abs($0[0].x - $0[1].x) < 1.5 }.map { $0[0].x }.sorted()
        for (index, y) in rows.enumerated() {
            let share = Double(index) / Double(rows.count - 1)
            #expect(abs(y - (line[0].y + (line[1].y - line[0].y) * share)) <= 1)
        }
        for (index, x) in columns.enumerated() {
            let share = Double(index) / Double(columns.count - 1)
            #expect(abs(x - (line[0].x + (line[1].x - line[0].x) * share)) <= 1)
        }
        #expect(rows.count == 6 && columns.count == 6)
    }

    @Test func missingValuesAreGaps() throws {
        let values = [(0.0, 1.0), (1, 2), (2, .nan), (3, 4), (4, -.infinity), (5, 1), (6, 2), (7, 3)]
        let file = try #require(try chart(values).svg())
        #expect(file.stroked(blue)[0].parts.map(\.count) == [2, 3])
        // A sample between two gaps is a dot.
        #expect(file.filled(blue).count == 1)
    }

    /// The extremes are drawn for any number of samples.
    @Test func peaksAreKept() throws {
        var values = (0..<200_000).map { (Double($0), 50e6) }
        values[77_777].1 = 100e6
        values[123_456].1 = 0
        let line = try #require(try chart(values).svg()?.stroked(blue).first)
        #expect(line.parts[0].count < 3000)
        let (top, bottom) = (line.minY, line.maxY)
        let usual = line.parts[0][0].y
        #expect(abs((bottom - usual) - (usual - top)) < 0.05)
        let peak = try #require(line.parts[0].first { $0.y == top })
        #expect(abs((peak.x - line.minX) / (line.maxX - line.minX) - 77_777 / 199_999) < 0.002)
    }

    @Test func negativeValuesLieBelowTheBaseline() throws {
        let file = try #require(try chart([(0, -50e6), (1, 100e6)]).svg())
        let baseline = try #require(file.filled("#83909f").first).minY
        let line = file.stroked(blue)[0].parts[0]
        #expect(abs((baseline - line[1].y) / (line[0].y - baseline) - 2) < 0.05)
    }

    /// Lines of different series differ in more than their colour: their dashes are of different lengths.
    @Test func linesDifferWithoutColours() throws {
        let file = try #require(try ChartSamples.series(4).svg())
        let counts = ["#0b66c3", "#c8500a", "#0b7a6b", "#a3278f"].map { color in
            file.stroked(color).max { $0.maxX - $0.minX < $1.maxX - $1.minX }?.parts.count ?? 0
        }
        #expect(counts[0] == 1)
        #expect(Set(counts).count == 4)
    }

    @Test func describesItself() {
        let chart = SeriesChart(
            measure: .bytes,
            series: [.init(name: "a", samples: [Sample(time: 2, value: 5e6)]), .init(name: "b", samples: [])])
        #expect(chart.summary == "a: up to 5.00 MB over 2.00 s; b: no samples")
    }

    @Test(arguments: [
        [(1.0, 1.0), (0.5, 1)], [(-1, 1)], [(.nan, 1)], [(.infinity, 1)], [(0, 1e19)], [(1e19, 0)],
    ])
    func rejects(values: [(Double, Double)]) {
        #expect { try chart(values).bytes() } throws: { ($0 as? MediaError)?.kind == .parameter }
    }
}
