import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct StackedChartTests {
    private let colors = ["#4583c8", "#f6c177", "#2b9488", "#f2b5d4"]

    private func chart(_ times: [Double], _ layers: [[Double]]) -> StackedChart {
        StackedChart(
            title: "t", measure: .share, times: times,
            layers: layers.enumerated().map { .init(name: "layer \($0)", values: $1) })
    }

    /// Returns the layers' outlines, from the lowest; the legend has squares of the same colours.
    private func layers(_ file: SVGFile, _ count: Int) -> [SVGFile.Path] {
        colors.prefix(count).compactMap { color in
            file.filled(color).max { $0.maxX - $0.minX < $1.maxX - $1.minX }
        }
    }

    /// The thickness of every layer is its value, layers are stacked without gaps, and the stack reaches the total.
    @Test func columnsAddUp() throws {
        let times = [0.0, 1, 3, 4, 8]
        let values = [[0.5, 0.25, 1, 0], [1, 0, 0.5, 0.75], [0.25, 2, 0.5, 0.25]]
        let file = try #require(try chart(times, values).svg())
        let layers = layers(file, 3)
        #expect(layers.count == 3)
        let bottom = layers[0].maxY
        let left = layers[0].minX, right = layers[0].maxX
        // The largest sum is the highest point.
        let scale = (bottom - layers[2].minY) / 2.25
        for (index, layer) in layers.enumerated() {
            let points = layer.parts[0].dropLast()
            for column in 0..<4 {
                let (start, end) = (times[column] / 8, times[column + 1] / 8)
                let middle = left + (start + end) / 2 * (right - left)
                let heights = crossings(of: Array(points), at: middle)
                let below = values[..<index].reduce(0) { $0 + $1[column] }
                #expect(abs(bottom - heights.lower - below * scale) < 0.03)
                #expect(abs(bottom - heights.upper - (below + values[index][column]) * scale) < 0.03)
            }
        }
    }

    @Test func areasAddUp() throws {
        let times = [0.0, 2, 5]
        let values = [[1.0, 0.5, 0], [0.5, 1, 1.5]]
        let file = try #require(try chart(times, values).svg())
        let layers = layers(file, 2)
        let (left, right, bottom) = (layers[0].minX, layers[0].maxX, layers[0].maxY)
        // The sum is 1.5 everywhere.
        let scale = (bottom - layers[1].minY) / 1.5
        for (time, expected) in [(1.0, 0.75), (3.5, 0.25)] {
            let x = left + time / 5 * (right - left)
            let lower = crossings(of: layers[0].parts[0], at: x), upper = crossings(of: layers[1].parts[0], at: x)
            #expect(abs(bottom - lower.upper - expected * scale) < 0.05)
            #expect(abs(upper.lower - lower.upper) < 0.05)
            #expect(abs(upper.upper - layers[1].minY) < 0.05)
        }
    }

    /// Returns the highest and the lowest point of an outline at `x`.
    private func crossings(of outline: [(x: Double, y: Double)], at x: Double) -> (upper: Double, lower: Double) {
        let heights = zip(outline, outline.dropFirst() + [outline[0]]).compactMap { a, b -> Double? in
            guard min(a.x, b.x) <= x, max(a.x, b.x) >= x, a.x != b.x else { return nil }
            return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
        }
        return (heights.min() ?? .nan, heights.max() ?? .nan)
    }

    /// With more columns than pixels, each pixel shows their mean: the drawn area equals the measured one.
    @Test(arguments: [true, false])
    func thousandsOfColumnsKeepTheirArea(isStepped: Bool) throws {
        let count = 10_000
        var random = SeededRandom(seed: 5)
        let values = (0..<count).map { _ in Double.random(in: 0...1, using: &random) }
        let ceiling = [Double](repeating: 2, count: count)
        let times = (0..<count + (isStepped ? 1 : 0)).map(Double.init)
        let file = try #require(try chart(times, [values, ceiling]).svg())
        let layer = layers(file, 2)[0].parts[0]
        #expect(layer.count < 3000)
        let area = zip(layer, layer.dropFirst() + [layer[0]]).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
        let other = layers(file, 2)[1]
        let otherArea =
            zip(other.parts[0], other.parts[0].dropFirst() + [other.parts[0][0]])
            .reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
        let mean = values.reduce(0, +) / Double(count)
        #expect(abs(area / otherArea - mean / 2) < 0.001)
    }

    /// The legend lists the layers from the top, with their shares of the total.
    @Test func legendHasShares() {
        #expect(chart([0, 1, 4], [[1, 1], [0, 4]]).summary == "layer 1: 75.0 %; layer 0: 25.0 %")
        #expect(chart([0, 2], [[1, 3], [1, 1]]).summary == "layer 1: 33.3 %; layer 0: 66.7 %")
        #expect(chart([0, 1], [[0], [0]]).summary == "layer 1: ; layer 0: ")
    }

    /// The squares of the legend are in the order of the layers.
    @Test func legendIsInTheOrderOfTheStack() throws {
        let file = try #require(try ChartSamples.stacked(4).svg())
        let keys = colors.map { color in file.filled(color).min { $0.maxX - $0.minX < $1.maxX - $1.minX }! }
        for (lower, upper) in zip(keys, keys.dropFirst()) { #expect(upper.maxY < lower.minY) }
    }

    /// Neighbouring layers differ in grey, even when the colours repeat, and their names are legible on them.
    @Test func layersKeepApartInGrey() {
        func luminance(_ color: RGBColor) -> Double {
            let parts = [color.red, color.green, color.blue].map { power(($0 + 0.055) / 1.055, 2.4) }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        for theme in [ChartTheme.light, .dark] {
            let tones = theme.layers.map(luminance)
            for (a, b) in zip(tones, tones.dropFirst() + [tones[0]]) {
                #expect((max(a, b) + 0.05) / (min(a, b) + 0.05) > 2)
            }
            for tone in tones { #expect((tone + 0.05) / (luminance(theme.layerText) + 0.05) >= 4.5) }
        }
    }

    @Test(arguments: [
        ([0.0, 1], [[1.0], [1, 2]]), ([0, 1], [[]]), ([0], [[1, 2]]), ([0, 1], [[-1]]), ([0, 1], [[.nan]]),
        ([0, 1], [[.infinity]]), ([1, 0], [[1]]), ([0, .nan], [[1]]), ([0, 1], [[1e19]]),
    ])
    func rejects(times: [Double], values: [[Double]]) {
        #expect { try chart(times, values).bytes() } throws: { ($0 as? MediaError)?.kind == .parameter }
    }
}
