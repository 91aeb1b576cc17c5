/// How much there was of something in parts of a time that follow one another.
package struct AmountOverTime: Equatable {
    /// Where the parts begin, and the end of the last; they rise.
    package let edges: [Double]
    package private(set) var amounts: [Double]

    /// Nothing so far. `edges`: two at least.
    package init(edges: [Double]) {
        self.edges = edges
        amounts = [Double](repeating: 0, count: edges.count - 1)
    }

    package var sum: Double { amounts.reduce(0, +) }

    /// Adds what came evenly between two times. All of it counts: what lies outside is taken to the nearest time within.
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

    /// The last that begins at a time or before.
    private func part(at time: Double) -> Int {
        var (low, high) = (0, amounts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if edges[middle] <= time { low = middle } else { high = middle }
        }
        return low
    }
}
