/// Simplifies lines with more points than pixel columns.
enum PixelColumns {
    /// A visually equal line: the first, lowest, highest and last point of each pixel column, in order.
    static func thinned(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        guard let first = points.first, let last = points.last, Double(points.count) > last.x - first.x else {
            return points
        }
        var result: [(x: Double, y: Double)] = []
        var start = 0
        while start < points.count {
            let column = points[start].x.rounded(.down)
            let end = points[start...].firstIndex { $0.x.rounded(.down) != column } ?? points.count
            let part = start..<end
            let lowest = part.max { points[$0].y < points[$1].y } ?? start
            let highest = part.min { points[$0].y < points[$1].y } ?? start
            var kept = -1
            for index in [start, min(lowest, highest), max(lowest, highest), end - 1] where index > kept {
                result.append(points[index])
                kept = index
            }
            start = end
        }
        return result
    }
}
