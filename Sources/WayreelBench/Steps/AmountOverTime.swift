/// An amount in consecutive time intervals.
package struct AmountOverTime: Equatable {
    /// Ascending bounds of the intervals.
    package let edges: [Double]
    package private(set) var amounts: [Double]

    /// Zero everywhere. `edges`: at least two.
    package init(edges: [Double]) {
        self.edges = edges
        amounts = [Double](repeating: 0, count: edges.count - 1)
    }

    package var sum: Double { amounts.reduce(0, +) }

    /// Adds an amount distributed evenly between two times. Times outside are clamped to the range, so nothing is lost.
    package mutating func add(_ amount: Double, from start: Double, to end: Double) {
        let low = within(start)
        let high = within(end)
        var part = part(at: low)
        guard high > low else { return amounts[part] += amount }
        while part < amounts.count, edges[part] < high {
            let overlap = min(high, edges[part + 1]) - max(low, edges[part])
            amounts[part] += amount * (overlap / (high - low))
            part += 1
        }
    }

    package mutating func add(_ amount: Double, toPart part: Int) { amounts[part] += amount }

    private func within(_ time: Double) -> Double { min(max(time, edges[0]), edges[edges.count - 1]) }

    /// Index of the last interval that starts at or before `time`.
    private func part(at time: Double) -> Int {
        var (low, high) = (0, amounts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if edges[middle] <= time { low = middle } else { high = middle }
        }
        return low
    }
}
