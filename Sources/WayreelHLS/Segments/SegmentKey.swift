internal import WayreelAV
internal import WayreelCore

/// The key of the encrypted segments of a package.
struct SegmentKey: Sendable {
    let bytes: [UInt8]
    /// The URI of the key in playlists.
    let uri: String

    /// Creates a random key.
    init(uri: String) {
        bytes = Self.randomBlock()
        self.uri = uri
    }

    /// Returns 16 random bytes: a key or an IV.
    static func randomBlock() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<AES128.blockSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
