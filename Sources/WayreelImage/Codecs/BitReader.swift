/// Reads bits, most significant first. Reads past the end return zeros and set ``isPastEnd``.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var position = 0
    private(set) var isPastEnd = false

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Reads `count` bits, at most 32.
    mutating func read(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            let index = bytes.startIndex + position / 8
            if index >= bytes.endIndex { isPastEnd = true }
            let byte = index < bytes.endIndex ? Int(bytes[index]) : 0
            value = value << 1 | (byte >> (7 - position % 8)) & 1
            position += 1
        }
        return value
    }

    mutating func flag() -> Bool { read(1) == 1 }

    mutating func skip(_ count: Int) { position += count }

    /// Reads an Exp-Golomb code: ue(v) of H.265, uvlc() of AV1.
    mutating func expGolomb() -> Int {
        var zeros = 0
        while !flag(), !isPastEnd, zeros < 32 { zeros += 1 }
        return 1 << zeros - 1 + read(min(zeros, 32))
    }
}
