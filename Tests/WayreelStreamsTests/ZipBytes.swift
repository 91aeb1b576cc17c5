/// Makes ZIP archives as APPNOTE.TXT describes them, with whatever is to be wrong in them.
struct ZipBytes {
    /// A file of an archive. The sizes and the sum are those of `content`, if they are not set.
    struct Entry {
        var name: String
        var content: [UInt8]
        /// 0: stored; 8: deflated.
        var method = 0
        var flags = 0x800
        var sum: UInt32?
        /// The size that the archive says of the unpacked file.
        var size: Int?
    }

    private(set) var bytes: [UInt8] = []
    /// Where the content of each file begins.
    private(set) var places: [Int] = []

    init(_ entries: [Entry]) {
        var directory: [UInt8] = []
        for entry in entries {
            let name = Array(entry.name.utf8)
            let fields =
                Self.number(20, 2) + Self.number(entry.flags, 2) + Self.number(entry.method, 2) + Self.number(0, 4)
                + Self.number(Int(entry.sum ?? Self.sum(entry.content)), 4) + Self.number(entry.content.count, 4)
                + Self.number(entry.size ?? entry.content.count, 4) + Self.number(name.count, 2) + Self.number(0, 2)
            directory += [0x50, 0x4B, 1, 2] + Self.number(20, 2) + fields + Self.number(0, 10)
            directory += Self.number(bytes.count, 4) + name
            bytes += [0x50, 0x4B, 3, 4] + fields + name
            places.append(bytes.count)
            bytes += entry.content
        }
        let start = bytes.count
        bytes += directory + [0x50, 0x4B, 5, 6] + Self.number(0, 4) + Self.number(entries.count, 2)
        bytes += Self.number(entries.count, 2) + Self.number(directory.count, 4) + Self.number(start, 4)
        bytes += Self.number(0, 2)
    }

    /// An archive of texts.
    init(_ files: KeyValuePairs<String, String>) {
        self.init(files.map { Entry(name: $0.key, content: Array($0.value.utf8)) })
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }

    /// CRC-32, bit by bit.
    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~sum
    }

    /// Deflates `text`, which ends with a line of four characters, and that line again up to `count` bytes and some more, by
    /// fixed Huffman codes (RFC 1951): each further 13 bits are 258 bytes.
    static func repeated(_ text: String, count: Int) -> [UInt8] {
        var (bytes, bit) = ([UInt8](), 0)
        func add(_ code: Int, _ length: Int) {
            for place in (0..<length).reversed() {
                if bit % 8 == 0 { bytes.append(0) }
                bytes[bit / 8] |= UInt8(code >> place & 1) << UInt8(bit % 8)
                bit += 1
            }
        }
        // The last block, of the kind 1, whose bits come in the other order.
        add(0b110, 3)
        for byte in text.utf8 { add(0x30 + Int(byte), 8) }
        // The length 258 is code 285, the distance 4 code 3.
        for _ in 0...count / 258 { add(0b11000101_00011, 13) }
        add(0, 7)
        return bytes
    }
}
