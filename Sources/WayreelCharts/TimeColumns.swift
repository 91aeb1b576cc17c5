internal import WayreelDrawing

/// Values over time, averaged per pixel column if there are more of them.
struct TimeColumns {
    private let positions: [Double]
    private let isStepped: Bool
    private let plot: Rectangle

    init(times: [Double], isStepped: Bool, in plot: Rectangle, x: (Double) -> Double) {
        (positions, self.isStepped, self.plot) = (times.map(x), isStepped, plot)
    }

    /// From left to right; a single time is drawn as a bar.
    func outline(_ values: [Double]) -> [(x: Double, value: Double)] {
        if positions.count == 1, let value = values.first {
            let half = min(6, plot.width / 2)
            let x = min(max(positions[0], plot.x + half), plot.maxX - half)
            return [(x: x - half, value: value), (x: x + half, value: value)]
        }
        guard Double(values.count) > plot.width else { return isStepped ? steps(positions, values) : points(values) }
        return averages(values)
    }

    private func points(_ values: [Double]) -> [(x: Double, value: Double)] {
        zip(positions, values).map { (x: $0, value: $1) }
    }

    private func steps(_ positions: [Double], _ values: [Double]) -> [(x: Double, value: Double)] {
        values.enumerated().flatMap { index, value in
            [(x: positions[index], value: value), (x: positions[index + 1], value: value)]
        }
    }

    /// One step per pixel column in which a value starts, as high as the time-weighted mean. Sums of layers are
    /// preserved.
    private func averages(_ values: [Double]) -> [(x: Double, value: Double)] {
        var (edges, means): ([Double], [Double]) = ([], [])
        var start = 0
        let spans = positions.count - 1
        while start < spans {
            let column = positions[start].rounded(.down)
            let end = (start..<spans).first { positions[$0].rounded(.down) != column } ?? spans
            let width = positions[end] - positions[start]
            let sum = (start..<end).reduce(0) { $0 + (positions[$1 + 1] - positions[$1]) * mean(of: $1, values) }
            edges.append(positions[start])
            means.append(width > 0 ? sum / width : values[start])
            start = end
        }
        return steps(edges + [positions[spans]], means)
    }

    private func mean(of span: Int, _ values: [Double]) -> Double {
        isStepped ? values[span] : (values[span] + values[span + 1]) / 2
    }
}
