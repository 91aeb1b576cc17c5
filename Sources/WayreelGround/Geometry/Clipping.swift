/// Clips rings and lines to the part between two limits along an axis. A ring's last point is not its first one again.
enum Clipping {
    /// Returns the ring's part (Sutherland and Hodgman 1974): one ring, which runs along the limits where parts of it
    /// are connected outside; empty if nothing is left.
    static func ring(_ ring: [GridPoint], _ axis: GridPoint.Axis, from low: Int32, to high: Int32) -> [GridPoint] {
        let (isBelow, isAbove) = (ring.contains { $0[axis] < low }, ring.contains { $0[axis] > high })
        guard isBelow || isAbove else { return ring }
        var part = ring
        if isBelow { part = half(part, axis, at: low) { $0 >= low } }
        if isAbove { part = half(part, axis, at: high) { $0 <= high } }
        return part
    }

    private static func half(
        _ ring: [GridPoint], _ axis: GridPoint.Axis, at limit: Int32, _ isInside: (Int32) -> Bool
    ) -> [GridPoint] {
        guard var previous = ring.last else { return [] }
        var part: [GridPoint] = []
        part.reserveCapacity(ring.count)
        for next in ring {
            if isInside(previous[axis]) != isInside(next[axis]) {
                part.append(crossing(previous, next, axis, at: limit))
            }
            if isInside(next[axis]) { part.append(next) }
            previous = next
        }
        return part
    }

    /// Returns the parts of a line.
    static func line(
        _ line: [GridPoint], _ axis: GridPoint.Axis, from low: Int32, to high: Int32
    ) -> [[GridPoint]] {
        let isWithin = { (point: GridPoint) in low <= point[axis] && point[axis] <= high }
        if line.allSatisfy(isWithin) { return [line] }
        var parts: [[GridPoint]] = []
        var part: [GridPoint] = []
        func end() {
            if part.count > 1 { parts.append(part) }
            part = []
        }
        for (first, second) in zip(line, line.dropFirst()) {
            let (start, stop) = (first[axis], second[axis])
            if max(start, stop) < low || min(start, stop) > high {
                end()
                continue
            }
            if part.isEmpty {
                part.append(isWithin(first) ? first : crossing(first, second, axis, at: start < low ? low : high))
            }
            let last = isWithin(second) ? second : crossing(first, second, axis, at: stop < low ? low : high)
            if last != part.last { part.append(last) }
            if !isWithin(second) { end() }
        }
        end()
        return parts
    }

    static func ring(_ ring: [GridPoint], to box: GridBox) -> [GridPoint] {
        self.ring(self.ring(ring, .x, from: box.minX, to: box.maxX), .y, from: box.minY, to: box.maxY)
    }

    static func line(_ line: [GridPoint], to box: GridBox) -> [[GridPoint]] {
        self.line(line, .x, from: box.minX, to: box.maxX).flatMap {
            self.line($0, .y, from: box.minY, to: box.maxY)
        }
    }

    /// Returns where a side crosses a limit, which is the same in both directions.
    private static func crossing(_ a: GridPoint, _ b: GridPoint, _ axis: GridPoint.Axis, at limit: Int32) -> GridPoint {
        let (first, second) = (a.x, a.y) < (b.x, b.y) ? (a, b) : (b, a)
        let share = (Double(limit) - Double(first[axis])) / (Double(second[axis]) - Double(first[axis]))
        func between(_ low: Int32, _ high: Int32) -> Int32 {
            Int32((Double(low) + (Double(high) - Double(low)) * share).rounded())
        }
        return switch axis {
        case .x: GridPoint(x: limit, y: between(first.y, second.y))
        case .y: GridPoint(x: between(first.x, second.x), y: limit)
        }
    }
}
