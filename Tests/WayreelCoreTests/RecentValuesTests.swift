import TestSupport
import Testing
import WayreelCore

@Suite struct RecentValuesTests {
    /// Returns the keys that are kept, without using them.
    private func keys(of values: RecentValues<Int, String>) -> [Int] {
        var copy = values
        return (0..<100).filter { copy[$0] != nil }
    }

    @Test func keepsValuesByKey() {
        var values = RecentValues<Int, String>(maxCost: 8)
        let missing = values[1]
        values.keep("one", for: 1)
        values.keep("two", for: 2)
        let found = [values[1], values[2]]
        values.keep("uno", for: 1)
        let replaced = values[1]
        #expect(missing == nil && found == ["one", "two"] && replaced == "uno")
        #expect(keys(of: values) == [1, 2])
    }

    @Test func evictsAQuarterOfTheLeastRecentlyUsed() {
        var values = RecentValues<Int, String>(maxCost: 8)
        for key in 0..<8 { values.keep("\(key)", for: key) }
        // Uses it.
        _ = values[0]
        // Of nine values six remain: those used last.
        values.keep("8", for: 8)
        #expect(keys(of: values) == [0, 4, 5, 6, 7, 8])
        // Two more have room.
        values.keep("9", for: 9)
        values.keep("10", for: 10)
        #expect(keys(of: values) == [0, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test func evictsOnlyTheExcess() {
        var values = RecentValues<Int, String>(maxCost: 8, evicting: .excess)
        for key in 0..<8 { values.keep("\(key)", for: key) }
        // Uses it.
        _ = values[0]
        values.keep("8", for: 8)
        #expect(keys(of: values) == [0, 2, 3, 4, 5, 6, 7, 8])
        values.keep("9", cost: 2, for: 9)
        #expect(keys(of: values) == [0, 4, 5, 6, 7, 8, 9])
    }

    /// Values without a cost, such as descriptions that are no profile, are limited by their number.
    @Test(arguments: [(RecentValues<Int, String>.Eviction.excess, 8), (.quarter, 6)])
    func limitsTheNumber(_ eviction: RecentValues<Int, String>.Eviction, _ left: Int) {
        var values = RecentValues<Int, String>(maxCost: 100, maxCount: 8, evicting: eviction)
        for key in 0..<8 { values.keep("\(key)", cost: 0, for: key) }
        #expect(keys(of: values).count == 8)
        values.keep("8", cost: 0, for: 8)
        #expect(keys(of: values) == Array((9 - left)..<9))
    }

    @Test func leavesOutValuesThatCostTooMuch() {
        var values = RecentValues<Int, String>(maxCost: 100)
        values.keep("most", cost: 25, for: 1)
        values.keep("more", cost: 26, for: 2)
        #expect(keys(of: values) == [1])
        values = RecentValues(maxCost: 100, maxValueCost: 100, evicting: .excess)
        values.keep("small", cost: 1, for: 1)
        values.keep("all", cost: 100, for: 2)
        #expect(keys(of: values) == [2])
        values.keep("more", cost: 101, for: 3)
        #expect(keys(of: values) == [2])
    }

    /// A value that replaces another one costs instead of it.
    @Test func countsAReplacedValueOnce() {
        var values = RecentValues<Int, String>(maxCost: 8, evicting: .excess)
        for key in 0..<4 { values.keep("\(key)", cost: 2, for: key) }
        for _ in 0..<10 { values.keep("3", cost: 2, for: 3) }
        #expect(keys(of: values) == [0, 1, 2, 3])
        values.keep("3", cost: 1, for: 3)
        values.keep("4", cost: 1, for: 4)
        #expect(keys(of: values) == [0, 1, 2, 3, 4])
    }

    /// The same as a list that is sorted by use.
    @Test func isTheSameAsAList() {
        var random = SeededRandom(seed: 7)
        var values = RecentValues<Int, String>(maxCost: 40, maxCount: 10, maxValueCost: 20, evicting: .excess)
        /// The most recently used last.
        var list: [(key: Int, cost: Int)] = []
        for _ in 0..<5000 {
            let key = Int.random(in: 0..<20, using: &random)
            let index = list.firstIndex { $0.key == key }
            if Bool.random(using: &random) {
                let found = values[key]
                #expect((found != nil) == (index != nil))
                if let index { list.append(list.remove(at: index)) }
            } else {
                let cost = Int.random(in: 0...25, using: &random)
                values.keep("", cost: cost, for: key)
                guard cost <= 20 else { continue }
                if let index { list.remove(at: index) }
                list.append((key, cost))
                while list.count > 10 || list.reduce(0, { $0 + $1.cost }) > 40 { list.removeFirst() }
            }
        }
    }
}
