/// Fewer points for the same look: simplification, and lines joined where they meet.
enum Generalization {
    /// Returns the line without points that are at most `tolerance` from the rest (Douglas and Peucker 1973). Its ends
    /// remain.
    static func line(_ line: [GridPoint], tolerance: Double) -> [GridPoint] {
        guard line.count > 2 else { return line }
        var isKept = [Bool](repeating: false, count: line.count)
        (isKept[0], isKept[line.count - 1]) = (true, true)
        mark(&isKept, line, 0, line.count - 1, tolerance)
        return zip(line, isKept).filter(\.1).map(\.0)
    }

    /// Returns the ring without points that are at most `tolerance` from the rest, which may be empty.
    static func ring(_ ring: [GridPoint], tolerance: Double) -> [GridPoint] {
        guard ring.count > 3, let first = ring.first else { return ring.cleanRing }
        func squaredDistance(_ point: GridPoint) -> Double {
            let (x, y) = (Double(point.x) - Double(first.x), Double(point.y) - Double(first.y))
            return x * x + y * y
        }
        // Two points that are far apart remain, and both lines between them are simplified.
        let far = ring.indices.max { squaredDistance(ring[$0]) < squaredDistance(ring[$1]) } ?? 0
        guard far > 0 else { return [] }
        let closed = ring + [first]
        var isKept = [Bool](repeating: false, count: closed.count)
        (isKept[0], isKept[far]) = (true, true)
        mark(&isKept, closed, 0, far, tolerance)
        mark(&isKept, closed, far, closed.count - 1, tolerance)
        return zip(ring, isKept).filter(\.1).map(\.0).cleanRing
    }

    private static func mark(
        _ isKept: inout [Bool], _ line: [GridPoint], _ first: Int, _ last: Int, _ tolerance: Double
    ) {
        let limit = tolerance * tolerance
        // A stack: lines of many points would overflow that of the thread.
        var parts = [(first, last)]
        while let (first, last) = parts.popLast() {
            guard last - first > 1 else { continue }
            let (start, end) = (line[first], line[last])
            let (x, y) = (Double(end.x) - Double(start.x), Double(end.y) - Double(start.y))
            let length = x * x + y * y
            var farthest = (index: first, distance: -1.0)
            for index in first + 1..<last {
                var (dx, dy) = (Double(line[index].x) - Double(start.x), Double(line[index].y) - Double(start.y))
                if length > 0 {
                    let share = min(max((dx * x + dy * y) / length, 0), 1)
                    (dx, dy) = (dx - share * x, dy - share * y)
                }
                let distance = dx * dx + dy * dy
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.distance > limit else { continue }
            isKept[farthest.index] = true
            parts.append((first, farthest.index))
            parts.append((farthest.index, last))
        }
    }

    /// Joins lines where the end of one is an end of another. Lines that are `directed` are only joined end to start;
    /// others may be turned round. Where several meet, those that continue straightest are joined first.
    ///
    /// Lines of one point are left out.
    static func joined(_ lines: [[GridPoint]], directed: Bool) -> [[GridPoint]] {
        let lines = lines.map(\.withoutRepetitions).filter { $0.count > 1 }
        guard lines.count > 1 else { return lines }
        /// The lines that begin and end at a point.
        var starts: [GridPoint: [Int]] = [:]
        var ends: [GridPoint: [Int]] = [:]
        for (index, line) in lines.enumerated() {
            starts[line[0], default: []].append(index)
            ends[line[line.count - 1], default: []].append(index)
        }
        var isUsed = [Bool](repeating: false, count: lines.count)

        /// Appends unused lines as long as one begins where `whole` ends. If it is reversed, so are those.
        func extend(_ whole: inout [GridPoint], isReversed: Bool) {
            while let end = whole.last {
                let before = whole[whole.count - 2]
                let ahead = directed && isReversed ? [] : (starts[end] ?? []).map { ($0, lines[$0]) }
                let turned =
                    directed && !isReversed ? [] : (ends[end] ?? []).map { ($0, lines[$0].reversed() as [GridPoint]) }
                let best = (ahead + turned).filter { !isUsed[$0.0] }.max {
                    straightness(before, end, $0.1[1]) < straightness(before, end, $1.1[1])
                }
                guard let (index, points) = best else { return }
                isUsed[index] = true
                whole += points.dropFirst()
            }
        }

        var joined: [[GridPoint]] = []
        for (index, line) in lines.enumerated() where !isUsed[index] {
            isUsed[index] = true
            var whole = line
            extend(&whole, isReversed: false)
            whole.reverse()
            extend(&whole, isReversed: true)
            whole.reverse()
            joined.append(whole)
        }
        return joined
    }

    /// The cosine of the turn from one side to the next: 1 if it goes straight on.
    private static func straightness(_ a: GridPoint, _ b: GridPoint, _ c: GridPoint) -> Double {
        let (abX, abY) = (Double(b.x) - Double(a.x), Double(b.y) - Double(a.y))
        let (bcX, bcY) = (Double(c.x) - Double(b.x), Double(c.y) - Double(b.y))
        let lengths = ((abX * abX + abY * abY) * (bcX * bcX + bcY * bcY)).squareRoot()
        return lengths > 0 ? (abX * bcX + abY * bcY) / lengths : -1
    }
}
