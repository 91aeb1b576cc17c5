/// PNG files made by hand (PNG 1.2, RFC 1950, RFC 1951), including some that no encoder would write.
package enum PNGFile {
    /// Makes an 8-bit grey image with all pixels 0. `before` is inserted between its header and its pixels.
    /// `pixelBytes`, if given, replaces the decompressed size of the pixels that the image size requires.
    package static func black(
        width: Int, height: Int, before: [UInt8] = [], pixelBytes: Int? = nil
    ) -> [UInt8] {
        let header = big(width) + big(height) + [8, 0, 0, 0, 0]
        return signature + chunk("IHDR", header) + before
            + chunk("IDAT", zlibZeros(pixelBytes ?? (width + 1) * height)) + chunk("IEND", [])
    }

    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Makes a chunk: length, type, content and CRC-32.
    package static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return big(content.count) + body + big(Int(crc(body)))
    }

    /// Makes a zlib stream that decompresses to `count` zeros, with about 1/158 of their size: one literal and then
    /// matches of 258 bytes at distance 1, in the fixed Huffman code.
    package static func zlibZeros(_ count: Int) -> [UInt8] {
        var bits = BitWriter(bytes: [0x78, 0x01])
        bits.put(0b011, 3)  // The last block, fixed codes.
        let matches = max(0, count - 1) / 258
        for _ in 0..<(count - matches * 258) { bits.putCode(0b0011_0000, 8) }
        for _ in 0..<matches { bits.putCode(0b1100_0101_00000, 13) }
        bits.putCode(0, 7)
        // Adler-32 of zeros: the sum of the bytes stays 1, and the sum of the sums equals their number.
        return bits.finished() + big((count % 65521) << 16 | 1)
    }

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    private struct BitWriter {
        var bytes: [UInt8]
        private var held: UInt32 = 0
        private var count = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// Appends bits, lowest first.
        mutating func put(_ value: UInt32, _ length: Int) {
            held |= value << count
            count += length
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: held))
                held >>= 8
                count -= 8
            }
        }

        /// Appends a Huffman code, highest bit first.
        mutating func putCode(_ code: UInt32, _ length: Int) {
            put((0..<length).reduce(0) { $0 | (code >> UInt32($1) & 1) << UInt32(length - 1 - $1) }, length)
        }

        mutating func finished() -> [UInt8] {
            if count > 0 { put(0, 8 - count) }
            return bytes
        }
    }
}
