/// An LRU cache of values by key, up to a total cost.
struct RecentValues<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var cost: Int
        var lastUse: Int
    }

    private let maxCost: Int
    private var entries: [Key: Entry] = [:]
    private(set) var cost = 0
    private var uses = 0

    init(maxCost: Int) { self.maxCost = maxCost }

    subscript(key: Key) -> Value? {
        mutating get {
            guard let index = entries.index(forKey: key) else { return nil }
            uses += 1
            entries.values[index].lastUse = uses
            return entries.values[index].value
        }
    }

    /// Adds a value, unless it costs more than a quarter of the total.
    mutating func keep(_ value: Value, cost added: Int = 1, for key: Key) {
        guard added <= max(1, maxCost / 4) else { return }
        uses += 1
        let old = entries.updateValue(Entry(value: value, cost: added, lastUse: uses), forKey: key)
        cost += added - (old?.cost ?? 0)
        if cost > maxCost { removeOldest() }
    }

    /// Evicts a quarter of the total at once, so that it is seldom done.
    private mutating func removeOldest() {
        var rest = cost
        var oldestKept = 0
        // The values are not sorted with them: they may be large.
        for (lastUse, cost) in entries.values.map({ ($0.lastUse, $0.cost) }).sorted(by: { $0.0 < $1.0 }) {
            oldestKept = lastUse
            guard rest > maxCost / 4 * 3 else { break }
            rest -= cost
        }
        entries = entries.filter { $0.value.lastUse >= oldestKept }
        cost = entries.values.reduce(0) { $0 + $1.cost }
    }
}
