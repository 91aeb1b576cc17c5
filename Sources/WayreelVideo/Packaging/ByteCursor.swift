/// Big-endian numbers of a run of bytes, read one after the other; nil past its end.
struct ByteCursor {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        let whole = range.clamped(to: 0..<bytes.count)
        position = whole.lowerBound
        end = whole.upperBound
    }

    mutating func number(_ count: Int) -> Int? {
        guard count <= end - position else { return nil }
        var value: UInt64 = 0
        for _ in 0..<count {
            value = value << 8 | UInt64(bytes[position])
            position += 1
        }
        return Int(exactly: value)
    }

    /// A signed number of 32 bits.
    mutating func signedWord() -> Int? { number(4).map { Int(Int32(truncatingIfNeeded: $0)) } }

    mutating func skip(_ count: Int) { position = min(end, position + count) }

    var left: Int { end - position }
}
