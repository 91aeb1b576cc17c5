/// The walk through a chapter's events.
public struct ChapterWalk: Hashable, Sendable {
    /// The events' ids in the order of the walk.
    public let events: [String]
    /// The length of the straight lines from event to event, beginning at the chapter's location if it has one.
    public let metres: Double

    /// Creates the walk of a chapter. A sequence is walked in its order. Free events are walked in a short order: the
    /// nearest next event, improved by reversing stretches while that shortens the walk (2-opt). Returns nil if a
    /// free chapter has more than 500 events.
    public init?(through chapter: Chapter) {
        guard chapter.order == .sequence || chapter.events.count <= 500 else { return nil }
        var order = Array(chapter.events.indices)
        let points = chapter.events.map(\.position)
        if chapter.order == .free {
            order = Self.nearestNext(points, from: chapter.location)
            Self.shorten(&order, points, from: chapter.location)
        }
        events = order.map { chapter.events[$0].id }
        let path = [chapter.location].compactMap(\.self) + order.map { points[$0] }
        metres = zip(path, path.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    private static func nearestNext(_ points: [GeoPoint], from start: GeoPoint?) -> [Int] {
        var rest = Set(points.indices)
        var order: [Int] = []
        var here = start
        while !rest.isEmpty {
            let next = rest.min { a, b in
                guard let here else { return a < b }
                return (here.distance(to: points[a]), a) < (here.distance(to: points[b]), b)
            }
            guard let next else { break }
            rest.remove(next)
            order.append(next)
            here = points[next]
        }
        return order
    }

    private static func shorten(_ order: inout [Int], _ points: [GeoPoint], from start: GeoPoint?) {
        let count = points.count
        // The distances are precomputed because each is needed many times. The last row is for the start.
        var distances: [Double] = []
        for from in points.map(Optional.some) + [start] {
            distances += points.map { point in from.map { $0.distance(to: point) } ?? 0 }
        }
        func length(_ a: Int?, _ b: Int?) -> Double { b.map { distances[(a ?? count) * count + $0] } ?? 0 }
        var isShorter = true
        // The number of passes is limited, because each takes time quadratic in the number of events.
        for _ in 0..<50 where isShorter {
            isShorter = false
            for i in order.indices {
                for j in order.indices where j > i {
                    let before = i > 0 ? order[i - 1] : nil
                    let after = j + 1 < order.count ? order[j + 1] : nil
                    let gain =
                        length(before, order[i]) + length(order[j], after) - length(before, order[j])
                        - length(order[i], after)
                    guard gain > 1e-6 else { continue }
                    order[i...j].reverse()
                    isShorter = true
                }
            }
        }
    }
}
