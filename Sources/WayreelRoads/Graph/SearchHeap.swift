/// A binary heap of numbers with the smallest cost first, for searches in graphs.
struct SearchHeap {
    private var items: [(cost: Double, value: UInt32)] = []

    var isEmpty: Bool { items.isEmpty }
    /// The smallest cost.
    var first: Double? { items.first?.cost }

    mutating func removeAll() { items.removeAll(keepingCapacity: true) }

    mutating func insert(_ value: UInt32, cost: Double) {
        items.append((cost, value))
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard items[parent].cost > cost else { break }
            items[child] = items[parent]
            child = parent
        }
        items[child] = (cost, value)
    }

    mutating func popFirst() -> (cost: Double, value: UInt32)? {
        guard let top = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return top }
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].cost < items[child].cost { child += 1 }
            guard items[child].cost < last.cost else { break }
            items[parent] = items[child]
            parent = child
        }
        items[parent] = last
        return top
    }
}
