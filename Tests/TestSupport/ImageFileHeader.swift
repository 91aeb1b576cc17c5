/// The format and size of an encoded image, parsed from its header without Wayreel's own readers.
package struct ImageFileHeader: Equatable, CustomStringConvertible {
    package var format: String
    package var width: Int
    package var height: Int

    package init(_ format: String, _ width: Int, _ height: Int) {
        (self.format, self.width, self.height) = (format, width, height)
    }

    package init?(_ bytes: [UInt8]) {
        func big(_ at: Int, _ count: Int) -> Int { bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }
        func little(_ at: Int, _ count: Int) -> Int {
            bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func text(_ at: Int, _ count: Int) -> String { String(decoding: bytes[at..<at + count], as: UTF8.self) }
        guard bytes.count > 30 else { return nil }
        if bytes[0] == 0xFF, bytes[1] == 0xD8 {
            // Segments up to the first start of frame: C0 to CF without C4, C8 and CC (ITU-T T.81, table B.1).
            var offset = 2
            while offset + 9 < bytes.count, bytes[offset] == 0xFF {
                let marker = bytes[offset + 1]
                if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                    self.init("jpeg", big(offset + 7, 2), big(offset + 5, 2))
                    return
                }
                offset += 2 + big(offset + 2, 2)
            }
            return nil
        } else if bytes[0] == 0x89, text(1, 3) == "PNG" {
            self.init("png", big(16, 4), big(20, 4))
        } else if text(0, 4) == "RIFF", text(8, 4) == "WEBP" {
            // WebP Container Specification: VP8X holds the size less one in 24 bits; VP8 and VP8L in 14 bits.
            switch text(12, 4) {
            case "VP8X": self.init("webp", little(24, 3) + 1, little(27, 3) + 1)
            case "VP8 ": self.init("webp", little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF)
            case "VP8L": self.init("webp", little(21, 4) & 0x3FFF + 1, little(21, 4) >> 14 & 0x3FFF + 1)
            default: return nil
            }
        } else if text(4, 4) == "ftyp" {
            // The first image spatial extents property (ISO/IEC 23008-12, 6.5.3).
            guard let offset = bytes.indices.dropLast(16).first(where: { text($0, 4) == "ispe" }) else { return nil }
            self.init(text(8, 4), big(offset + 8, 4), big(offset + 12, 4))
        } else {
            return nil
        }
    }

    package var description: String { "\(format) \(width)×\(height)" }
}
