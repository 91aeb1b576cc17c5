internal import WayreelCore

/// A generator with a seed, so that a failing random test can be reproduced.
package struct SeededRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    package mutating func next() -> UInt64 { generator.next() }
}
