internal import WayreelCore

extension SeededGenerator {
    /// 0 ..< `bound`.
    mutating func next(below bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
}
