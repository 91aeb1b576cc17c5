/// An LRU cache of values by key, up to a total cost and a number of values. Threads share it under a lock.
package struct RecentValues<Key: Hashable, Value> {
    /// How much an eviction removes.
    package enum Eviction: Sendable {
        /// A quarter of the limits at once, so that it is seldom done: it looks at all values.
        case quarter
        /// What exceeds the limits.
        case excess
    }

    @usableFromInline struct Entry {
        @usableFromInline var value: Value
        @usableFromInline var cost: Int
        @usableFromInline var lastUse: Int

        @usableFromInline init(value: Value, cost: Int, lastUse: Int) {
            (self.value, self.cost, self.lastUse) = (value, cost, lastUse)
        }
    }

    @usableFromInline let maxCost: Int
    @usableFromInline let maxCount: Int
    @usableFromInline let maxValueCost: Int
    /// What an eviction leaves at most.
    @usableFromInline let kept: (cost: Int, count: Int)

    @usableFromInline var entries: [Key: Entry] = [:]
    @usableFromInline var cost = 0
    @usableFromInline var uses = 0

    /// `maxValueCost`: the largest cost of one value, since a value that evicts most others is cheaper to make again.
    /// By default it is a quarter of `maxCost`.
    package init(maxCost: Int, maxCount: Int = .max, maxValueCost: Int? = nil, evicting: Eviction = .quarter) {
        self.maxCost = maxCost
        self.maxCount = maxCount
        self.maxValueCost = maxValueCost ?? max(1, maxCost / 4)
        switch evicting {
        case .quarter: kept = (maxCost / 4 * 3, maxCount / 4 * 3)
        case .excess: kept = (maxCost, maxCount)
        }
    }

    @inlinable package subscript(key: Key) -> Value? {
        mutating get {
            guard let index = entries.index(forKey: key) else { return nil }
            uses += 1
            entries.values[index].lastUse = uses
            return entries.values[index].value
        }
    }

    /// Adds a value, unless it costs more than one value may.
    @inlinable package mutating func keep(_ value: Value, cost added: Int = 1, for key: Key) {
        guard added <= maxValueCost else { return }
        uses += 1
        let old = entries.updateValue(Entry(value: value, cost: added, lastUse: uses), forKey: key)
        cost += added - (old?.cost ?? 0)
        if cost > maxCost || entries.count > maxCount { removeOldest() }
    }

    @usableFromInline mutating func removeOldest() {
        var rest = (cost: cost, count: entries.count)
        var oldestKept = 0
        // The values are not sorted with them: they may be large.
        for (lastUse, cost) in entries.values.map({ ($0.lastUse, $0.cost) }).sorted(by: { $0.0 < $1.0 }) {
            oldestKept = lastUse
            guard rest.cost > kept.cost || rest.count > kept.count else { break }
            rest.cost -= cost
            rest.count -= 1
        }
        entries = entries.filter { $0.value.lastUse >= oldestKept }
        cost = entries.values.reduce(0) { $0 + $1.cost }
    }
}
