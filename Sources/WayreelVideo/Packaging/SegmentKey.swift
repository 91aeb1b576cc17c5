internal import WayreelAV
internal import WayreelCore

/// The key that the segments of a package are encrypted with.
struct SegmentKey: Sendable {
    let bytes: [UInt8]
    /// What players ask for it by.
    let address: String

    /// A new, random one.
    init(address: String) {
        bytes = Self.randomBlock()
        self.address = address
    }

    /// 16 random bytes: a key, or the vector that a segment starts with.
    static func randomBlock() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<AES128.blockSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
