internal import TestSupport
internal import Testing
internal import WayreelBundle

/// The choice compared with exhaustive search.
@Suite struct BudgetChoiceTests {
    private typealias Point = BudgetChoice.Point

    /// Makes items whose points become smaller, mostly with more loss.
    private static func items(seed: UInt64) -> [BudgetChoice.Item] {
        var random = SeededRandom(seed: seed)
        return (0..<4).map { _ in
            var (bytes, loss) = (Int.random(in: 500...2000, using: &random), 0.0)
            return (0..<5).map { _ in
                defer {
                    bytes -= Int.random(in: 1...bytes / 3, using: &random)
                    loss += Double.random(in: 0...0.1, using: &random)
                }
                return Point(bytes: bytes, loss: loss)
            }
        }
    }

    /// Returns the size and loss of all combinations of points.
    private static func combinations(_ items: [BudgetChoice.Item]) -> [Point] {
        items.reduce([Point(bytes: 0, loss: 0)]) { sums, item in
            sums.flatMap { sum in item.map { Point(bytes: sum.bytes + $0.bytes, loss: sum.loss + $0.loss) } }
        }
    }

    private static func sum(_ items: [BudgetChoice.Item], _ chosen: [Int]) -> Point {
        zip(items, chosen).reduce(Point(bytes: 0, loss: 0)) { sum, pair in
            let point = pair.0[pair.1]
            return Point(bytes: sum.bytes + point.bytes, loss: sum.loss + point.loss)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func isCloseToTheBest(seed: UInt64) throws {
        let items = Self.items(seed: seed)
        let all = Self.combinations(items)
        let natural = Self.sum(items, items.map { _ in 0 }).bytes
        let smallest = try #require(all.map(\.bytes).min())
        #expect(BudgetChoice.smallest(items) == smallest)
        #expect(BudgetChoice.choose(items, within: smallest - 1) == nil)
        #expect(BudgetChoice.choose(items, within: natural) == items.map { _ in 0 })
        // The greedy choice loses less than the largest step, compared with the best choice.
        let largestStep =
            items.map { ($0.map(\.loss).max() ?? 0) - ($0.map(\.loss).min() ?? 0) }.max() ?? 0
        for limit in stride(from: smallest, to: natural, by: max(1, (natural - smallest) / 17)) {
            let made = Self.sum(items, try #require(BudgetChoice.choose(items, within: limit)))
            let best = try #require(all.filter { $0.bytes <= limit }.map(\.loss).min())
            #expect(made.bytes <= limit)
            #expect(made.loss >= best - 1e-12)
            #expect(made.loss <= best + largestStep + 1e-12)
        }
    }

    /// For each price per byte, the cheapest combination is the best of its size, and is found.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func isTheBestOnTheHull(seed: UInt64) throws {
        let items = Self.items(seed: seed)
        let all = Self.combinations(items)
        let natural = Self.sum(items, items.map { _ in 0 })
        for price in [1e-5, 3e-5, 1e-4, 3e-4, 1e-3] {
            let best = try #require(
                all.min { $0.loss + price * Double($0.bytes) < $1.loss + price * Double($1.bytes) })
            guard best.bytes < natural.bytes else { continue }
            let made = Self.sum(items, try #require(BudgetChoice.choose(items, within: best.bytes)))
            #expect(made.bytes <= best.bytes)
            #expect(abs(made.loss - best.loss) < 1e-12)
        }
    }

    /// Whatever loses least per byte, were it audio or an image.
    @Test func takesTheLeastLossPerByteFirst() {
        let image = [Point(bytes: 100, loss: 0), Point(bytes: 50, loss: 9)]
        let audio = [Point(bytes: 100, loss: 0), Point(bytes: 50, loss: 0.1)]
        #expect(BudgetChoice.choose([image, audio], within: 150) == [0, 1])
        #expect(BudgetChoice.choose([image, audio], within: 149) == [1, 1])
        #expect(BudgetChoice.choose([image, audio], within: 99) == nil)
        #expect(BudgetChoice.choose([], within: 0) == [])
    }
}
