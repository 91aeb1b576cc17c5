/// Unpacks the pixels of a GIF image: codes of variable size, cut into sub-blocks (GIF89a specification, appendix F).
struct LZWDecoder {
    /// Whether a code was found that none can be, or the image ended before its last row; not where the file ends early.
    private(set) var isBroken = false

    private var codes: CodeReader
    private let rootBits: Int

    private static let maxBits = 12

    /// `data` begins with the size of the first codes, less one; what follows the image does not matter.
    init(_ data: UnsafeRawBufferPointer) {
        rootBits = data.first.map { Int($0) } ?? 0
        codes = CodeReader(UnsafeRawBufferPointer(rebasing: data.dropFirst()))
    }

    /// Hands the rows out as colour indices, one after the other, until `height` of them or the data are over. Returns how many there
    /// were.
    mutating func decode(width: Int, height: Int, use: (UnsafePointer<UInt8>) -> Void) -> Int {
        // Eight bits of colour, and one code more at least.
        guard (1...8).contains(rootBits) else {
            isBroken = true
            return 0
        }
        let room = 1 << Self.maxBits
        let (clear, end) = (1 << rootBits, 1 << rootBits + 1)
        var rows = 0
        withUnsafeTemporaryAllocation(of: Entry.self, capacity: room) { table in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width + room) { pixels in
                for root in 0..<room {
                    table[root] = Entry(
                        previous: 0, length: root < clear ? 1 : 0, first: UInt8(truncatingIfNeeded: root),
                        last: UInt8(truncatingIfNeeded: root))
                }
                var (bits, next, last) = (rootBits + 1, end + 1, -1)
                var filled = 0
                while rows < height, let code = codes.read(bits) {
                    if code == clear {
                        (bits, next, last) = (rootBits + 1, end + 1, -1)
                        continue
                    }
                    guard code != end, code < next || code == next && last >= 0, last >= 0 || code < clear else {
                        isBroken = true
                        return
                    }
                    if last >= 0, next < room {
                        // A code that is used while it is made ends as it begins.
                        let first = code == next ? table[last].first : table[code].first
                        table[next] = Entry(
                            previous: UInt16(truncatingIfNeeded: last), length: table[last].length + 1,
                            first: table[last].first, last: first)
                        next += 1
                        if next == 1 << bits, bits < Self.maxBits { bits += 1 }
                    }
                    last = code
                    // Backwards, from the last pixel of the code on.
                    let length = Int(table[code].length)
                    var entry = code
                    for place in stride(from: filled + length - 1, through: filled, by: -1) {
                        pixels[place] = table[entry].last
                        entry = Int(table[entry].previous)
                    }
                    filled += length
                    var used = 0
                    while filled - used >= width, rows < height {
                        use(pixels.baseAddress! + used)
                        used += width
                        rows += 1
                    }
                    if used > 0 {
                        filled -= used
                        (pixels.baseAddress!).update(from: pixels.baseAddress! + used, count: filled)
                    }
                }
                isBroken = isBroken || rows < height && codes.isComplete
            }
        }
        return rows
    }

    /// What a code stands for: the pixels of another and one more.
    private struct Entry {
        var previous: UInt16
        /// In pixels; 0 for the codes that stand for none.
        var length: UInt16
        var first: UInt8
        var last: UInt8
    }
}

/// Codes of a variable number of bits, the lowest first, out of sub-blocks.
private struct CodeReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    /// Of the current sub-block.
    private var left = 0
    private var held: UInt32 = 0
    private var heldBits = 0
    /// Whether the empty sub-block at the end was read.
    private(set) var isComplete = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// nil where the data are over.
    mutating func read(_ count: Int) -> Int? {
        while heldBits < count {
            guard offset < bytes.count, !isComplete else { return nil }
            let byte = bytes[offset]
            offset += 1
            if left == 0 {
                left = Int(byte)
                isComplete = left == 0
            } else {
                left -= 1
                held |= UInt32(byte) << UInt32(heldBits)
                heldBits += 8
            }
        }
        let code = Int(held & (1 << UInt32(count) - 1))
        held >>= UInt32(count)
        heldBits -= count
        return code
    }
}
