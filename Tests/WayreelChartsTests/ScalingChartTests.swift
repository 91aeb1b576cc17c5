import TestSupport
import Testing
import WayreelCore
import WayreelCharts

@Suite struct ScalingChartTests {
    private let blue = "#0b66c3"

    private func chart(_ points: [(Double, Double)], fit: ScalingChart.Fit? = nil) -> ScalingChart {
        ScalingChart(
            size: .count("MP"),
            panels: [
                .init(
                    name: "", measure: .seconds,
                    series: [.init(name: "", points: points.map { .init(size: $0, value: $1) }, fit: fit)])
            ])
    }

    /// Returns the centres of the marks in the plot, left to right.
    private func marks(_ file: SVGFile) -> [(x: Double, y: Double)] {
        file.filled(blue).flatMap(\.parts).map { part in
            let (xs, ys) = (part.map(\.x), part.map(\.y))
            return ((xs.min()! + xs.max()!) / 2, (ys.min()! + ys.max()!) / 2)
        }.sorted { $0.x < $1.x }
    }

    /// Equal factors have equal distances on both axes.
    @Test func axesAreLogarithmic() throws {
        let points = [(1.0, 0.01), (2, 0.1), (4, 10), (8, 0.1), (64, 1)]
        // Drawn after the key of the legend, which is on the left.
        let markers = try #require(try chart(points).svg()).filled(blue).last.map { marks(only($0)) }
        let drawn = try #require(markers)
        #expect(drawn.count == 5)
        let double = drawn[1].x - drawn[0].x, decade = drawn[0].y - drawn[1].y
        for (marker, factor) in zip(drawn, [0.0, 1, 2, 3, 6]) {
            #expect(abs(marker.x - drawn[0].x - factor * double) < 0.05)
        }
        for (marker, factor) in zip(drawn, [0.0, 1, 3, 1, 2]) {
            #expect(abs(drawn[0].y - marker.y - factor * decade) < 0.05)
        }
    }

    private func only(_ path: SVGFile.Path) -> SVGFile {
        var file = SVGFile(Array("<svg>\n</svg>\n".utf8), isInline: true)!
        file.paths = [path]
        return file
    }

    /// Ticks are at 1, 2 and 5 times powers of ten, at the right positions.
    @Test func gridIsLogarithmic() throws {
        let file = try #require(try chart([(1, 1), (100, 100)]).svg(width: 900, height: 600))
        let drawn = marks(only(try #require(file.filled(blue).last)))
        let grid = file.filled("#e6eaef")[0].parts
        let columns = grid.filter { abs($0[0].x - $0[1].x) < 1.5 }.map { $0[0].x }.sorted()
        #expect(columns.count == 7)
        let decade = (drawn[1].x - drawn[0].x) / 2
        // log10 of 1, 2, 5, 10, …
        for (column, exponent) in zip(columns, [0, 0.30103, 0.69897, 1, 1.30103, 1.69897, 2]) {
            #expect(abs(column - drawn[0].x - exponent * decade) <= 1)
        }
    }

    @Test func theFitRunsThroughItsPoints() throws {
        let points = [1.0, 3, 10, 40].map { ($0, 0.2 * power($0, 1.5)) }
        let fit = ScalingChart.Fit(coefficient: 0.2, exponent: 1.5)
        let file = try #require(try chart(points, fit: fit).svg())
        let line = try #require(file.stroked(blue).first).parts[0]
        let drawn = marks(only(try #require(file.filled(blue).last)))
        #expect(abs(line[0].x - drawn[0].x) < 0.05 && abs(line[0].y - drawn[0].y) < 0.05)
        #expect(abs(line[1].x - drawn[3].x) < 0.05 && abs(line[1].y - drawn[3].y) < 0.05)
    }

    @Test func arrangesPanels() throws {
        let chart = ChartSamples.scaling(2, 1)
        for (width, height, isRow) in [(900, 300, true), (300, 900, false)] {
            let dots = try #require(try chart.svg(width: width, height: height)).filled(blue).filter {
                $0.parts.count > 1
            }
            #expect(dots.count == 2)
            #expect(isRow ? dots[0].maxX < dots[1].minX : dots[0].maxY < dots[1].minY)
        }
    }

    @Test func describesItself() {
        #expect(ChartSamples.scaling(1, 1, exponent: 2).summary == "Time: series 0 ∝ n^2.00 (1.95–2.05)")
        #expect(chart([(1, 1)]).summary == ":  1 points")
    }

    @Test(arguments: [
        (0.0, 1.0), (1, 0), (-1, 1), (1, -1), (.nan, 1), (1, .nan), (.infinity, 1), (1, .infinity), (1, 1e-20),
    ])
    func rejects(size: Double, value: Double) {
        #expect { try chart([(size, value)]).bytes() } throws: { ($0 as? MediaError)?.kind == .parameter }
    }

    @Test func rejectsInvalidFits() {
        let fits = [
            ScalingChart.Fit(coefficient: .nan, exponent: 1), .init(coefficient: 1, exponent: .infinity),
            .init(coefficient: -1, exponent: 1),
        ]
        for fit in fits {
            #expect { try chart([(1, 1), (2, 2)], fit: fit).bytes() } throws: {
                ($0 as? MediaError)?.kind == .parameter
            }
        }
    }
}
