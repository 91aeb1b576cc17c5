internal import WayreelCore

/// A generator with a seed, so that a failing random test can be reproduced.
package struct SeededRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    package mutating func next() -> UInt64 { generator.next() }
}

extension [UInt8] {
    /// Returns the bytes as a damaged file has them: cut anywhere, or with other values at some of `places`.
    package func damaged(
        cut: Bool, changes: Int = 1, in places: Range<Int>? = nil, using random: inout SeededRandom
    ) -> [UInt8] {
        if cut { return Array(prefix(.random(in: 0..<count, using: &random))) }
        var bytes = self
        for _ in 0..<changes {
            bytes[.random(in: places ?? indices, using: &random)] = .random(in: 0...255, using: &random)
        }
        return bytes
    }
}
