/// Chooses how each of many items is encoded, so that all fit into a size and little is lost.
///
/// Each item has points of size and loss. Only those on the lower convex hull are worth choosing where many items share
/// a size; its edges, taken from the least loss per byte on, are the best choice for each size that they end at.
package enum BudgetChoice {
    package struct Point: Hashable, Sendable {
        package var bytes: Int
        package var loss: Double

        package init(bytes: Int, loss: Double) {
            self.bytes = bytes
            self.loss = loss
        }
    }

    package struct Item: Sendable {
        /// The first is that without a loss, each further one is smaller.
        package var points: [Point]

        package init(_ points: [Point]) { self.points = points }
    }

    /// A step down the hull of an item.
    private struct Edge {
        var item: Int
        var from: Int
        var to: Int
        /// Loss per byte.
        var slope: Double
    }

    /// The index of the chosen point of each item, which has at least one; nil where even the smallest do not fit.
    package static func choose(_ items: [Item], within limit: Int) -> [Int]? {
        var chosen = items.map { _ in 0 }
        var total = items.reduce(0) { $0 + $1.points[0].bytes }
        let edges = items.enumerated().flatMap { Self.edges(of: $1, $0) }.enumerated().sorted { one, other in
            (one.element.slope, one.offset) < (other.element.slope, other.offset)
        }.map(\.element)
        var taken: [Edge] = []
        for edge in edges where total > limit {
            let points = items[edge.item].points
            total -= points[edge.from].bytes - points[edge.to].bytes
            chosen[edge.item] = edge.to
            taken.append(edge)
        }
        guard total <= limit else { return nil }
        // The last edge may have saved more than was needed: what fits into the rest is taken back, the dearest first.
        for edge in taken.reversed() where chosen[edge.item] == edge.to {
            let points = items[edge.item].points
            let current = points[edge.to]
            let fitting = (edge.from..<edge.to).filter {
                points[$0].loss < current.loss && points[$0].bytes - current.bytes <= limit - total
            }
            guard let best = fitting.min(by: { points[$0].loss < points[$1].loss }) else { continue }
            total += points[best].bytes - current.bytes
            chosen[edge.item] = best
        }
        return chosen
    }

    /// The size of all items at their smallest.
    package static func smallest(_ items: [Item]) -> Int {
        items.reduce(0) { $0 + ($1.points.map(\.bytes).min() ?? 0) }
    }

    /// The lower convex hull, from the first point to the smallest.
    private static func edges(of item: Item, _ index: Int) -> [Edge] {
        let points = item.points
        var edges: [Edge] = []
        var from = 0
        while true {
            var best: Edge?
            for to in points.indices.dropFirst(from + 1) where points[to].bytes < points[from].bytes {
                let saved = Double(points[from].bytes - points[to].bytes)
                let slope = (points[to].loss - points[from].loss) / saved
                if slope <= best?.slope ?? .infinity { best = Edge(item: index, from: from, to: to, slope: slope) }
            }
            guard let best else { return edges }
            edges.append(best)
            from = best.to
        }
    }
}
