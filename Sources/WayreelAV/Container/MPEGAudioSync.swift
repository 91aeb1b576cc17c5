internal import WayreelCore

/// Finds the first frame of an MPEG audio stream that is preceded by other bytes.
enum MPEGAudioSync {
    private static let searchedBytes = 1 << 20
    /// The number of consecutive frames that identify a stream.
    private static let minFrames = 6

    /// Returns whether the file begins with a frame or an ID3 tag. True for a pipe, whose first bytes cannot be read
    /// twice.
    static func begins(_ file: InputFile) throws(MediaError) -> Bool {
        guard file.size != nil else { return true }
        let bytes = try file.peek(4)
        return bytes.starts(with: "ID3".utf8)
            || bytes.starts(with: [0xFF]) && bytes.count > 1 && bytes[1] & 0xE0 == 0xE0
    }

    /// Returns the offset of the first of several consecutive frames; nil if there are none, and for a pipe.
    static func find(in file: InputFile) throws(MediaError) -> Int? {
        guard file.size != nil else { return nil }
        let bytes = try file.peek(searchedBytes)
        return bytes.withUnsafeBufferPointer { bytes in
            bytes.indices.first { bytes[$0] == 0xFF && startsStream(bytes, at: $0) }
        }
    }

    private static func startsStream(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var position = start
        var first: FrameHeader?
        for _ in 0..<minFrames {
            guard let header = FrameHeader(bytes, at: position), header.isLike(first ?? header) else { return false }
            first = first ?? header
            position += header.byteCount
        }
        return true
    }

    /// The header of a layer III frame (ISO 11172-3, 2.4.2.3; ISO 13818-3, 2.4.2.3).
    private struct FrameHeader {
        let version: UInt8
        let rateIndex: UInt8
        let byteCount: Int

        private static let bitRates: [[Int]] = [
            [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
            [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
        ]
        private static let sampleRates = [44_100, 48_000, 32_000]

        init?(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
            guard position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] & 0xE6 == 0xE2 else {
                return nil
            }
            // The values are 3 for MPEG-1, 2 for MPEG-2 and 0 for MPEG-2.5.
            version = bytes[position + 1] >> 3 & 3
            rateIndex = bytes[position + 2] >> 2 & 3
            let isFirst = version == 3
            let bitRate = Self.bitRates[isFirst ? 0 : 1][Int(bytes[position + 2] >> 4)] * 1000
            guard version != 1, rateIndex < 3, bitRate > 0 else { return nil }
            let sampleRate = Self.sampleRates[Int(rateIndex)] >> (isFirst ? 0 : version == 2 ? 1 : 2)
            byteCount = (isFirst ? 144 : 72) * bitRate / sampleRate + Int(bytes[position + 2] >> 1 & 1)
        }

        func isLike(_ other: FrameHeader) -> Bool { version == other.version && rateIndex == other.rateIndex }
    }
}
