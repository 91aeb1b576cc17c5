internal import WayreelDrawing

/// Values over time, averaged where there are more of them than columns of pixels.
struct TimeColumns {
    private let places: [Double]
    private let isStepped: Bool
    private let plot: Rectangle

    init(times: [Double], isStepped: Bool, in plot: Rectangle, x: (Double) -> Double) {
        (places, self.isStepped, self.plot) = (times.map(x), isStepped, plot)
    }

    /// From left to right; a single moment is drawn as a bar.
    func outline(_ values: [Double]) -> [(x: Double, value: Double)] {
        if places.count == 1, let value = values.first {
            let half = min(6, plot.width / 2)
            let x = min(max(places[0], plot.x + half), plot.maxX - half)
            return [(x: x - half, value: value), (x: x + half, value: value)]
        }
        guard Double(values.count) > plot.width else { return isStepped ? steps(places, values) : points(values) }
        return averages(values)
    }

    private func points(_ values: [Double]) -> [(x: Double, value: Double)] {
        zip(places, values).map { (x: $0, value: $1) }
    }

    private func steps(_ places: [Double], _ values: [Double]) -> [(x: Double, value: Double)] {
        values.enumerated().flatMap { index, value in
            [(x: places[index], value: value), (x: places[index + 1], value: value)]
        }
    }

    /// One step for each column of pixels that something begins in, as high as its values are on average over their time.
    /// Sums of layers stay sums.
    private func averages(_ values: [Double]) -> [(x: Double, value: Double)] {
        var (edges, means): ([Double], [Double]) = ([], [])
        var start = 0
        let spans = places.count - 1
        while start < spans {
            let column = places[start].rounded(.down)
            let end = (start..<spans).first { places[$0].rounded(.down) != column } ?? spans
            let width = places[end] - places[start]
            let sum = (start..<end).reduce(0) { $0 + (places[$1 + 1] - places[$1]) * mean(of: $1, values) }
            edges.append(places[start])
            means.append(width > 0 ? sum / width : values[start])
            start = end
        }
        return steps(edges + [places[spans]], means)
    }

    private func mean(of span: Int, _ values: [Double]) -> Double {
        isStepped ? values[span] : (values[span] + values[span + 1]) / 2
    }
}
