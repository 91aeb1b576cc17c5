internal import Glibc

/// The MD5 digest (RFC 1321), by which Photoshop resources record whether IPTC was changed after XMP.
package enum MD5 {
    /// Rotation of each step, by round and by step within four.
    private static let rotations: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var message = bytes + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        message += littleEndian(UInt64(bytes.count) * 8)
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[start + 4 * word + $1]) << (8 * $1) }
            }
            mix(words, into: &state)
        }
        return state.flatMap(littleEndian)
    }

    private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mixed, word): (UInt32, Int) =
                switch step / 16 {
                case 0: (b & c | ~b & d, step)
                case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mixed &+ constants[step] &+ words[word]
            let rotation = rotations[step / 16][step % 4]
            (a, b, c, d) = (d, b &+ (sum << rotation | sum >> (32 - rotation)), b, c)
        }
        for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
