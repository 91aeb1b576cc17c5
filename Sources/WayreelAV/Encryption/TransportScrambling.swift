internal import WayreelCore

/// Detects the scrambled streams of an MPEG transport stream (ISO/IEC 13818-1, section 2.4.3.3).
struct TransportScrambling {
    private let file: InputFile

    /// Distances between packets in bytes: plain, with a leading timestamp (Blu-ray), with trailing error correction.
    private static let packetSizes = [188, 192, 204]
    private static let sync: UInt8 = 0x47
    /// Consecutive sync bytes that identify the packet size.
    private static let packetsToSync = 8
    /// Max bytes that are read.
    private static let maxBytes = 1 << 21

    init(_ file: InputFile) { self.file = file }

    /// Returns the PIDs of streams with a scrambled packet in the first bytes of the file.
    func streams() throws(MediaError) -> Set<Int> {
        let bytes = try file.bytes(at: 0, count: min(file.size ?? 0, Self.maxBytes))
        guard let (first, distance) = Self.packets(in: bytes) else { return [] }
        var scrambled: Set<Int> = []
        for packet in stride(from: first, through: bytes.count - 4, by: distance) where bytes[packet] == Self.sync {
            let (hasPayload, control) = (bytes[packet + 3] & 0x10 != 0, bytes[packet + 3] >> 6)
            // 1 is reserved.
            guard hasPayload, control > 1 else { continue }
            scrambled.insert(Int(bytes[packet + 1] & 0x1f) << 8 | Int(bytes[packet + 2]))
        }
        return scrambled
    }

    private static func packets(in bytes: [UInt8]) -> (first: Int, distance: Int)? {
        for distance in packetSizes {
            for first in 0..<distance {
                let last = first + (packetsToSync - 1) * distance
                guard last < bytes.count else { break }
                if stride(from: first, through: last, by: distance).allSatisfy({ bytes[$0] == sync }) {
                    return (first, distance)
                }
            }
        }
        return nil
    }
}
