/// The position in a band with the most room for a label.
package struct LabelPosition {
    /// Centre of the label.
    package let x: Double
    package let y: Double

    /// Searches between two edges from left to right for a label of `width` × `height` pixels; nil if there is no room.
    package init?(
        between upper: [(x: Double, y: Double)], and lower: [(x: Double, y: Double)], width: Double, height: Double
    ) {
        guard let left = upper.first?.x, let right = upper.last?.x, right - left >= width else { return nil }
        let step = 2.0
        let count = Int((right - left) / step) + 1
        let (tops, bottoms) = (Self.heights(upper, step, count), Self.heights(lower, step, count))
        let window = Int((width / step).rounded(.up)) + 1
        guard count >= window else { return nil }
        // The first position with the most room, and the extent of similar ones, to a pixel.
        var best: (starts: ClosedRange<Int>, room: Double, top: Double, bottom: Double)?
        for start in 0...count - window {
            let range = start..<start + window
            let (top, bottom) = (tops[range].max() ?? 0, bottoms[range].min() ?? 0)
            let difference = bottom - top - (best?.room ?? 0)
            let merged =
                best.map { (top: max($0.top, top), bottom: min($0.bottom, bottom)) } ?? (top: top, bottom: bottom)
            if let candidate = best, candidate.starts.upperBound == start - 1, difference <= 1,
                merged.bottom - merged.top >= candidate.room - 1
            {
                best = (candidate.starts.lowerBound...start, candidate.room, merged.top, merged.bottom)
            } else if difference > 0 {
                best = (start...start, bottom - top, top, bottom)
            }
        }
        guard let best, best.bottom - best.top >= height else { return nil }
        x = left + (Double(best.starts.lowerBound + best.starts.upperBound) / 2 + Double(window - 1) / 2) * step
        y = (best.top + best.bottom) / 2
    }

    /// Height of an edge every `step` pixels.
    private static func heights(_ edge: [(x: Double, y: Double)], _ step: Double, _ count: Int) -> [Double] {
        var next = 0
        return (0..<count).map { index in
            let x = edge[0].x + Double(index) * step
            while next < edge.count - 1, edge[next].x < x { next += 1 }
            guard next > 0, edge[next].x > edge[next - 1].x, x < edge[next].x else { return edge[next].y }
            let (a, b) = (edge[next - 1], edge[next])
            return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
        }
    }
}
